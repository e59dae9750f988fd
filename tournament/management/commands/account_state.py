"""`manage.py account_state ADDRESS`: show why an account cannot sign in, with remedies."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from tournament.people.accounts import sign_in_problems


class Command(BaseCommand):
    help = "Print what may keep someone from signing in, and what helps. Changes nothing."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the address they sign in with")

    def handle(self, *, email: str, **options: object) -> None:
        user = sign_in_problems.find_account(email)
        if user is None:
            alike = "".join(
                f"\n  {address}" for address in sign_in_problems.find_similar_addresses(email)
            )
            raise CommandError(
                sign_in_problems.UNKNOWN + (f" Similar addresses:{alike}" if alike else "")
            )
        self.stdout.write(f"{email} is account {user.pk} in the log.")
        for sentence in sign_in_problems.describe_sign_in_state(user, email):
            self.stdout.write(f"  {sentence}")
