"""For the last superuser who has lost phone and recovery codes: whoever runs the server helps."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from tournament.common.refusals import Refused
from tournament.models import User
from tournament.people.accounts.services import take_off_factors


class Command(BaseCommand):
    help = "Take the second factor off an account; the person is told by mail."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the account's e-mail address")
        parser.add_argument("--reason", required=True, help="goes into the log and the mail")

    def handle(self, *, email: str, reason: str, **options: object) -> None:
        user = User.objects.filter(email=User.objects.normalize_email(email)).first()
        if user is None:
            raise CommandError("No account has this address.")
        try:
            take_off_factors(user, None, reason)
        except Refused as refused:
            raise CommandError(refused.sentence) from None
        self.stdout.write("The second factor is off, and every session has ended.")
