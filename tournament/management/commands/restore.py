"""`manage.py restore FILE`: restore the site's database from a backup in one transaction."""

from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from tournament.serving.backups.facts import BackupError, DifferentDataError, describe_facts
from tournament.serving.backups.services import RestoreResult, has_unapplied_migrations, restore


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
            restored = restore(file, replace=replace)
        except DifferentDataError as fault:
            raise CommandError(str(fault)) from None
        except (BackupError, OSError) as fault:
            raise CommandError(f"NOT RESTORED, nothing has changed: {fault}") from None
        self._print_result(restored)

    def _print_result(self, restored: RestoreResult) -> None:
        manifest = restored.manifest
        at = datetime.fromisoformat(manifest["at"])
        self.stdout.write(
            f"Restored the backup of {at:%Y-%m-%d %H:%M} UTC: {describe_facts(manifest['facts'])}."
            " All of it is as it was saved. Everything after that moment is missing."
        )
        if restored.saved:
            self.stdout.write(f"The data that it replaced is in {restored.saved}.")
        if has_unapplied_migrations(manifest):
            self.stdout.write("Next, run manage.py migrate, because this version is newer.")
        self.stdout.write("Then start the site’s processes again.")
