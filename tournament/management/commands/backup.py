"""`manage.py backup FILE`: save the whole database to one file, even during play."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from tournament.serving.backups.facts import BackupError, describe_facts
from tournament.serving.backups.services import back_up


class Command(BaseCommand):
    help = "Write the whole database to a file and read it back before giving it its name."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **options: object) -> None:
        try:
            manifest = back_up(file)
        except (BackupError, OSError) as fault:
            raise CommandError(f"NOT BACKED UP: {fault}") from None
        self.stdout.write(f"{file}: {describe_facts(manifest['facts'])}.")
