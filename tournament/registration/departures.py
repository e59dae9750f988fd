"""Checking that a player can still leave an event."""

from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import Event, Registration
from tournament.pure.codes import Code


def check_can_leave(event: Event, registration: Registration) -> None:
    """Check that the player has not left yet, and that the winner has not been announced.

    Leaving after the announcement could change the places and even the winner. Raises RefusedError
    with the code `state`.
    """
    check_still_registered(registration)
    has_spot = registration.state == Registration.State.APPROVED
    if has_spot and event.state == Event.State.FINISHED:
        text = _(
            "{event} is over, so players can no longer leave it. The results stay as they are."
        )
        raise RefusedError(Code.STATE, text.format(event=event))


def check_still_registered(registration: Registration) -> None:
    """Check that the player has not left yet.

    Raises RefusedError with the code `state`.
    """
    if registration.state in Registration.GONE:
        state = registration.get_state_display()
        text = _("{name}: already {state}.")
        raise RefusedError(Code.STATE, text.format(name=registration.name, state=state))
