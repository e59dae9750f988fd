"""`manage.py retention`: delete data past its retention date now, or only count it."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournament.privacy import retention


class Command(BaseCommand):
    help = "Delete data past its retention period, as the worker does."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="only count what would be deleted"
        )

    def handle(self, *, dry_run: bool, **options: object) -> None:
        counts = (
            retention.count_expired_data(timezone.now())
            if dry_run
            else retention.delete_expired_data()
        )
        self.stdout.write("would be deleted:" if dry_run else "deleted:")
        for name, count in counts.items():
            self.stdout.write(f"  {name}: {count}")
