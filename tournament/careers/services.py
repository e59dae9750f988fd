"""Opening and closing a player's public page."""

from django.db import transaction

from tournament.models import PublicProfile, User


@transaction.atomic
def choose_public_page(user: User, *, shown: bool, listed: bool) -> PublicProfile | None:
    """Open or close the user's public page.

    A closed page is unavailable immediately, and links to it disappear within seconds.
    """
    if not shown:
        PublicProfile.objects.filter(user=user).delete()
        return None
    profile, _new = PublicProfile.objects.update_or_create(user=user, defaults={"listed": listed})
    return profile
