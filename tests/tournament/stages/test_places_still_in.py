"""Players who are still in the event after others were eliminated."""

from collections.abc import Mapping

from tournament.models import Event, Registration, Round, Sitting, Stage, Table
from tournament.results.stages import StageEntry, StageResults
from tournament.results.table_result import TableResult
from tournament.stages.places import places

ROUNDS, BRACKET = Stage.Format.ROUNDS, Stage.Format.BRACKET
PLAYER_KEYS = range(1, 9)


def make_played_results(stage: Stage, people: range) -> TableResult:
    """Return the result of the only table in the stage's only round."""
    played = Round(pk=stage.pk, number=1, stage=stage, state=Round.State.CLOSED)
    seats = [Sitting(n, n, pk, None, None, False, False) for n, pk in enumerate(people)]
    points = [100 - pk for pk in people]
    table = Table(pk=stage.pk, number=1, round=played)
    return TableResult(table, None, seats, False, "paper", final=True, points=points, winners=[0])


def list_players_still_in(entered: Mapping[int, int]) -> set[int]:
    """Return the players who are still in an event of three stages and eight players.

    `entered` maps the number of each later stage to the number of players who have advanced to it.
    All stages before the last one in `entered` have been played.
    """
    event = Event(pk=1, ruleset="uno-400", state=Event.State.RUNNING)
    stages = [
        Stage(pk=n, number=n, event=event, format=kind, title=f"Part {n}")
        for n, kind in enumerate((ROUNDS, ROUNDS, BRACKET), 1)
    ]
    state = Registration.State.APPROVED
    people = {
        pk: Registration(pk=pk, event=event, name=f"Player {pk}", state=state) for pk in PLAYER_KEYS
    }
    through = [
        StageEntry(n, pk, True) for n, count in entered.items() for pk in PLAYER_KEYS[:count]
    ]
    counts = {1: len(PLAYER_KEYS), **entered}
    tables = [
        make_played_results(stages[n - 1], PLAYER_KEYS[: counts[n]]) for n in sorted(counts)[:-1]
    ]
    found = places(StageResults(event, None, tables, people, stages=stages, entered=through))
    return {each.player for each in found if each.still_in}


def test_no_player_is_listed_as_still_in_before_the_first_cut() -> None:
    assert list_players_still_in({}) == set()


def test_only_players_of_the_second_stage_are_still_in_during_it() -> None:
    assert list_players_still_in({2: 6}) == {1, 2, 3, 4, 5, 6}


def test_players_who_did_not_reach_the_third_stage_are_no_longer_in() -> None:
    assert list_players_still_in({2: 6, 3: 4}) == {1, 2, 3, 4}
