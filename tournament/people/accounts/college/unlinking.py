"""Unlinking of a college account, by its owner or (after misuse) by a superuser."""

from typing import NamedTuple

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.utils.translation import gettext as _

from tournament.common.language import use_site_language
from tournament.common.refusals import RefusedError, check_reason
from tournament.mail.notices import MailKind, notify_person
from tournament.models import User
from tournament.people.accounts.assurance import list_second_factors
from tournament.people.accounts.services import sign_out_everywhere
from tournament.pure.codes import Code


class OtherSignInMethods(NamedTuple):
    """The ways to sign in without the college account.

    * `password`: whether the account has a password.
    * `email`: the confirmed address for sign-in codes, or "".
    """

    password: bool
    email: str


def is_linked(user: User) -> bool:
    """Return whether a college account is linked to this account."""
    return bool(SocialAccount.objects.filter(user=user).exists())


def list_other_sign_in_methods(user: User) -> OtherSignInMethods:
    confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary")
    email = confirmed.values_list("email", flat=True).first() or ""
    return OtherSignInMethods(user.has_usable_password(), email)


@transaction.atomic
def unlink_account(user: User, helper: User | None = None, reason: str = "") -> None:
    """Unlink the college account, end all sessions of the account and notify the owner.

    If a superuser does this for the owner, they are the `helper` and must give a reason. Raises
    RefusedError with the code `not-joined` or `last-way`, or for a helper with `no-reason` or
    `own`.
    """
    if helper is not None:
        check_reason(reason, _("Give a reason: how did you check this person’s identity?"))
    if helper == user:
        raise RefusedError(
            Code.OWN, _("You can unlink your own college account under “Your account”.")
        )
    # The lock prevents a simultaneous request from removing the other sign-in methods.
    User.objects.select_for_update().get(pk=user.pk)
    if not SocialAccount.objects.filter(user=user).delete()[0]:
        raise RefusedError(Code.NOT_JOINED, _("No college account is linked to this account."))
    _check_other_methods(user)
    sign_out_everywhere(user)
    if helper is not None:
        _log_unlinking(user, helper, reason.strip())
    notify_person(user, MailKind.COLLEGE_PARTED, helper=helper, reason=reason.strip())


def _check_other_methods(user: User) -> None:
    """Check that there is another way to sign in than the college account.

    Staff need a way that opens the desk. Raises RefusedError with the code `last-way`.
    """
    methods = list_other_sign_in_methods(user)
    if not any(methods):
        text = _(
            "Without the college account, no one could sign in to this account. It needs a "
            "password or a confirmed email address first."
        )
        raise RefusedError(Code.LAST_WAY, text)
    # An emailed code does not open the desk.
    if user.is_staff and not (methods.password or list_second_factors(user)):
        text = _(
            "Without the college account, this account would lose its access to the desk. "
            "It needs a password or two-factor authentication first."
        )
        raise RefusedError(Code.LAST_WAY, text)


def _log_unlinking(user: User, helper: User, reason: str) -> None:
    with use_site_language():
        line = _("Unlinked {name}’s college account.").format(name=user) + f" {reason}"
    LogEntry.objects.log_actions(helper.pk, [user], CHANGE, change_message=line, single_object=True)
