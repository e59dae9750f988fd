"""What the stages of an event are, in words for everybody."""

from tournament.models import Event, Round, Stage
from tournament.queries.cut import rule_of, rule_problem, rule_text


def stage_text(stage: Stage) -> str:
    """How the stage is played and who goes on, as it is known so far."""
    return _bracket(stage) if stage.format == Stage.Format.BRACKET else _rounds(stage)


def _rounds(stage: Stage) -> str:
    closed = stage.state == Stage.State.CLOSED
    played = stage.rounds.exclude(state=Round.State.DRAFT).count()
    count = played if closed else stage.rounds_planned
    text = f"{count} round{'s'[: count != 1]} that everybody play{'ed' if closed else 's'}."
    following = stage.event.stages.filter(number=stage.number + 1).first()
    if following is None:
        return text
    return f"{text} {_went_through(following) if closed else _will_go_through(stage)}"


def _went_through(following: Stage) -> str:
    count = following.qualifiers.count()
    if not count:
        return "There is no second round: the standings decide."
    return f"{count} player{'s'[: count != 1]} went through."


def _will_go_through(stage: Stage) -> str:
    rule = rule_of(stage)
    if rule.kind == Stage.Rule.THRESHOLDS or rule_problem(stage):
        return "How many go through, the organizers say when they know how many took part."
    one = rule.kind == Stage.Rule.NUMBER and rule.value == 1
    return f"Then {rule_text(rule)} {'goes' if one else 'go'} through."


def _bracket(stage: Stage) -> str:
    event: Event = stage.event
    final = stage.rounds.filter(is_final=True).first()
    through = stage.qualifiers.filter(active=True).count()
    if through == 1 and not final:
        return "Nobody is left to play against: who went through has won."
    if (final and final.number == 1) or (not final and 0 < through <= event.table_size):
        return "One table: the final."
    best = "best" if stage.advance == 1 else f"best {stage.advance}"
    goes = "goes" if stage.advance == 1 else "go"
    return f"The {best} of each table {goes} on, until one table is left: the final."
