"""`manage.py account_state ADDRESS`: why somebody may not come in, and what helps."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from tournament.people.accounts import hindrances


class Command(BaseCommand):
    help = "Say what may keep somebody from signing in, and what helps. Nothing is changed."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the address that they sign in with")

    def handle(self, *, email: str, **options: object) -> None:
        user = hindrances.account_of(email)
        if user is None:
            alike = "".join(f"\n  {address}" for address in hindrances.alike(email))
            raise CommandError(hindrances.UNKNOWN + (f" These are alike:{alike}" if alike else ""))
        self.stdout.write(f"{email} is account {user.pk}; the log names it so.")
        for sentence in hindrances.state_of(user, email):
            self.stdout.write(f"  {sentence}")
