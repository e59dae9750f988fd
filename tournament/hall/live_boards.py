"""Small live boards of the tables in play, as viewers may see them.

A board is built from a viewer's view of the match, so it never reveals a hidden card. Each process
caches an event's boards for a second, so that many viewers cost no more than one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

from django.utils.translation import get_language

from games import queries as games
from games.models import Match
from games.process import here
from games.process.fresh_values import FreshValues
from games.queries import ShownMatch
from tournament.hall.spotlight import TABLES, TableInPlay, list_tables_in_play
from tournament.models import Event

# Maximum number of boards on the home page, and of events that they belong to.
HOME_BOARDS, HOME_EVENTS = 3, 3
# Seconds for which boards are cached, and for which the choice of tables is cached.
BOARD_SECONDS, CHOICE_SECONDS = 1.0, 4.0


@dataclass(frozen=True)
class BoardSeat:
    """A player on a board.

    `cards` is the number of cards, or None if the player sits out.
    """

    name: str
    cards: int | None
    turn: bool
    last_card: bool


@dataclass(frozen=True)
class PlayedCards:
    """The public cards on a board.

    `color` and `color_name` are the colour to follow, or "" if the `top` card shows it.
    """

    hand: int | None
    top: str
    color: str
    color_name: str
    paused: bool
    over: bool
    seats: tuple[BoardSeat, ...]


@dataclass(frozen=True)
class LiveBoard:
    """A table in play: the cards that viewers may see, and the number of viewers."""

    table: TableInPlay
    cards: PlayedCards
    viewers: int

    @property
    def match(self) -> Match:
        match = self.table.view.match
        assert match is not None
        return match

    @property
    def event(self) -> Event:
        return self.table.view.table.round.stage.event


class CachedTableChoices(FreshValues[Sequence[TableInPlay]]):
    """The tables in play that have boards, by event."""


class CachedViewerCounts(FreshValues[Mapping[int, int]]):
    """The number of viewers of each match, by event."""


class CachedBoards(FreshValues[list[LiveBoard]]):
    """The boards of each event, by language."""


def event_boards(event: Event) -> list[LiveBoard]:
    """Return the boards of the event's most interesting tables, by table number."""
    key = event.pk, get_language()
    return here().part(CachedBoards).find(key, BOARD_SECONDS, lambda: _make_boards(event))


def home_boards(events: Iterable[Event]) -> list[LiveBoard]:
    """Return a few boards of these events, alternating between events."""
    board_lists = (boards for event in events if (boards := event_boards(event)))
    interleaved = chain.from_iterable(zip_longest(*islice(board_lists, HOME_EVENTS)))
    return list(islice((board for board in interleaved if board), HOME_BOARDS))


def _make_boards(event: Event) -> list[LiveBoard]:
    process = here()
    choices, kept_viewers = process.part(CachedTableChoices), process.part(CachedViewerCounts)
    tables = choices.find(event.pk, CHOICE_SECONDS, lambda: _choose_tables(event))
    matches = _load_matches(table.view.match for table in tables)
    viewers = kept_viewers.find(event.pk, CHOICE_SECONDS, lambda: games.count_viewers([*matches]))
    shown = (
        (table, match.pk, find_public_cards(games.match_for_seat(matches[match.pk], None)))
        for table in tables
        if (match := table.view.match) and match.pk in matches
    )
    return [LiveBoard(table, cards, viewers.get(pk, 0)) for table, pk, cards in shown if cards]


def _choose_tables(event: Event) -> list[TableInPlay]:
    chosen = list_tables_in_play(event)[:TABLES]
    return sorted(chosen, key=lambda table: (table.view.table.round_id, table.view.number))


def _load_matches(matches: Iterable[Match | None]) -> dict[int, Match]:
    """Load these matches again, without the state of the current hand."""
    ids = [match.pk for match in matches if match]
    return Match.objects.defer("state", "race").in_bulk(ids) if ids else {}


def find_public_cards(shown_match: ShownMatch) -> PlayedCards | None:
    """Return the cards of a match that viewers may see now, or None.

    Viewers see no cards at practice tables, before the first deal, after the end, while the
    leaderboard is frozen, or if viewers see hands only after they are over.
    """
    stream, match = shown_match.stream, shown_match.snapshot.match
    is_delayed = stream.until is not None or stream.mode == Match.Viewers.HAND
    if (
        match.practice
        or is_delayed
        or match.phase not in (Match.Phase.PLAYING, Match.Phase.BETWEEN)
    ):
        return None
    view = games.shared_part(shown_match.snapshot, {}, shown_match.now)
    if view["top"] is None:
        return None
    seats = tuple(
        BoardSeat(
            seat["name"],
            seat["count"] if seat["playing"] else None,
            seat["seat"] == view["turn"],
            seat["count"] == 1 and seat["playing"],
        )
        for seat in view["seats"]
    )
    card = shown_match.snapshot.rules.card(view["top"])
    color = (view["color"] or "") if card.color < 0 or card.colored_wild else ""
    names = {each["color"]: each["name"] for each in view["colors"]}
    return PlayedCards(
        hand=view["match"]["hand"],
        top=view["top"],
        color=color,
        color_name=names.get(color, ""),
        paused=view["match"]["paused"],
        over=match.phase == Match.Phase.BETWEEN,
        seats=seats,
    )
