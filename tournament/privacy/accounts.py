"""Deleting unneeded accounts, with their sessions, practice matches and emails."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q, QuerySet

from games.services import delete_practice
from tournament.models import EventRole, Invitation, Letter, Registration, User
from tournament.privacy.queries import make_anonymous_values
from tournament.privacy.scrubbing import Scrubber, scrub_site


def idle_accounts(now: datetime) -> QuerySet[User]:
    """Return the accounts that have no event or role and are past their retention period."""
    if not settings.KEEP_ACCOUNT_DAYS:
        return User.objects.none()
    since = now - timedelta(days=settings.KEEP_ACCOUNT_DAYS)
    unused = Q(last_login__lt=since) | Q(last_login=None, date_joined__lt=since)
    people = User.objects.filter(unused, is_staff=False, is_superuser=False)
    for model in (Registration, EventRole):
        people = people.exclude(Exists(model._default_manager.filter(user=OuterRef("pk"))))
    return people.order_by("pk")


def forget_idle_accounts(now: datetime) -> int:
    """Delete idle accounts, and return their number.

    Accounts that an event's log refers to are kept.
    """
    addresses = [account.email for account in idle_accounts(now) if _try_to_forget(account)]
    if addresses:
        # Other people may have the same name, so only addresses are removed from logs.
        scrub_site(Scrubber(dict.fromkeys(addresses, "–")))
    return len(addresses)


def _try_to_forget(account: User) -> bool:
    try:
        with transaction.atomic():
            forget_account(account)
    except ProtectedError:
        return False
    return True


def forget_account_if_unneeded(account: User) -> bool:
    """Delete the account, unless it belongs to staff, or to a player or helper of an event.

    Returns whether it was deleted.
    """
    needed = account.is_staff or account.is_superuser
    if needed or account.registrations.exists() or account.roles.exists():
        return False
    forget_account(account)
    return True


def _mentions_account(data: Mapping[str, object], account: User) -> bool:
    """Return whether session data mentions the account.

    After a code is requested, the session contains the address although no one is signed in.
    """
    is_signed_in = data.get("_auth_user_id") == str(account.pk)
    return is_signed_in or account.email in json.dumps(data, default=str).casefold()


def forget_account(account: User) -> None:
    """Delete the account with its sessions, practice matches, emails and invitations.

    Raises ProtectedError if other rows still refer to it.
    """
    for session in Session.objects.all().iterator():
        if _mentions_account(session.get_decoded(), account):
            session.delete()
    delete_practice(account)
    Letter.objects.filter(address=account.email).delete()
    Invitation.objects.filter(email=account.email).update(**make_anonymous_values(Invitation, ""))
    account.delete()
