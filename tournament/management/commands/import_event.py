"""`manage.py import_event FILE`: import an event from its file (docs/moving-an-event.md)."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from tournament.common.refusals import RefusedError
from tournament.exports.transfer.importing import import_event
from tournament.models import User


class Command(BaseCommand):
    help = "Import an event from its file. It may be new here, or return after it was moved."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--by", required=True, help="your email address")

    def handle(self, *, file: Path, by: str, **options: object) -> None:
        actor = User.objects.filter(email=User.objects.normalize_email(by)).first()
        if actor is None:
            raise CommandError("No account has this address.")
        try:
            with file.open("rb") as content:
                event = import_event(content, actor)
        except (OSError, RefusedError) as refused:
            raise CommandError(getattr(refused, "message", str(refused))) from None
        self.stdout.write(f"{event.slug}: journey {event.journey}.")
