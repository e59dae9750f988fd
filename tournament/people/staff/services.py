"""Changes to the roles of people in an event.

Changes to owners and the appointment of commentators may need a second organizer. Other changes do
not.
"""

from collections.abc import Callable

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import Event, LogAction, Proposal, Role, User
from tournament.oversight.audit import record
from tournament.oversight.second_person import StepRequest
from tournament.people.staff import organizers
from tournament.pure.codes import Code

Change = Callable[[Event, User, User, str], Proposal | None]


@transaction.atomic
def give_role(event: Event, actor: User, user: User, role: str, reason: str) -> Proposal | None:
    """Give a role to a staff member, or return the proposal for a second organizer.

    Raises RefusedError with the code `role`, `no-reason`, `no-staff`, `plays`, `same` or `asked`.
    """
    check_role(role)
    return GIVE.get(role, _make_role_giver(role))(event, actor, user, reason)


@transaction.atomic
def remove_role(event: Event, actor: User, user: User, role: str, reason: str) -> Proposal | None:
    """Remove a role from a staff member, or return the proposal for a second organizer.

    Raises RefusedError with the code `role`, `no-reason`, `same`, `last` or `asked`.
    """
    check_role(role)
    return REMOVE.get(role, _make_role_remover(role))(event, actor, user, reason)


@transaction.atomic
def change_role(
    event: Event, actor: User, user: User, role: str, to: str, reason: str
) -> Proposal | None:
    """Replace a person's role with another one.

    If the new role needs confirmation, return the proposal and keep the old role. Raises
    RefusedError with the code `role`, `no-reason`, `no-staff`, `plays`, `same`, `last` or `asked`.
    """
    proposal = give_role(event, actor, user, to, reason)
    return proposal or remove_role(event, actor, user, role, reason)


def check_role(role: str) -> None:
    """Check that the role exists. Raises RefusedError with the code `role`."""
    if role not in Role.values:
        raise RefusedError(Code.ROLE, _("Choose a role first."))


def _make_role_giver(role: str) -> Change:
    def change(event: Event, actor: User, user: User, reason: str) -> None:
        event = lock_event(event, settled=True)
        check_reason_given(reason)
        organizers.check_staff(user)
        if event.roles.filter(user=user, role=role).exists():
            text = _("{user} already has this role.")
            raise RefusedError(Code.SAME, text.format(user=user))
        add_role(event, actor, user, role, reason)

    return change


def add_role(event: Event, actor: User, user: User, role: str, reason: str = "") -> None:
    """Store the role and write it to the log. The caller must have locked the event."""
    event.roles.get_or_create(user=user, role=role)

    def describe_role() -> str:
        return _("{user} now has the role “{role}” in the event.").format(
            user=user, role=Role(role).label
        )

    record(event, actor, LogAction.ROLE, describe_role, reason, user=user.pk, role=role, add=True)


def _make_role_remover(role: str) -> Change:
    def change(event: Event, actor: User, user: User, reason: str) -> None:
        event = lock_event(event, settled=True)
        check_reason_given(reason)
        taken, _rows = event.roles.filter(user=user, role=role).delete()
        if not taken:
            raise RefusedError(Code.SAME, _("{user} does not have this role.").format(user=user))

        def describe_removal() -> str:
            text = _("{user} no longer has the role “{role}” in the event.")
            return text.format(user=user, role=Role(role).label)

        record(
            event,
            actor,
            LogAction.ROLE_OFF,
            describe_removal,
            reason,
            user=user.pk,
            role=role,
            add=False,
        )

    return change


def check_reason_given(reason: str) -> None:
    """Check that a reason was given for the log.

    Raises RefusedError with the code `no-reason`.
    """
    check_reason(reason, _("Give a reason. It will be kept in the log."))


def accept_role(event: Event, user: User, role: str) -> None:
    """Give the user the role from an accepted invitation.

    The caller must have locked the event. Raises RefusedError with the code `plays`.
    """
    ACCEPT.get(role, _accept_other_role)(event, user, role)


def _accept_other_role(event: Event, user: User, role: str) -> None:
    add_role(event, user, user, role)


def _accept_owner(event: Event, user: User, role: str) -> None:
    event.roles.get_or_create(user=user, role=role)
    text = translate_later(
        gettext_noop("{user} has accepted an invitation and now organizes the event."), user=user
    )
    record(event, user, LogAction.ORGANIZER, text, user=user.pk, add=True)


def _accept_commentator(event: Event, user: User, _role: str) -> None:
    organizers.make_commentator(StepRequest(event, user, {"user": user.pk}, ""))


ACCEPT: dict[str, Callable[[Event, User, str], None]] = {
    Role.OWNER: _accept_owner,
    Role.COMMENTATOR: _accept_commentator,
}
GIVE: dict[str, Change] = {
    Role.OWNER: organizers.add_organizer,
    Role.COMMENTATOR: organizers.appoint_commentator,
}
REMOVE: dict[str, Change] = {
    Role.OWNER: organizers.remove_organizer,
    Role.COMMENTATOR: organizers.remove_commentator,
}
