"""Plans of bracket rounds, derived from their tables as drawn or as changed by hand."""

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


def shape_of(stage: Stage) -> brackets.Shape:
    """Return the bracket that the organizer has chosen.

    Refused with: shape.
    """
    try:
        return read.shape_of(stage)
    except brackets.BracketError as error:
        raise RefusedError(Code.SHAPE, str(error)) from error


def describe(round_: Round) -> None:
    """Store the plan of a bracket round, its name and whether it is the final.

    Call with the event locked. Refused with: shape.
    """
    planned = _plan_of(round_)
    round_.is_final = planned is not None and planned.is_final
    round_.name = _name_of(round_, planned) if planned else ""
    plan = planned.sentence(name_round(round_)) if planned else Sentence()
    round_.seating = replace(round_.seating, plan=plan)
    round_.save(update_fields=["is_final", "name", "seating"])


def _name_of(round_: Round, planned: brackets.RoundPlan) -> str:
    """Name a round by its distance from the final if all players stay.

    A name that is already in use is not reused.
    """
    taken = set(round_.stage.rounds.exclude(pk=round_.pk).values_list("name", flat=True))
    try:
        name = NAMES.get(len(_list_rounds_after(planned, round_.stage)), "")
    except brackets.BracketError:
        return ""
    return "" if name in taken else name


def _list_rounds_after(planned: brackets.RoundPlan, stage: Stage) -> tuple[brackets.RoundPlan, ...]:
    """Return the rounds after this one.

    Raises brackets.BracketError.
    """
    if planned.is_final:
        return ()
    return brackets.plan(planned.through, read.shape_of(stage))


def _plan_of(round_: Round) -> brackets.RoundPlan | None:
    """Return the plan derived from the round's tables, or None if the tables are empty."""
    sizes = [len(members) for members in list_seated(round_) if members]
    byes = len(round_.seating.byes)
    shape = shape_of(round_.stage)
    return brackets.plan_tables(sizes, byes, shape) if sizes else None


def path_to_final(stage: Stage) -> list[str]:
    """Describe the rounds of a bracket: drawn ones, then those expected if all stay.

    Refused with: shape, few.
    """
    rounds = list(stage.rounds.order_by("number"))
    coming = _list_coming_rounds(stage, rounds)
    ahead = [each.sentence(name_round(as_called)) for each, as_called in coming]
    return list(map(str, [*(played.seating.plan for played in rounds), *ahead]))


def coming_round(stage: Stage) -> Round:
    """Return the bracket's next round, unsaved, named as it would be if all players stay.

    The round has only its number if the way to the final is not known.
    """
    try:
        return _list_coming_rounds(stage, list(stage.rounds.order_by("number")))[0][1]
    except RefusedError:
        return Round(stage=stage, ordinal=next_ordinal(stage.event))


def _list_coming_rounds(
    stage: Stage, rounds: Sequence[Round]
) -> list[tuple[brackets.RoundPlan, Round]]:
    """Return the plans of the rounds after these, each with its expected name.

    Refused with: shape, few.
    """
    last = _plan_of(rounds[-1]) if rounds else None
    if last and last.is_final:
        return []
    count = last.through if last else _count_entering(stage)
    try:
        plans = brackets.plan(count, shape_of(stage))
    except brackets.BracketError as error:
        raise RefusedError(Code.FEW, str(error)) from error
    taken = {played.name for played in rounds}
    ordinal = next_ordinal(stage.event)
    return [
        (each, make_round(stage, ordinal + place, len(plans) - 1 - place, taken))
        for place, each in enumerate(plans)
    ]


def _count_entering(stage: Stage) -> int:
    """Count the players who begin the bracket.

    In an event's first stage, that is every player with a place.
    """
    if stage.number == 1:
        return stage.event.registrations.filter(state=Registration.State.APPROVED).count()
    return stage.qualifiers.filter(active=True).count()
