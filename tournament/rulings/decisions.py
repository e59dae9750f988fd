"""Messages to a table about a player who may be removed, before and after the decision."""

from django.utils.translation import gettext as _

from tournament.models import DeskMessage, Ruling
from tournament.oversight.second_person import AT_ONCE, StepRequest
from tournament.pure.sentences import Sentence, stored_sentence
from tournament.rounds.desk_messages import send_message, withdraw_message

Kind = Ruling.Kind
# Key in `Ruling.before` for the id of the message that is shown until the decision.
NOTICE = "notice"


@stored_sentence("plays_no_more")
def describe_suspension(name: str) -> str:
    """Return the message for a player who cannot play until two organizers have decided."""
    return _("{name} can’t play at this table until the organizers have decided.").format(name=name)


@stored_sentence("plays_on")
def describe_return(name: str) -> str:
    """Return the message for a player who was not removed and can keep playing."""
    text = _("The organizers have decided: {name} stays in the event and can keep playing.")
    return text.format(name=name)


@stored_sentence("keeps_result")
def describe_kept_result(name: str) -> str:
    """Return the message for a player who was not removed and whose match is already over."""
    text = _("The organizers have decided: {name} stays in the event, and this match counts.")
    return text.format(name=name)


@stored_sentence("stays_forfeited")
def describe_lasting_forfeit(name: str) -> str:
    """Return the message for a player who was not removed, but has lost the seat for good."""
    text = _(
        "The organizers have decided: {name} stays in the event, but has forfeited this match."
    )
    return text.format(name=name)


@stored_sentence("was_removed")
def describe_removal(name: str, kind: str) -> str:
    """Return the message that announces a disqualification or removal."""
    text = _("The organizers have decided: {name} is out of the event.")
    if kind == Kind.DISQUALIFY:
        text = _("The organizers have decided: {name} is disqualified.")
    return text.format(name=name)


def announce_pending(request: StepRequest, forfeit: Ruling) -> None:
    """Send the table a message that the decision about the forfeiting player is pending.

    The message is shown until the decision is made.
    """
    name = forfeit.registration.name
    table = forfeit.table
    message = send_message(
        request.event,
        request.actor,
        describe_suspension(name),
        DeskMessage.Audience.TABLE,
        table=table,
        minutes=None,
    )
    forfeit.before = {**forfeit.before, NOTICE: message.pk}
    forfeit.save(update_fields=["before"])


def announce_removal(request: StepRequest, ruling: Ruling) -> None:
    """Tell the table of an immediate forfeit that `ruling` has removed the player."""
    forfeit = Ruling.objects.select_related("table__round").get(pk=request.facts[AT_ONCE])
    announce_decision(
        request, forfeit, describe_removal(ruling.registration.name, str(ruling.kind))
    )


def announce_decision(request: StepRequest, forfeit: Ruling, decision: Sentence) -> None:
    """Replace the message about a pending decision with the decision."""
    end_notice(request, forfeit)
    if forfeit.table is not None:
        audience = DeskMessage.Audience.TABLE
        send_message(
            request.event, request.second or request.actor, decision, audience, table=forfeit.table
        )


def end_notice(request: StepRequest, forfeit: Ruling) -> None:
    """Remove the message about a pending decision if it is still shown."""
    shown = request.event.desk_messages.filter(taken_back_at__isnull=True)
    for message in shown.filter(pk=forfeit.before.get(NOTICE) or 0):
        withdraw_message(message, request.second or request.actor)
