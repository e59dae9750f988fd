"""`manage.py sendtestemail ADDRESS`: what the mail server says, as the site's worker asks it.

Django's own command of this name asks the server of older settings, which nobody has written here.
"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand, CommandError

from games.process.next_django import mailer
from tournament.mail.letters import nowhere

TEXT = "If you read this, the site can send mails."


class Command(BaseCommand):
    help = "Send one mail now, past the queue, and say what the mail server answers."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="whom to write to")

    def handle(self, *, email: str, **options: object) -> None:
        if nowhere():
            raise CommandError("There is no mail server in the settings: EMAIL_HOST names it.")
        server: Any = settings.MAILERS["default"]["OPTIONS"]
        host = f"{server['host']}:{server['port']}"
        message = EmailMessage("A mail to try the site", TEXT, settings.DEFAULT_FROM_EMAIL, [email])
        try:
            mailer().send_messages([message])
        except OSError as error:
            raise CommandError(f"{host} does not take it: {error!r}") from None
        self.stdout.write(f"{host} has taken it.")
