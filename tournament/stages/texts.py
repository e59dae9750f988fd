"""What the stages of an event are, in words for everybody."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Round, Stage
from tournament.results.unplayed import unplayed
from tournament.stages.cut import rule_of, rule_problem, rule_text
from tournament.stages.planned import planned_rounds
from tournament.stages.qualifying.thresholds import thresholds_text


def stage_text(stage: Stage) -> str:
    """How the stage is played and who goes on, as it is known so far."""
    return text_before(stage, stage.event.stages.filter(number=stage.number + 1).first())


def text_before(stage: Stage, following: Stage | None) -> str:
    """The same where the stage after it is known."""
    bracket = stage.format == Stage.Format.BRACKET
    return _bracket(stage) if bracket else _rounds(stage, following)


def _rounds(stage: Stage, following: Stage | None) -> str:
    closed = stage.state == Stage.State.CLOSED
    begun = stage.rounds.exclude(state=Round.State.DRAFT)
    played = begun.exclude(pk__in=unplayed(stage)).count() if closed else 0
    planned = None if closed else planned_rounds(stage)
    if stage.rotation and not closed:
        return _rotation(planned)
    count = played if planned is None else planned
    text = (_played if closed else _to_play)(count).format(count=count)
    if following is None:
        ends = _("The standings decide.")
    else:
        ends = _went_through(following) if closed else _will_go_through(stage)
    return f"{text} {ends}"


def _rotation(rounds: int | None) -> str:
    if rounds is None:
        return _("Rounds in which everybody has everybody else as partner once.")
    text = ngettext(
        "{count} round in which everybody has everybody else as partner once.",
        "{count} rounds in which everybody has everybody else as partner once.",
        rounds,
    )
    return text.format(count=rounds)


def _played(rounds: int) -> str:
    return ngettext(
        "{count} round that everybody played.", "{count} rounds that everybody played.", rounds
    )


def _to_play(rounds: int) -> str:
    return ngettext(
        "{count} round that everybody plays.", "{count} rounds that everybody plays.", rounds
    )


def _went_through(following: Stage) -> str:
    count = following.qualifiers.count()
    if not count:
        return _("No one advances: the standings decide.")
    text = ngettext("{count} player went through.", "{count} players went through.", count)
    return text.format(count=count)


def _will_go_through(stage: Stage) -> str:
    rule = rule_of(stage)
    if rule_problem(stage):
        return _("How many go through, the organizers say when they know how many took part.")
    if rule.kind == Stage.Rule.THRESHOLDS:
        text = _("How many go through follows from how many take part: {steps}.")
        return text.format(steps=thresholds_text(stage.thresholds))
    # How many it will be is known for a number alone; the other rules are for several.
    count = rule.value if rule.kind == Stage.Rule.NUMBER else 2
    text = ngettext("Then {who} goes through.", "Then {who} go through.", count)
    return text.format(who=rule_text(rule))


def _bracket(stage: Stage) -> str:
    event: Event = stage.event
    final = stage.rounds.filter(is_final=True).first()
    through = stage.qualifiers.filter(active=True).count()
    if through == 1 and not final:
        return _("Nobody is left to play against: who went through has won.")
    if (final and final.number == 1) or (not final and 0 < through <= event.table_size):
        return _("One table: the final.")
    text = ngettext(
        "The best of each table goes on, until one table is left: the final.",
        "The best {count} of each table go on, until one table is left: the final.",
        stage.advance,
    )
    return text.format(count=stage.advance)
