"""Invitations by email to a role in an event; accepting one makes the account staff."""

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
from tournament.oversight.second_person import Step, StepRequest, take
from tournament.people.eligibility_match import verified_addresses
from tournament.people.staff import services as roles
from tournament.pure.codes import Code

State = Invitation.State
OPEN_FOR = timedelta(days=14)
# An event's mails to people who have not asked for any.
MOST_OPEN = 10
# Of the links in the emails.
SALT = "invitation"


def link_to_answer(invitation: Invitation) -> str:
    """Return the address in the email: the answer page, with the invited address in its link."""
    return f"{invitation.page}?to={signing.dumps(invitation.pk, salt=SALT)}"


def invited_address(token: str) -> str:
    """Return the email address to which a link was sent; "" for any other link."""
    try:
        key = signing.loads(token, salt=SALT, max_age=OPEN_FOR)
    except signing.BadSignature:
        return ""
    found = Invitation.objects.filter(pk=key, state=State.OPEN).first()
    return found.email if found else ""


@transaction.atomic
def invite(
    event: Event, actor: User, email: str, page: str, reason: str, role: str = Role.OWNER
) -> Proposal | None:
    """Invite the owner of an email address to a role in the event.

    `page` is the page where the invitation is answered. For owners and commentators, the email
    is sent once a second organizer has confirmed the invitation, if the event has one.
    Refused with: role, no-reason, email, same, asked, too-many.
    """
    roles.check_role(role)
    event, email = lock_event(event, settled=True), email.strip().lower()
    _check_new(event, email, role)
    invitation = Invitation.objects.create(
        event=event, email=email, role=role, page=page, invited_by=actor
    )
    deed = StepRequest(event, actor, {"invitation": invitation.pk}, reason)
    if role in roles.GIVE:
        return take(INVITE, deed)
    roles.check_logged(reason)
    _open(deed)
    return None


def _check_new(event: Event, email: str, role: str) -> None:
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
    if waiting.count() >= MOST_OPEN:
        text = _("{count} invitations are already pending. Withdraw one of them first.")
        raise RefusedError(Code.TOO_MANY, text.format(count=MOST_OPEN))


def _check_asked(deed: StepRequest) -> None:
    if _get_invitation(deed).state != State.ASKED:
        raise RefusedError(Code.STATE, _("This invitation is no longer pending."))


def _get_invitation(deed: StepRequest) -> Invitation:
    return Invitation.objects.select_related("event").get(pk=deed.facts["invitation"])


def _open(deed: StepRequest) -> None:
    invitation = _get_invitation(deed)
    _decide(invitation, State.OPEN)
    mail = {"invitation": invitation, "link": link_to_answer(invitation)}
    notify_address(deed.event, invitation.email, MailKind.INVITATION, **mail)

    def describe_invitation() -> str:
        told = _("Invited someone to the event (role: {role}).")
        return told.format(role=invitation.get_role_display())

    data = {"invitation": invitation.pk, "role": invitation.role, "second": bool(deed.second)}
    record(deed.event, deed.actor, LogAction.INVITE, describe_invitation, deed.reason, **data)


def _drop(deed: StepRequest) -> str:
    _decide(_get_invitation(deed), State.TAKEN_BACK)
    return ""


INVITE = Step(Proposal.Kind.INVITE, _check_asked, _open, _drop)


def open_invitations() -> QuerySet[Invitation]:
    """Return the unexpired invitations without an answer, oldest first."""
    since = timezone.now() - OPEN_FOR
    return Invitation.objects.filter(state=State.OPEN, invited_at__gt=since).order_by("pk")


def to_person(invitations: QuerySet[Invitation], user: User) -> QuerySet[Invitation]:
    """Filter invitations by the user's confirmed addresses.

    The events and the inviting organizers are loaded with them.
    """
    mine = invitations.filter(email__in=verified_addresses(user))
    return mine.select_related("event", "invited_by")


@transaction.atomic
def take_back(invitation: Invitation, actor: User) -> None:
    """Cancel an unanswered invitation immediately. Refused with: state."""
    event = lock_event(invitation.event, settled=True)
    _check_open(invitation)
    _decide(invitation, State.TAKEN_BACK)
    text = _("Withdrew an invitation to the event.").format
    record(event, actor, LogAction.INVITE_OFF, text, invitation=invitation.pk)


@transaction.atomic
def accept(invitation: Invitation, user: User) -> Event:
    """Accept the role, which makes the account staff, and return the event.

    The account needs a password or a second factor first, because an email alone must not open
    the desk.
    Refused with: state, not-yours, no-proof, plays.
    """
    event = lock_event(invitation.event, settled=True)
    _check_answer(invitation, user)
    if not (user.has_usable_password() or Authenticator.objects.filter(user=user).exists()):
        raise RefusedError(Code.NO_PROOF, _describe_requirement())
    _decide(invitation, State.ACCEPTED)
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
def decline(invitation: Invitation, user: User) -> None:
    """Decline the invitation. Refused with: state, not-yours."""
    event = lock_event(invitation.event, settled=True)
    _check_answer(invitation, user)
    _decide(invitation, State.DECLINED)
    text = _("An invitation to the event was declined.").format
    record(event, user, LogAction.INVITE_OFF, text, invitation=invitation.pk)


def _check_answer(invitation: Invitation, user: User) -> None:
    if invitation.email not in verified_addresses(user):
        text = _("This invitation is for a different email address.")
        raise RefusedError(Code.NOT_YOURS, text)
    _check_open(invitation)


def _check_open(invitation: Invitation) -> None:
    invitation.refresh_from_db()
    if invitation.state != State.OPEN or invitation.invited_at < timezone.now() - OPEN_FOR:
        raise RefusedError(Code.STATE, _("This invitation is no longer open."))


def _decide(invitation: Invitation, state: str) -> None:
    invitation.state = state
    invitation.save(update_fields=["state"])
