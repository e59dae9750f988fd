"""`manage.py find_person WORD …`: show where traces of a person are stored."""

from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournament.privacy.leftover_data import (
    SearchTerms,
    list_old_backups,
    search_database,
    search_files,
)


def parse_moment(text: str) -> datetime:
    """Parse a date, or a date and a time, in the site's time zone."""
    parsed = datetime.fromisoformat(text)
    return parsed if parsed.tzinfo else timezone.make_aware(parsed)


class Command(BaseCommand):
    help = (
        "Search the whole database and every file in the site's folder for words that identify "
        "someone, such as name, address or roll number. Exits with status 1 if any is found."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("words", nargs="+", metavar="WORD")
        parser.add_argument(
            "--deleted",
            type=parse_moment,
            help="when the data was deleted (2026-11-25T18:00); default: now",
        )

    def handle(self, *, words: list[str], deleted: datetime | None, **options: object) -> None:
        terms, folder = SearchTerms(words), Path(settings.VAR_DIR)
        traces = search_database(terms)
        self._print_counts("database", traces)
        files = search_files(terms, folder)
        self._print_counts(str(folder), files)
        self._print_backups(deleted or timezone.now())
        if traces or files:
            raise CommandError(f"Found in {len(traces) + len(files)} places.")

    def _print_counts(self, title: str, traces: Mapping[str, int]) -> None:
        self.stdout.write(f"{title}: " + ("" if traces else "nothing found"))
        for place, count in sorted(traces.items()):
            self.stdout.write(f"  {place}: {count}")

    def _print_backups(self, deleted: datetime) -> None:
        backups = list_old_backups(deleted)
        self.stdout.write("backups from before: " + ("" if backups else "none"))
        for each in backups:
            self.stdout.write(
                f"  {each.path} of {each.made:%Y-%m-%d}, gone by {each.expires_at:%Y-%m-%d}"
            )
