"""`manage.py forget_person ADDRESS`: somebody is forgotten everywhere, and it is proven."""

from argparse import ArgumentParser

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from tournament.common.refusals import Refused
from tournament.models import User
from tournament.privacy.person import forget_person


class Command(BaseCommand):
    help = (
        "Make the person with this account nameless in every event, delete the account, and search "
        "for what is left. Not for organizers; nothing changes where it is refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="the account's e-mail address")
        parser.add_argument("--yes", action="store_true", help="without it nothing is deleted")

    def handle(self, *, address: str, yes: bool, **options: object) -> None:
        account = User.objects.filter(email__iexact=address).first()
        if account is None:
            raise CommandError("There is no account with this address.")
        if not yes:
            count = account.registrations.count()
            raise CommandError(f"It is in {count} events. This cannot be taken back: add --yes.")
        try:
            words = forget_person(account)
        except Refused as refused:
            raise CommandError(f"{refused} ({refused.code})") from None
        self.stdout.write("Deleted. Looking for what is left:")
        call_command("find_person", *words, stdout=self.stdout)
