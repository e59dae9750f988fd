"""Changes to an event's format: choosing another format, and adding or removing stages."""

from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.events.services import make_stage, make_stages
from tournament.models import Event, LogAction, Round, Stage, User
from tournament.oversight.audit import record
from tournament.pure.codes import Code
from tournament.pure.formats import LATER, READY, StagePlan, summarize_stages
from tournament.pure.texts import clean_text
from tournament.seating.lots import commitment_to

MAX_ROUNDS, MAX_TITLE_LENGTH = 20, 60


@transaction.atomic
def set_format(event: Event, actor: User, key: str) -> Event:
    """Replace the event's stages with those of a ready-made format.

    Rules and settings are kept. After publication, the format cannot be replaced, because players
    have seen the stages and the public history commits to the keys for their draws. Raises
    RefusedError with the code `format` or `published`.
    """
    event = lock_event(event)
    predefined = READY.get(key)
    if predefined is None:
        raise RefusedError(Code.FORMAT, _("Choose a format first."))
    drawn = Round.objects.filter(stage__event=event).exists()
    if event.state != Event.State.DRAFT or drawn:
        text = _("The event is published, so you can no longer choose another format.")
        raise RefusedError(Code.PUBLISHED, text)
    Stage.objects.filter(event=event).delete()
    make_stages(event, predefined.stages)

    def describe_format() -> str:
        return _("Set the format: {summary}.").format(summary=summarize_stages(predefined.stages))

    record(event, actor, LogAction.FORMAT, describe_format)
    return event


@transaction.atomic
def add_stage(
    event: Event,
    actor: User,
    key: str,
    title: str = "",
    rounds: int = 1,
    reason: str = "",
    *,
    seen: int | None = None,
) -> Stage:
    """Add a stage at the end.

    * `key`: "rounds" or "bracket".
    * `rounds`: the number of rounds if `key` is "rounds".
    * `reason`: required in a published event.
    * `seen`: the id of the last stage that the page showed.

    The previous stage's settings determine who advances to the new stage. In a published event,
    the public history commits to the key for the stage's draws. Raises RefusedError with the code
    `format`, `title`, `rounds`, `finished`, `bracket`, `closed`, `changed` or `no-reason`.
    """
    event = lock_event(event)
    plan = _plan_stage(event, key, title, rounds)
    last = check_can_add_stage(event)
    _check_last_stage_unchanged(last, seen)
    _check_reason_given(event, reason)
    stage = make_stage(event, last.number + 1, plan)

    def describe_stage() -> str:
        text = _("Added the stage {title}: {summary}.")
        return text.format(title=stage, summary=summarize_stages([plan]))

    stage_facts = {**_summarize_stage(stage), "lots": commitment_to(stage)}
    record(
        event,
        actor,
        _choose_action(event, LogAction.ADD_STAGE),
        describe_stage,
        reason,
        **stage_facts,
    )
    return stage


def _plan_stage(event: Event, key: str, title: str, rounds: int) -> StagePlan:
    plan = LATER.get(key)
    if plan is None:
        raise RefusedError(Code.FORMAT, _("Choose how the stage is played."))
    title = clean_text(title)
    shown_title = title or Stage(name=plan.name).label
    taken = {stage.label.casefold() for stage in event.stages.all()}
    if len(title) > MAX_TITLE_LENGTH or shown_title.casefold() in taken:
        text = _("Enter a title that no other stage has, with at most {most} characters.")
        raise RefusedError(Code.TITLE, text.format(most=MAX_TITLE_LENGTH))
    if not 1 <= rounds <= MAX_ROUNDS:
        text = _("A stage can have 1 to {most} rounds.")
        raise RefusedError(Code.ROUNDS, text.format(most=MAX_ROUNDS))
    name = "" if title else plan.name
    return replace(plan, title=title, name=name, rounds_planned=rounds if key == "rounds" else 1)


def _summarize_stage(stage: Stage) -> dict[str, object]:
    """Return the facts about a stage for the activity log and the public history."""
    return {"stage": stage.number, "title": stage.title, "name": stage.name}


def check_can_add_stage(event: Event) -> Stage:
    """Return the stage after which another one can be added.

    Raises RefusedError with the code `finished`, `bracket` or `closed`.
    """
    last = _require_last_stage(event)
    if last.format == Stage.Format.BRACKET:
        text = _("{stage} goes on until one player is left, so no stage can follow it.")
        raise RefusedError(Code.BRACKET, text.format(stage=last))
    _check_not_closed(last)
    return last


@transaction.atomic
def remove_stage(event: Event, actor: User, reason: str = "", *, seen: int | None = None) -> Stage:
    """Remove the last stage if nothing has happened in it.

    A published event needs a reason. `seen` is the id of the last stage that the page showed.
    Raises RefusedError with the code `finished`, `only`, `begun`, `closed`, `changed` or
    `no-reason`.
    """
    event = lock_event(event)
    last = check_can_remove_stage(event)
    _check_last_stage_unchanged(last, seen)
    _check_reason_given(event, reason)
    stage_facts = _summarize_stage(last)
    last.delete()
    text = translate_later(gettext_noop("Removed the stage {title}."), title=last)
    record(event, actor, _choose_action(event, LogAction.REMOVE_STAGE), text, reason, **stage_facts)
    return last


def check_can_remove_stage(event: Event) -> Stage:
    """Return the stage that can be removed.

    Raises RefusedError with the code `finished`, `only`, `begun` or `closed`.
    """
    last = _require_last_stage(event)
    previous = event.stages.filter(number=last.number - 1).first()
    if previous is None:
        raise RefusedError(
            Code.ONLY, _("{stage} is the only stage of the event.").format(stage=last)
        )
    if any(rows.exists() for rows in (last.rounds, last.draws, last.qualifiers)):
        text = _(
            "{stage} has already begun: players have advanced to it, or seats have been drawn."
        )
        raise RefusedError(Code.BEGUN, text.format(stage=last))
    _check_not_closed(previous)
    return last


def _require_last_stage(event: Event) -> Stage:
    if event.state == Event.State.FINISHED:
        raise RefusedError(
            Code.FINISHED, _("The winner has been announced, so the stages can no longer change.")
        )
    return event.stages.order_by("number").reverse()[0]


def _check_last_stage_unchanged(last: Stage, seen: int | None) -> None:
    """Check that the last stage is still the one that the page showed.

    This refuses requests that were sent twice or from an outdated page.
    """
    if seen is not None and seen != last.pk:
        raise RefusedError(
            Code.CHANGED,
            _("The stages have changed since you opened this page. Review the stages again."),
        )


def _check_not_closed(stage: Stage) -> None:
    if stage.state == Stage.State.CLOSED:
        text = _("{stage} is closed. Reopen it first, under “Who advances”.")
        raise RefusedError(Code.CLOSED, text.format(stage=stage))


def _choose_action(event: Event, action: LogAction) -> LogAction:
    """Return the action for a published event, or a general format change for a draft.

    The public history begins with the published format, so it does not record earlier changes.
    """
    return action if event.public else LogAction.FORMAT


def _check_reason_given(event: Event, reason: str) -> None:
    if event.public and not reason.strip():
        raise RefusedError(
            Code.NO_REASON, _("The event is published, so give a reason for changing its stages.")
        )
