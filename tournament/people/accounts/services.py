"""Actions on accounts: handing over, signing out everywhere, and changes by superusers."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.common.language import use_site_language
from tournament.common.refusals import RefusedError, check_reason
from tournament.mail.notices import MailKind, notify_person
from tournament.models import Event, LogAction, Role, User
from tournament.oversight.audit import record
from tournament.pure.codes import Code
from tournament.site.address import absolute_url


@transaction.atomic
def hand_over_account(user: User, email: str) -> bool:
    """Hand over an account to the owner of its address, at the first sign-in by code.

    A stranger may have created the account with this address. The password, name and look are
    therefore removed, which also ends every session. Returns False, without any change, if the
    address is already confirmed.
    """
    if not EmailAddress.objects.filter(user=user, email=email.lower(), verified=False).exists():
        return False
    user.set_unusable_password()
    user.display_name = user.look = ""
    user.save(update_fields=["password", "display_name", "look"])
    return True


@transaction.atomic
def sign_out_everywhere(user: User) -> None:
    """End every session of the account, and make all its devices unknown again."""
    User.objects.filter(pk=user.pk).update(sign_outs=F("sign_outs") + 1)
    user.refresh_from_db(fields=["sign_outs"])
    sessions = Session.objects.filter(expire_date__gt=timezone.now())
    own = [row.pk for row in sessions if row.get_decoded().get(SESSION_KEY) == str(user.pk)]
    Session.objects.filter(pk__in=own).delete()


@transaction.atomic
def change_account(user: User, actor: User) -> None:
    """Save a superuser's changes to an account.

    Only an account with access to the desk can act as second organizer. A change of that access is
    therefore recorded in the history of each event that the person organizes.
    """
    before = User.objects.select_for_update().get(pk=user.pk)
    user.save()
    has_access = can_enter_desk(user)
    if has_access == can_enter_desk(before):
        return

    def describe_change() -> str:
        text = (
            _("{name} can enter the desk again.")
            if has_access
            else _("{name} can no longer enter the desk.")
        )
        return text.format(name=user)

    for event in Event.objects.filter(roles__user=user, roles__role=Role.OWNER):
        record(
            event,
            actor,
            LogAction.ORGANIZER_ACCOUNT,
            describe_change,
            user=user.pk,
            able=has_access,
        )


def can_enter_desk(user: User) -> bool:
    """Return whether the account may enter the desk."""
    return user.is_active and user.is_staff


@transaction.atomic
def remove_factors(user: User, helper: User | None, reason: str) -> None:
    """Remove the second factors of a user who has lost their phone, and end all their sessions.

    The removal is logged for the account and in each event where the user has a role. The user gets
    an email. `helper` is the superuser who does this, or None for a command on the server. Raises
    RefusedError with the code `no-reason`, `own` or `no-factor`.
    """
    check_reason(reason, _("Give a reason: how did you check this person’s identity?"))
    if helper == user:
        raise RefusedError(
            Code.OWN, _("You can turn off your own two-factor authentication under “Your account”.")
        )
    if not Authenticator.objects.filter(user=user).delete()[0]:
        raise RefusedError(Code.NO_FACTOR, _("This account doesn’t use two-factor authentication."))
    sign_out_everywhere(user)
    _log_removal(user, helper, reason.strip())
    page = absolute_url(reverse("mfa_index"))
    notify_person(user, MailKind.SECOND_FACTOR, helper=helper, reason=reason.strip(), page=page)


def _log_removal(user: User, helper: User | None, reason: str) -> None:
    def describe_removal() -> str:
        return _("Turned off two-factor authentication for {name}.").format(name=user)

    for event in Event.objects.filter(roles__user=user).distinct():
        record(event, helper, LogAction.SECOND_FACTOR, describe_removal, reason, user=user.pk)
    if helper is not None:
        with use_site_language():
            line = f"{describe_removal()} {reason}"
        LogEntry.objects.log_actions(
            helper.pk, [user], CHANGE, change_message=line, single_object=True
        )
