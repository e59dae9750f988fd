"""Accounts: whose they are."""

from allauth.account.models import EmailAddress
from django.db import transaction

from tournament.models import User


@transaction.atomic
def hand_over(user: User, email: str) -> bool:
    """Before a first confirmation by a code: the account is whoever's reads the mail.

    Anybody may have named this address. Their password goes, and with it every session; so does
    their name. False where the address has been confirmed: then nothing changes.
    """
    if not EmailAddress.objects.filter(user=user, email=email.lower(), verified=False).exists():
        return False
    user.set_unusable_password()
    user.display_name = ""
    user.save(update_fields=["password", "display_name"])
    return True
