"""`manage.py take_off_second_factor ADDRESS`: turn off two-factor authentication for an account.

This helps the last superuser after losing the phone and the recovery codes.
"""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from tournament.common.refusals import RefusedError
from tournament.models import User
from tournament.people.accounts.services import remove_factors


class Command(BaseCommand):
    help = "Turn off two-factor authentication for an account; the person gets an email."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the account's email address")
        parser.add_argument("--reason", required=True, help="appears in the log and the email")

    def handle(self, *, email: str, reason: str, **options: object) -> None:
        user = User.objects.filter(email=User.objects.normalize_email(email)).first()
        if user is None:
            raise CommandError("No account has this address.")
        try:
            remove_factors(user, None, reason)
        except RefusedError as refused:
            raise CommandError(refused.sentence) from None
        self.stdout.write("Two-factor authentication is off, and every session has ended.")
