"""Public descriptions of an event's stages."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Round, Stage
from tournament.pure.qualifying.thresholds import describe_thresholds
from tournament.results.unplayed import find_unplayed_rounds
from tournament.stages.cut import rule_of, rule_problem, rule_text
from tournament.stages.outline import count_planned_rounds
from tournament.stages.winners import is_announced


def stage_text(stage: Stage) -> str:
    """Describe how the stage is played and, if known, who advances.

    The description is in the past tense once the winner is announced.
    """
    return describe_with_following(
        stage, stage.event.stages.filter(number=stage.number + 1).first()
    )


def describe_with_following(stage: Stage, following: Stage | None) -> str:
    """Return the same as `stage_text`, for a caller that has loaded the following stage."""
    bracket = stage.format == Stage.Format.BRACKET
    return _describe_bracket(stage) if bracket else _describe_rounds(stage, following)


def _describe_rounds(stage: Stage, following: Stage | None) -> str:
    announced = is_announced(stage.event)
    closed = announced or stage.state == Stage.State.CLOSED
    begun = stage.rounds.exclude(state=Round.State.DRAFT)
    played = begun.exclude(pk__in=find_unplayed_rounds(stage)).count() if closed else 0
    planned = None if closed else count_planned_rounds(stage)
    if stage.rotation and not closed:
        return _describe_rotation(planned)
    count = played if planned is None else planned
    text = (_describe_played_rounds if closed else _describe_planned_rounds)(count).format(
        count=count
    )
    if following is None:
        ends = _("The standings decided.") if announced else _("The standings decide.")
    else:
        ends = _describe_advanced_players(following) if closed else _describe_advancing(stage)
    return f"{text} {ends}"


def _describe_rotation(rounds: int | None) -> str:
    if rounds is None:
        return _("In these rounds, everyone partners everyone else once.")
    text = ngettext(
        "In {count} round, everyone partners everyone else once.",
        "In {count} rounds, everyone partners everyone else once.",
        rounds,
    )
    return text.format(count=rounds)


def _describe_played_rounds(rounds: int) -> str:
    return ngettext("Everyone played {count} round.", "Everyone played {count} rounds.", rounds)


def _describe_planned_rounds(rounds: int) -> str:
    return ngettext("Everyone plays {count} round.", "Everyone plays {count} rounds.", rounds)


def _describe_advanced_players(following: Stage) -> str:
    count = following.qualifiers.count()
    if not count:
        if is_announced(following.event):
            return _("No one advanced. The standings decided.")
        return _("No one advanced. The standings decide.")
    text = ngettext("{count} player advanced.", "{count} players advanced.", count)
    return text.format(count=count)


def _describe_advancing(stage: Stage) -> str:
    rule = rule_of(stage)
    if rule_problem(stage):
        return _(
            "The organizers will decide how many players advance once they know how many took part."
        )
    if rule.kind == Stage.Rule.THRESHOLDS:
        text = _("How many players advance depends on turnout: {steps}.")
        return text.format(steps=describe_thresholds(stage.thresholds))
    # A percentage always takes the plural form.
    count = 2 if rule.kind == Stage.Rule.SHARE else rule.value
    text = ngettext("Then {who} advances.", "Then {who} advance.", count)
    return text.format(who=rule_text(rule))


def _describe_bracket(stage: Stage) -> str:
    event: Event = stage.event
    final = stage.rounds.filter(is_final=True).first()
    active_count = stage.qualifiers.filter(active=True).count()
    if active_count == 1 and not final:
        return _("No opponents are left, so the only player who advanced has won.")
    announced = is_announced(event)
    if (final and final.number == 1) or (not final and 0 < active_count <= event.table_size):
        if announced:
            return _("There was only one table: the final.")
        return _("There is only one table: the final.")
    if announced:
        return _describe_played_bracket(stage)
    text = ngettext(
        "The winner of each table advances until only the final table is left.",
        "The top {count} of each table advance until only the final table is left.",
        stage.advance,
    )
    return text.format(count=stage.advance)


def _describe_played_bracket(stage: Stage) -> str:
    text = ngettext(
        "The winner of each table advanced until only the final table was left.",
        "The top {count} of each table advanced until only the final table was left.",
        stage.advance,
    )
    return text.format(count=stage.advance)
