"""Places in random events, compared with an independent calculation from the matches."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.as_played import Places, PlayedTable, compute_expected_places
from tournament.models import Event, Registration, Round, Sitting, Stage, Table
from tournament.pure.arrangement.stored_seating import RoundSeating
from tournament.results.queries import find_best_seats
from tournament.results.stages import StageEntry, StageResults
from tournament.results.table_result import TableResult
from tournament.stages.places import places
from tournament.stages.winners import build_podium, find_winner, leaders

ROUNDS, BRACKET = Stage.Format.ROUNDS, Stage.Format.BRACKET
NOW = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)
# The formats of an event's stages, in order.
SHAPES = [
    *([ROUNDS], [BRACKET], [ROUNDS, BRACKET]),
    *([ROUNDS, ROUNDS], [ROUNDS, ROUNDS, BRACKET]),
]


@dataclass
class PlayedEvent:
    """An event with its results, recorded for the site and for the independent calculation."""

    event: Event
    people: dict[int, Registration]
    stages: list[Stage] = field(default_factory=list)
    tables: list[TableResult] = field(default_factory=list)
    entered: list[StageEntry] = field(default_factory=list)
    played_tables: list[PlayedTable] = field(default_factory=list)
    byes: dict[tuple[int, int], set[int]] = field(default_factory=dict)

    @property
    def disqualified(self) -> set[int]:
        gone = Registration.State.DISQUALIFIED
        return {pk for pk, one in self.people.items() if one.state == gone}

    @property
    def results(self) -> StageResults:
        return StageResults(
            self.event, None, self.tables, self.people, stages=self.stages, entered=self.entered
        )

    @property
    def expected_places(self) -> Places:
        """The expected places. Disqualified players who never sat at a table have none."""
        sat = {pk for at in self.played_tables for pk in at.who}
        names = {pk: one.name for pk, one in self.people.items() if pk in sat | self.approved}
        return compute_expected_places(
            self.played_tables, names, self.disqualified & names.keys(), self.byes
        )

    @property
    def approved(self) -> set[int]:
        return self.people.keys() - self.disqualified


@st.composite
def played_events(draw: st.DrawFn) -> PlayedEvent:
    low = draw(st.booleans())
    options: dict[str, str | int | bool] = {"scoring": "lowest"} if low else {}
    event = Event(pk=1, ruleset="uno-400", options=options, state=Event.State.FINISHED)
    count = draw(st.integers(2, 12))
    states = [Registration.State.APPROVED] * 5 + [Registration.State.DISQUALIFIED]
    people = {
        pk: Registration(
            pk=pk, event=event, name=f"Player {pk}", state=draw(st.sampled_from(states))
        )
        for pk in range(1, count + 1)
    }
    found = PlayedEvent(event, people)
    playing = sorted(people)
    for number, kind in enumerate(draw(st.sampled_from(SHAPES)), 1):
        stage = Stage(pk=number, number=number, event=event, format=kind, title=f"Part {number}")
        found.stages.append(stage)
        if number > 1 or kind == BRACKET:
            playing = playing if number == 1 else _draw_advancing_players(draw, playing)
            found.entered += [
                StageEntry(number, pk, pk not in found.disqualified) for pk in playing
            ]
        (_draw_bracket if kind == BRACKET else _draw_rounds)(draw, found, stage, playing)
    return found


def _draw_advancing_players(draw: st.DrawFn, playing: Sequence[int], least: int = 2) -> list[int]:
    """Choose the players who advance at random, regardless of the results."""
    mixed = draw(st.permutations(playing))
    return mixed[: draw(st.integers(min(least, len(mixed)), len(mixed)))]


def _draw_rounds(
    draw: st.DrawFn, event_played: PlayedEvent, stage: Stage, playing: Sequence[int]
) -> None:
    for number in range(1, draw(st.integers(1, 2)) + 1):
        _draw_round(
            draw, event_played, _make_closed_round(stage, number), draw(st.permutations(playing))
        )


def _draw_bracket(
    draw: st.DrawFn, event_played: PlayedEvent, stage: Stage, playing: Sequence[int]
) -> None:
    """Generate the rounds of a bracket. In the final, all remaining players sit at one table."""
    number, still = 1, list(playing)
    while len(still) > 4:
        on = _draw_advancing_players(draw, still)[: len(still) - 1]
        free = set(on[2:][: draw(st.integers(0, 1))])
        played = _make_closed_round(stage, number, byes=tuple(free))
        event_played.byes[stage.number, number] = free
        _draw_round(draw, event_played, played, [pk for pk in still if pk not in free])
        # A player with a bye may leave before the next round.
        left = free if draw(st.booleans()) and len(on) > len(free) + 1 else set()
        number, still = number + 1, [pk for pk in on if pk not in left]
    _draw_table(draw, event_played, _make_closed_round(stage, number, final=True), 1, still)


def _make_closed_round(
    stage: Stage, number: int, *, final: bool = False, byes: tuple[int, ...] = ()
) -> Round:
    return Round(
        pk=stage.number * 100 + number,
        stage=stage,
        number=number,
        is_final=final,
        state=Round.State.CLOSED,
        closed_at=NOW,
        started_at=NOW,
        seating=RoundSeating(byes=byes),
    )


def _draw_round(
    draw: st.DrawFn, event_played: PlayedEvent, round_: Round, players: Sequence[int]
) -> None:
    for first in range(0, len(players), 4):
        _draw_table(draw, event_played, round_, first // 4 + 1, players[first : first + 4])


def _draw_table(
    draw: st.DrawFn, event_played: PlayedEvent, round_: Round, number: int, players: Sequence[int]
) -> None:
    """Generate a table's result with few distinct scores, so that ties are common.

    Some tables have a bot, and some a forfeit.
    """
    table = Table(pk=len(event_played.tables) + 1, round=round_, number=number)
    lost = draw(st.sampled_from([0, 0, 0, *players]))
    holders = [*players, 0] if draw(st.integers(0, 4)) == 0 else list(players)
    points = [draw(st.integers(0, 3)) * 20 for _ in holders]
    seats = [
        Sitting(
            table.pk * 10 + n,
            n,
            pk or None,
            event_played.people.get(pk),
            None,
            pk == lost != 0,
            pk in event_played.disqualified,
        )
        for n, pk in enumerate(holders)
    ]  # fmt: skip
    low, bracket = bool(event_played.event.options), round_.stage.format == BRACKET
    at = TableResult(
        *(table, None, seats, low, "paper"),
        final=True,
        points=points,
        winners=find_best_seats(points, low_wins=low),
    )
    event_played.tables.append(at.apply_forfeits())
    gone = {lost} - {0} | (
        {pk for pk in players if pk in event_played.disqualified} if bracket else set()
    )
    names = tuple(pk or -table.pk for pk in holders)
    where = (round_.stage.number, bracket, round_.number)
    event_played.played_tables.append(
        PlayedTable(*where, names, tuple(points), low, (), frozenset(gone))
    )


@given(played_events())
def test_places_match_the_independent_calculation(event_played: PlayedEvent) -> None:
    placed = places(event_played.results)
    assert {each.player: each.place for each in placed} == event_played.expected_places
    assert [each.place for each in placed] == sorted(each.place for each in placed)
    assert {
        each.player for each in placed if each.out
    } == event_played.disqualified & event_played.expected_places.keys()


@given(played_events())
def test_podium_and_winner_match_the_top_places(event_played: PlayedEvent) -> None:
    results, expected = event_played.results, event_played.expected_places
    first = {pk for pk, place in expected.items() if place == 1} - event_played.disqualified
    won = find_winner(results)
    assert won is None or {one.pk for one in won.shared} == first
    placed = places(results)
    known = {each.player for each in placed if each.row.played or each.first}
    steps = build_podium(results, placed).steps
    assert {one.pk: step.place for step in steps for one in step.people} == {
        pk: place
        for pk, place in expected.items()
        if place <= 3 and pk in known - event_played.disqualified
    }
    assert [each.place for each in leaders(results, placed)] == [
        step.place for step in steps for _one in step.people
    ]
