"""Invitations by email to a role in an event.

A person who accepts an invitation becomes staff.
"""

from datetime import timedelta

from allauth.mfa.models import Authenticator
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.mail.notices import MailKind, notify_address
from tournament.models import Event, Invitation, LogAction, Proposal, Role, User
from tournament.oversight.audit import record
from tournament.oversight.second_person import Step, StepRequest, take_step
from tournament.people.eligibility_match import list_verified_addresses
from tournament.people.staff import services as roles
from tournament.pure.codes import Code

State = Invitation.State
OPEN_FOR = timedelta(days=14)
# Maximum number of open invitations per event. There is a limit because the recipients have not
# asked for email.
MAX_OPEN = 10
# Salt for signing the links in the emails.
SALT = "invitation"


def make_answer_link(invitation: Invitation) -> str:
    """Return the URL of the page for answering the invitation, with its signed key."""
    return f"{invitation.page}?to={signing.dumps(invitation.pk, salt=SALT)}"


def find_invited_address(token: str) -> str:
    """Return the email address to which the link with this token was sent.

    Returns "" if the token is invalid or the invitation is no longer open.
    """
    try:
        key = signing.loads(token, salt=SALT, max_age=OPEN_FOR)
    except signing.BadSignature:
        return ""
    invitation = Invitation.objects.filter(pk=key, state=State.OPEN).first()
    return invitation.email if invitation else ""


@transaction.atomic
def invite(
    event: Event, actor: User, email: str, page: str, reason: str, role: str = Role.OWNER
) -> Proposal | None:
    """Invite the owner of an email address to a role in the event.

    `page` is the URL for answering. If the event requires a second organizer, invitations of owners
    and commentators are sent only after that organizer has confirmed them. Raises RefusedError with
    the code `role`, `no-reason`, `email`, `same`, `asked` or `too-many`.
    """
    roles.check_role(role)
    event, email = lock_event(event, settled=True), email.strip().lower()
    _check_new_invitation(event, email, role)
    invitation = Invitation.objects.create(
        event=event, email=email, role=role, page=page, invited_by=actor
    )
    request = StepRequest(event, actor, {"invitation": invitation.pk}, reason)
    if role in roles.GIVE:
        return take_step(INVITE, request)
    roles.check_reason_given(reason)
    _send_invitation(request)
    return None


def _check_new_invitation(event: Event, email: str, role: str) -> None:
    try:
        validate_email(email)
    except ValidationError:
        text = _("“{email}” is not a valid email address.")
        raise RefusedError(Code.EMAIL, text.format(email=email)) from None
    if event.roles.filter(user__email__iexact=email, role=role).exists():
        raise RefusedError(Code.SAME, _("This person already has this role."))
    waiting = event.invitations.filter(state__in=(State.ASKED, State.OPEN))
    waiting = waiting.filter(invited_at__gt=timezone.now() - OPEN_FOR)
    if waiting.filter(email=email).exists():
        raise RefusedError(
            Code.ASKED, _("This address has already been invited. Withdraw that invitation first.")
        )
    if waiting.count() >= MAX_OPEN:
        text = _("{count} invitations are already pending. Withdraw one of them first.")
        raise RefusedError(Code.TOO_MANY, text.format(count=MAX_OPEN))


def _check_invitation_pending(request: StepRequest) -> None:
    if _get_invitation(request).state != State.ASKED:
        raise RefusedError(Code.STATE, _("This invitation is no longer pending."))


def _get_invitation(request: StepRequest) -> Invitation:
    return Invitation.objects.select_related("event").get(pk=request.facts["invitation"])


def _send_invitation(request: StepRequest) -> None:
    invitation = _get_invitation(request)
    _set_state(invitation, State.OPEN)
    mail = {"invitation": invitation, "link": make_answer_link(invitation)}
    notify_address(request.event, invitation.email, MailKind.INVITATION, **mail)

    def describe_invitation() -> str:
        text = _("Invited someone to the event (role: {role}).")
        return text.format(role=invitation.get_role_display())

    data = {"invitation": invitation.pk, "role": invitation.role, "second": bool(request.second)}
    record(
        request.event, request.actor, LogAction.INVITE, describe_invitation, request.reason, **data
    )


def _cancel_request(request: StepRequest) -> str:
    _set_state(_get_invitation(request), State.TAKEN_BACK)
    return ""


INVITE = Step(Proposal.Kind.INVITE, _check_invitation_pending, _send_invitation, _cancel_request)


def select_open_invitations() -> QuerySet[Invitation]:
    """Return the invitations that are neither answered, cancelled nor expired, oldest first."""
    since = timezone.now() - OPEN_FOR
    return Invitation.objects.filter(state=State.OPEN, invited_at__gt=since).order_by("pk")


def filter_invitations_for(invitations: QuerySet[Invitation], user: User) -> QuerySet[Invitation]:
    """Return the invitations to any confirmed address of the user.

    The query also loads their events and senders.
    """
    mine = invitations.filter(email__in=list_verified_addresses(user))
    return mine.select_related("event", "invited_by")


@transaction.atomic
def cancel_invitation(invitation: Invitation, actor: User) -> None:
    """Cancel an unanswered invitation, with immediate effect.

    Raises RefusedError with the code `state` if it is no longer open.
    """
    event = lock_event(invitation.event, settled=True)
    _check_invitation_open(invitation)
    _set_state(invitation, State.TAKEN_BACK)
    text = _("Withdrew an invitation to the event.").format
    record(event, actor, LogAction.INVITE_OFF, text, invitation=invitation.pk)


@transaction.atomic
def accept_invitation(invitation: Invitation, user: User) -> Event:
    """Accept an invitation, make the account staff and return the event.

    The account must have a password or a second factor, because an emailed code alone must not
    open the desk. Raises RefusedError with the code `state`, `not-yours`, `no-proof` or `plays`.
    """
    event = lock_event(invitation.event, settled=True)
    _check_may_answer(invitation, user)
    if not (user.has_usable_password() or Authenticator.objects.filter(user=user).exists()):
        raise RefusedError(Code.NO_PROOF, _describe_requirement())
    _set_state(invitation, State.ACCEPTED)
    user.is_staff = True
    user.save(update_fields=["is_staff"])
    roles.accept_role(event, user, invitation.role)
    return event


def _describe_requirement() -> str:
    return _(
        "The desk requires more than an emailed code. Set a password or turn on "
        "two-factor authentication under “Your account” first, then accept the "
        "invitation."
    )


@transaction.atomic
def decline_invitation(invitation: Invitation, user: User) -> None:
    """Decline the invitation.

    Raises RefusedError with the code `state` or `not-yours`.
    """
    event = lock_event(invitation.event, settled=True)
    _check_may_answer(invitation, user)
    _set_state(invitation, State.DECLINED)
    text = _("An invitation to the event was declined.").format
    record(event, user, LogAction.INVITE_OFF, text, invitation=invitation.pk)


def _check_may_answer(invitation: Invitation, user: User) -> None:
    if invitation.email not in list_verified_addresses(user):
        text = _("This invitation is for a different email address.")
        raise RefusedError(Code.NOT_YOURS, text)
    _check_invitation_open(invitation)


def _check_invitation_open(invitation: Invitation) -> None:
    invitation.refresh_from_db()
    if invitation.state != State.OPEN or invitation.invited_at < timezone.now() - OPEN_FOR:
        raise RefusedError(Code.STATE, _("This invitation is no longer open."))


def _set_state(invitation: Invitation, state: str) -> None:
    invitation.state = state
    invitation.save(update_fields=["state"])
