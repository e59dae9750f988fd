"""Deletion of unneeded accounts with their sessions, practice matches and emails."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q, QuerySet

from games.services import forget_practice
from tournament.models import EventRole, Invitation, Letter, Registration, User
from tournament.privacy.queries import nameless
from tournament.privacy.scrubbing import Scrubber, scrub_site


def idle_accounts(now: datetime) -> QuerySet[User]:
    """Return accounts in no event, without a role, and unused for the site's retention period."""
    if not settings.KEEP_ACCOUNT_DAYS:
        return User.objects.none()
    since = now - timedelta(days=settings.KEEP_ACCOUNT_DAYS)
    unused = Q(last_login__lt=since) | Q(last_login=None, date_joined__lt=since)
    people = User.objects.filter(unused, is_staff=False, is_superuser=False)
    for model in (Registration, EventRole):
        people = people.exclude(Exists(model._default_manager.filter(user=OuterRef("pk"))))
    return people.order_by("pk")


def forget_idle(now: datetime) -> int:
    """Delete idle accounts and return how many.

    An account is kept while an event's log still names it as an actor.
    """
    gone = [account.email for account in idle_accounts(now) if _is_forgotten(account)]
    if gone:
        # Only addresses are scrubbed, because other people may have the same name.
        scrub_site(Scrubber(dict.fromkeys(gone, "–")))
    return len(gone)


def _is_forgotten(account: User) -> bool:
    try:
        with transaction.atomic():
            forget_account(account)
    except ProtectedError:
        return False
    return True


def forget_unneeded(account: User) -> bool:
    """Delete an account unless it is staff, or belongs to a player or helper of an event."""
    needed = account.is_staff or account.is_superuser
    if needed or account.registrations.exists() or account.roles.exists():
        return False
    forget_account(account)
    return True


def _does_mention(data: Mapping[str, object], account: User) -> bool:
    """Return whether session data mentions the account.

    A person who has only requested a code is not signed in, but already appears in the session.
    """
    mine = data.get("_auth_user_id") == str(account.pk)
    return mine or account.email in json.dumps(data, default=str).casefold()


def forget_account(account: User) -> None:
    """Delete the account with its sessions, practice matches, emails and invitations.

    Raises ProtectedError if other rows still refer to the account.
    """
    for session in Session.objects.all().iterator():
        if _does_mention(session.get_decoded(), account):
            session.delete()
    forget_practice(account)
    Letter.objects.filter(address=account.email).delete()
    Invitation.objects.filter(email=account.email).update(**nameless(Invitation, ""))
    account.delete()
