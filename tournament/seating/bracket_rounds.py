"""Plans of bracket rounds, derived from their tables and the bracket's settings."""

from collections.abc import Sequence
from dataclasses import replace

from tournament.common.refusals import RefusedError
from tournament.common.round_names import NAMES, make_round, name_round, next_ordinal
from tournament.models import Registration, Round, Stage
from tournament.pure import brackets
from tournament.pure.codes import Code
from tournament.pure.sentences import Sentence
from tournament.seating.queries import list_seated
from tournament.stages import progression as read


def get_bracket_shape(stage: Stage) -> brackets.Shape:
    """Return the organizer's settings for the bracket.

    Raises RefusedError with the code `shape`.
    """
    try:
        return read.get_bracket_shape(stage)
    except brackets.BracketError as error:
        raise RefusedError(Code.SHAPE, str(error)) from error


def store_plan(round_: Round) -> None:
    """Store the plan of a bracket round, its name, and whether it is the final.

    The caller must have locked the event. Raises RefusedError with the code `shape`.
    """
    planned = _derive_plan(round_)
    round_.is_final = planned is not None and planned.is_final
    round_.name = _choose_name(round_, planned) if planned else ""
    plan = planned.sentence(name_round(round_)) if planned else Sentence()
    round_.seating = replace(round_.seating, plan=plan)
    round_.save(update_fields=["is_final", "name", "seating"])


def _choose_name(round_: Round, planned: brackets.RoundPlan) -> str:
    """Return the round's name by its distance from the final, assuming that no player leaves.

    Returns "" if the distance is unknown, or if another round has the name.
    """
    used_names = set(round_.stage.rounds.exclude(pk=round_.pk).values_list("name", flat=True))
    try:
        name = NAMES.get(len(_list_rounds_after(planned, round_.stage)), "")
    except brackets.BracketError:
        return ""
    return "" if name in used_names else name


def _list_rounds_after(planned: brackets.RoundPlan, stage: Stage) -> tuple[brackets.RoundPlan, ...]:
    """Return the rounds after this one. Raises `brackets.BracketError`."""
    if planned.is_final:
        return ()
    return brackets.plan_bracket(planned.through, read.get_bracket_shape(stage))


def _derive_plan(round_: Round) -> brackets.RoundPlan | None:
    """Return the plan that follows from the round's tables, or None if they are empty."""
    sizes = [len(members) for members in list_seated(round_) if members]
    byes = len(round_.seating.byes)
    shape = get_bracket_shape(round_.stage)
    return brackets.plan_tables(sizes, byes, shape) if sizes else None


def describe_path_to_final(stage: Stage) -> list[str]:
    """Describe the drawn rounds of a bracket, then its future rounds if no player leaves.

    Raises RefusedError with the code `shape` or `few`.
    """
    rounds = list(stage.rounds.order_by("number"))
    coming_rounds = _list_coming_rounds(stage, rounds)
    expected = [each.sentence(name_round(expected_round)) for each, expected_round in coming_rounds]
    return list(map(str, [*(played.seating.plan for played in rounds), *expected]))


def make_next_bracket_round(stage: Stage) -> Round:
    """Return the bracket's next round, unsaved. Its name assumes that no player leaves.

    If the rounds up to the final cannot be determined, the round has no name.
    """
    try:
        return _list_coming_rounds(stage, list(stage.rounds.order_by("number")))[0][1]
    except RefusedError:
        return Round(stage=stage, ordinal=next_ordinal(stage.event))


def _list_coming_rounds(
    stage: Stage, rounds: Sequence[Round]
) -> list[tuple[brackets.RoundPlan, Round]]:
    """Return the plans of the rounds after these, each with the expected round.

    Raises RefusedError with the code `shape` or `few`.
    """
    last = _derive_plan(rounds[-1]) if rounds else None
    if last and last.is_final:
        return []
    count = last.through if last else _count_entering(stage)
    try:
        plans = brackets.plan_bracket(count, get_bracket_shape(stage))
    except brackets.BracketError as error:
        raise RefusedError(Code.FEW, str(error)) from error
    used_names = {played.name for played in rounds}
    ordinal = next_ordinal(stage.event)
    return [
        (each, make_round(stage, ordinal + place, len(plans) - 1 - place, used_names))
        for place, each in enumerate(plans)
    ]


def _count_entering(stage: Stage) -> int:
    """Count the players at the start of the bracket."""
    if stage.number == 1:
        return stage.event.registrations.filter(state=Registration.State.APPROVED).count()
    return stage.qualifiers.filter(active=True).count()
