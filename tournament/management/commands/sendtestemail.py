"""`manage.py sendtestemail ADDRESS`: show how the mail server responds to the worker.

Django's command of this name uses the older email settings, which this site does not have.
"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand, CommandError

from games.process.next_django import mailer
from tournament.mail.letters import has_no_mail_server

TEXT = "If you can read this, the site can send emails."


class Command(BaseCommand):
    help = "Send one email now, bypassing the queue, and print the mail server's answer."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="recipient")

    def handle(self, *, email: str, **options: object) -> None:
        if has_no_mail_server():
            raise CommandError("No mail server is configured: set EMAIL_HOST.")
        server: Any = settings.MAILERS["default"]["OPTIONS"]
        host = f"{server['host']}:{server['port']}"
        message = EmailMessage(
            "Test email from Lastcard", TEXT, settings.DEFAULT_FROM_EMAIL, [email]
        )
        try:
            mailer().send_messages([message])
        except OSError as error:
            raise CommandError(f"{host} did not accept it: {error!r}") from None
        self.stdout.write(f"{host} accepted it.")
