"""`manage.py restore FILE`: restore the site's database from a backup in one transaction."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from tournament.serving.backups.facts import BackupError
from tournament.serving.backups.services import has_unapplied, restore


class Command(BaseCommand):
    help = "Restore a backup into the site's empty database and compare it with what was saved."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace",
            action="store_true",
            help="replace a database that is not empty, after saving it",
        )

    def handle(self, *, file: Path, replace: bool, **options: object) -> None:
        try:
            manifest = restore(file, replace=replace)
        except (BackupError, OSError) as fault:
            raise CommandError(str(fault)) from None
        self.stdout.write(f"The database is restored to {manifest['at']}; all counts match.")
        if has_unapplied(manifest):
            self.stdout.write("This version has newer migrations: run manage.py migrate.")
