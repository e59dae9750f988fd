"""Small live boards of the tables in play, as viewers may see them.

A board is built from a viewer's view of the match, so it never shows a hidden card. Each process
keeps the boards of an event for a second, so a thousand viewers cost no more than one.
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
from tournament.hall.spotlight import TABLES, TableOnStage, tables_on_stage
from tournament.models import Event

# Boards on the front page, and the most events that they are taken from.
HOME_BOARDS, HOME_EVENTS = 3, 3
# An action is shown so many seconds later at most; another choice of tables takes a little longer.
SECONDS, CHOICE_SECONDS = 1.0, 4.0


@dataclass(frozen=True)
class BoardSeat:
    """A player on a board; `cards` is the number of cards, None for a player who sits out."""

    name: str
    cards: int | None
    turn: bool
    last_card: bool


@dataclass(frozen=True)
class PlayedCards:
    """The cards of a board that everyone may see.

    `color` and `color_name` are the colour to follow if the `top` card does not show it.
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
    """A table in play with its cards as far as viewers may see them, and how many watch it."""

    table: TableOnStage
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


class KeptChoices(FreshValues[Sequence[TableOnStage]]):
    """The tables in play that are shown on boards, by event."""


class KeptViewers(FreshValues[Mapping[int, int]]):
    """The numbers of viewers of these tables by match, by event."""


class KeptBoards(FreshValues[list[LiveBoard]]):
    """The boards of each event, by language."""


def event_boards(event: Event) -> list[LiveBoard]:
    """Return the boards of the event's most interesting tables, in the order of their numbers."""
    key = event.pk, get_language()
    return here().part(KeptBoards).find(key, SECONDS, lambda: _make_boards(event))


def home_boards(events: Iterable[Event]) -> list[LiveBoard]:
    """Return a few boards of these events, which take turns."""
    found = (boards for event in events if (boards := event_boards(event)))
    in_turn = chain.from_iterable(zip_longest(*islice(found, HOME_EVENTS)))
    return list(islice((board for board in in_turn if board), HOME_BOARDS))


def _make_boards(event: Event) -> list[LiveBoard]:
    process = here()
    choices, kept_viewers = process.part(KeptChoices), process.part(KeptViewers)
    tables = choices.find(event.pk, CHOICE_SECONDS, lambda: _choose_tables(event))
    matches = _load_matches(table.view.match for table in tables)
    viewers = kept_viewers.find(event.pk, CHOICE_SECONDS, lambda: games.count_viewers([*matches]))
    shown = (
        (table, match.pk, show_cards(games.match_for_seat(matches[match.pk], None)))
        for table in tables
        if (match := table.view.match) and match.pk in matches
    )
    return [LiveBoard(table, cards, viewers.get(pk, 0)) for table, pk, cards in shown if cards]


def _choose_tables(event: Event) -> list[TableOnStage]:
    chosen = tables_on_stage(event)[:TABLES]
    return sorted(chosen, key=lambda table: (table.view.table.round_id, table.view.number))


def _load_matches(matches: Iterable[Match | None]) -> dict[int, Match]:
    """Return these matches as they are now, without the hand in play."""
    keys = [match.pk for match in matches if match]
    return Match.objects.defer("state", "race").in_bulk(keys) if keys else {}


def show_cards(shown_match: ShownMatch) -> PlayedCards | None:
    """Return the cards of a match as a viewer sees it, or None if there are none to show live.

    That is so for practice, before the first deal, after the end, where viewers see each hand
    once it is over, and for a match that is stopped for viewers because the leaderboard is frozen.
    """
    stream, match = shown_match.stream, shown_match.snapshot.match
    stopped = stream.until is not None or stream.mode == Match.Viewers.HAND
    if match.practice or stopped or match.phase not in (Match.Phase.PLAYING, Match.Phase.BETWEEN):
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
