"""Descriptions of the current state, for organizers who acted on an outdated page."""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.refusals import RefusedError
from tournament.models import Event, LogAction, Round, Stage
from tournament.oversight.log import mentions_round
from tournament.pure.chain import Facts
from tournament.pure.codes import Code

State = Round.State
SentencesByAction = Mapping[LogAction, str]

# Sentences about a round, by its state and by the action that led to the state.
ROUND_SENTENCES: Mapping[str, SentencesByAction] = {
    State.DRAFT: {
        LogAction.SEAT: gettext_noop("The seats for {what} were drawn by {name} at {time}."),
        LogAction.UNPUBLISH: gettext_noop(
            "The seats for {what} were withdrawn by {name} at {time}."
        ),
    },
    State.PUBLISHED: {
        LogAction.PUBLISH: gettext_noop("{what} was published by {name} at {time}."),
        LogAction.UNSTART: gettext_noop("The start of {what} was undone by {name} at {time}."),
    },
    State.RUNNING: {
        LogAction.START: gettext_noop("{what} was started by {name} at {time}."),
        LogAction.REOPEN_ROUND: gettext_noop("{what} was reopened by {name} at {time}."),
    },
    State.CLOSED: dict.fromkeys(
        (LogAction.CLOSE, LogAction.CLOSE_EARLY),
        gettext_noop("{what} was closed by {name} at {time}."),
    ),
}
STAGE_SENTENCES: Mapping[str, SentencesByAction] = {
    Stage.State.CLOSED: {
        LogAction.QUALIFY: gettext_noop(
            "The players advancing from {what} were confirmed by {name} at {time}."
        )
    },
    Stage.State.OPEN: {
        LogAction.UNDO_QUALIFY: gettext_noop("{what} was reopened by {name} at {time}.")
    },
}
EVENT_SENTENCES: Mapping[str, SentencesByAction] = {
    Event.State.FINISHED: {
        LogAction.WINNER: gettext_noop("The winner of {what} was announced by {name} at {time}.")
    },
    Event.State.RUNNING: {
        LogAction.REOPEN: gettext_noop(
            "The announcement of the winner of {what} was undone by {name} at {time}."
        )
    },
}


def check_round_state(round_: Round, state: str) -> None:
    """Check that the round is in this state.

    The caller must have locked the event. Raises RefusedError with the code `state`, and a
    description of the current state.
    """
    if round_.state != state:
        raise RefusedError(Code.STATE, describe_round_change(round_))


def describe_round_change(round_: Round) -> str:
    """Describe the round's current state, with the person and time of the last change."""
    return _describe_current_state(
        round_.stage.event, ROUND_SENTENCES, round_, lambda facts: mentions_round(facts, round_)
    )


def describe_stage_change(stage: Stage) -> str:
    """Describe the stage's current state, with the person and time of the last change."""
    return _describe_current_state(
        stage.event, STAGE_SENTENCES, stage, lambda facts: facts.get("stage") == stage.number
    )


def describe_event_change(event: Event) -> str:
    """Describe the event's state, and who announced the winner or reopened the event, and when."""
    return _describe_current_state(event, EVENT_SENTENCES, event, lambda _facts: True)


def _describe_current_state(
    event: Event,
    texts: Mapping[str, SentencesByAction],
    scope: Round | Stage | Event,
    concerns: Callable[[Facts], bool],
) -> str:
    """Describe the current state with the last log entry that led to it.

    * `texts`: the sentences by state and action.
    * `concerns`: a function that returns whether the facts of an entry are about `scope`.

    If there is no such entry, only the state is described.
    """
    sentences = texts.get(scope.state, {})
    rows = event.audit.filter(action__in=list(sentences)).select_related("actor").order_by("-pk")
    entry = next((row for row in rows.iterator() if concerns(row.data)), None)
    if entry is None:
        return _("{what} is now {state}.").format(what=scope, state=scope.get_state_display())
    name = entry.actor or _("the site")
    text = _(sentences[LogAction(entry.action)])
    return text.format(what=scope, name=name, time=_format_time(event, entry.at))


def _format_time(event: Event, time: datetime) -> str:
    """Format a time in the event's time zone, with the date if it was on another day."""
    local, now = (timezone.localtime(moment, event.zone) for moment in (time, timezone.now()))
    return format_date(local, "H:i" if local.date() == now.date() else "H:i, j F")
