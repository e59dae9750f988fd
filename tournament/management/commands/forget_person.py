"""`manage.py forget_person ADDRESS`: delete a person everywhere, and verify the result."""

from argparse import ArgumentParser

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from tournament.common.refusals import RefusedError
from tournament.models import User
from tournament.privacy.person import forget_person


class Command(BaseCommand):
    help = (
        "Anonymize the person with this account in every event, delete the account, and search "
        "for remaining traces. Not for organizers; changes nothing if refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="the account's email address")
        parser.add_argument("--yes", action="store_true", help="required to delete anything")

    def handle(self, *, address: str, yes: bool, **options: object) -> None:
        account = User.objects.filter(email__iexact=address).first()
        if account is None:
            raise CommandError("There is no account with this address.")
        if not yes:
            count = account.registrations.count()
            raise CommandError(f"It is in {count} events. This cannot be undone: add --yes.")
        try:
            words = forget_person(account)
        except RefusedError as refused:
            raise CommandError(f"{refused} ({refused.code})") from None
        self.stdout.write("Deleted. Searching for remaining traces:")
        call_command("find_person", *words, stdout=self.stdout)
