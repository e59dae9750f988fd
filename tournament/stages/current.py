"""The stage in progress: what decides it, and what remains to be played."""

from collections.abc import Iterator

from tournament.models import Event, Round, Stage
from tournament.results.queries import rules_of
from tournament.results.stages import StageResults
from tournament.stages.cut import BEGUN, count_remaining_rounds, count_rounds
from tournament.stages.deciding import (
    describe_advancing,
    describe_knockout,
    describe_last_rounds,
    describe_win,
)
from tournament.stages.line import CutLine, describe_playing, describe_remaining


def describe_current(results: StageResults) -> str:
    """Describe what decides the stage in progress and what remains to be played.

    Returns "" if no stage is in progress. If a cut follows the stage, `CutLine` describes it
    instead.
    """
    stage = _find_current_stage(results)
    if stage is None or stage.state == Stage.State.CLOSED:
        return ""
    stage_results = results.for_stage(stage)
    return " ".join(
        [
            _describe_deciding_rule(stage_results, stage),
            *_describe_remaining_play(stage_results, stage),
        ]
    )


def find_latest_finished_round(results: StageResults, line: CutLine | None) -> Round | None:
    """Return the latest round if it is over and another round follows, or None.

    `line` is the cut line of the stage or event, which shows whether players can advance.
    """
    stage = _find_current_stage(results)
    if stage is None or not results.rounds or any(result.open for result in results.tables):
        return None
    latest = next((each for each in reversed(results.rounds) if each.state in BEGUN), None)
    return latest if latest and _has_later_round(results, stage, line) else None


def _has_later_round(results: StageResults, stage: Stage, line: CutLine | None) -> bool:
    """Return whether another round of the stage or event follows."""
    if stage.state == Stage.State.CLOSED:
        return results.stage is None and _has_later_stage(results, stage)
    if stage.format == Stage.Format.BRACKET:
        return not any(each.is_final and each.state in BEGUN for each in results.rounds)
    if count_remaining_rounds(results.for_stage(stage)):
        return True
    return results.stage is None and line is not None and line.outcome.places > 0


def _find_current_stage(results: StageResults) -> Stage | None:
    """Return the stage of these results, or for a whole event the last stage in use.

    A stage is in use if it has begun or has players.
    """
    if results.event.state != Event.State.RUNNING:
        return None
    if results.stage:
        return results.stage
    begun = {each.stage for each in results.rounds if each.state in BEGUN}
    begun |= {each for each in results.stages if each.number == results.last_entered_stage}
    return max(begun, key=lambda each: each.number, default=None)


def _has_later_stage(results: StageResults, stage: Stage) -> bool:
    return any(each.number > stage.number for each in results.event.stages.all())


def _describe_deciding_rule(results: StageResults, stage: Stage) -> str:
    rules = rules_of(results.event)
    if stage.format == Stage.Format.BRACKET:
        return describe_knockout(stage, first=True)
    if _has_later_stage(results, stage):
        return describe_advancing(stage, rules)
    if stage.number > 1:
        return describe_last_rounds(stage, rules)
    return describe_win(0 if stage.rotation else count_rounds(results), rules.scoring)


def _describe_remaining_play(results: StageResults, stage: Stage) -> Iterator[str]:
    """Yield sentences about the remaining tables and rounds, or none if results are hidden."""
    if results.known_until is not None:
        return
    if playing := [result.table.number for result in results.tables if result.open]:
        yield describe_playing(playing)
    if stage.format == Stage.Format.ROUNDS and (
        remaining_rounds := count_remaining_rounds(results)
    ):
        yield describe_remaining(remaining_rounds)
