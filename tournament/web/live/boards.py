"""The public leaderboard of an event, built once per process for all pages and sockets.

Many of them need the same rows at the same time. When a round starts, every player's own page
reloads within two seconds. After a hand, all sockets send the changed rows.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypedDict

from django.db.models import Case, QuerySet, TextField, Value, When
from django.db.models.functions import Concat
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language

from games.process import here
from games.process.fresh_values import FreshValues
from tournament.events.spectator_texts import describe_delay, public_until
from tournament.models import Event, Round, Stage, TableSeat
from tournament.planning.qualification_odds import add_chances
from tournament.rounds.announcements import filter_shown_messages
from tournament.standings.queries import leaderboard
from tournament.standings.rows import Leaderboard, LeaderRow
from tournament.web.live.rows import ShownLeaderboard, render_rows

ROWS, STATE, LEGEND = (
    f"tournament/standings/leaderboard_{part}.html" for part in ("rows", "state", "legend")
)
# Maximum age of cached news. A poke can be lost, and visible data also changes with time.
MAX_AGE_SECONDS = 1.0

# Registration columns that affect an event's public pages.
REGISTRATION_COLUMNS = ("pk", "state", "checked_in_at", "absent_at")


class BoardContext(TypedDict):
    """Variables of the leaderboard's templates.

    `late` describes the delay for viewers.
    """

    event: Event
    board: Leaderboard
    shown: ShownLeaderboard
    late: str


@dataclass(frozen=True)
class News:
    """The public state of an event, as sent to pages and sockets.

    * `board`: the leaderboard.
    * `late`: a description of the delay with which viewers see play.
    * `shape`: a hash of the public facts, or "" if it is unknown. Pages about seats and
      registrations reload when it changes, instead of after every hand.
    * `version`: the hub's version for the event, from before the news was read.
    """

    board: Leaderboard
    late: str
    shape: str = ""
    version: int = 0

    @cached_property
    def shown(self) -> ShownLeaderboard:
        board = self.board
        played = any(row.matches for row in board.rows)
        context = {"event": board.event, "board": board, "late": self.late, "played": played}
        # Sockets render this HTML too, without a request that activates the zone.
        with timezone.override(board.event.zone):
            return ShownLeaderboard(
                state=render_to_string(STATE, context),
                rows=render_rows(board),
                legend=render_to_string(LEGEND, context).strip(),
                frame=board.event.title,
            )

    @cached_property
    def context(self) -> BoardContext:
        board = self.board
        return {"event": board.event, "board": board, "shown": self.shown, "late": self.late}

    @cached_property
    def html(self) -> str:
        """The leaderboard's HTML for a page."""
        return render_to_string(ROWS, dict(self.context))

    @cached_property
    def rows(self) -> dict[int, LeaderRow]:
        """The rows of the leaderboard by registration id."""
        return {row.registration.pk: row for row in self.board.rows}


class NewsCache(FreshValues[News]):
    """Cache of a process's news, by event and language.

    The language is part of the key, because HTML and notes contain text.
    """


def current_news(event: Event, known_shape: str = "") -> News:
    """Return the event's public news, including all changes up to the latest poke.

    The news is at most `MAX_AGE_SECONDS` old. If `known_shape` is given and the cached news has
    another shape, the news is read again.
    """
    hub = here().hub

    def is_current(news: News) -> bool:
        return news.version == hub.version(event.topic) and known_shape in ("", news.shape)

    def make() -> News:
        return read_news(event, known_shape, hub.version(event.topic))

    return (
        here().part(NewsCache).find((event.pk, get_language()), MAX_AGE_SECONDS, make, is_current)
    )


def read_news(event: Event, shape: str = "", version: int = 0) -> News:
    board = add_chances(leaderboard(event), public=True)
    # Dropped, because this data takes more memory than the rest of the board.
    board = replace(board, results=None, standing=())
    return News(board, describe_delay(event), shape, version)


def board_context(event: Event, stage: Stage | None = None) -> BoardContext:
    """Return the variables for a page with the leaderboard of an event or a stage."""
    if stage is None:
        return {**current_news(event).context, "event": event}
    return News(add_chances(leaderboard(event, stage), public=True), describe_delay(event)).context


def find_public_event(slug: str) -> tuple[int, str] | None:
    """Return the id and topic of the public event with this slug.

    Returns None if there is no such event, or if it is a draft.
    """
    event = Event.objects.filter(slug=slug).first()
    return (event.pk, event.topic) if event and event.public else None


def load_event_news(event_pk: int) -> News:
    """Return the news for the event's sockets, with the leaderboard already rendered."""
    event = Event.objects.get(pk=event_pk)
    news = current_news(event, hash_public_facts(event))
    _ = news.html, news.shown.hash  # Rendered here in a thread, not in the event loop.
    return news


def hash_public_facts(event: Event) -> str:
    """Return a hash of the event's public facts.

    It covers the state, registrations, rounds, seats, matches and desk messages.
    """
    people = _make_line_query("person", event.registrations.all(), *REGISTRATION_COLUMNS)
    rounds = _make_line_query("round", Round.objects.filter(stage__event=event), "pk", "state")
    messages = _make_line_query("message", filter_shown_messages(event.desk_messages.all()), "pk")
    lines = people.union(rounds, _select_seat_lines(event), messages, all=True).order_by()
    facts = [event.state, event.registration_state, event.freeze.to_json(), *sorted(lines)]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def _select_seat_lines(event: Event) -> QuerySet[Any, str]:
    seats = TableSeat.objects.filter(
        table__round__stage__event=event,
        table__round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING),
    )
    ended = Case(When(table__match__ended_at__lte=public_until(event), then=Value("ended")))
    columns = ("table_id", "number", "registration_id", "table__match__paused_at")
    return _make_line_query("seat", seats, *columns, ended)


def _make_line_query(kind: str, rows: QuerySet[Any], *values: str | Case) -> QuerySet[Any, str]:
    """Return a query that yields a line of text for each row.

    The queries of all kinds can be combined into one.
    """
    parts = [part for value in values for part in (Value(" "), value)]
    line = Concat(Value(kind), *parts, output_field=TextField())
    return rows.order_by().values_list(line, flat=True)
