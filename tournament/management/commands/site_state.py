"""`manage.py site_state`: show the "Site status" page in a terminal, and list stuck tables."""

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.process.db import DATABASE_DOWN
from tournament.common.moments import moment_text
from tournament.serving.state.report import load_site_state
from tournament.serving.state.stuck_tables import find_stuck_tables


class Command(BaseCommand):
    help = "Print the status of the site, what needs attention (!), and which tables are stuck."
    requires_system_checks = []

    def handle(self, **options: object) -> None:
        now = timezone.now()
        try:
            state, tables = load_site_state(now), list(find_stuck_tables(now))
        except DATABASE_DOWN as error:
            raise CommandError(f"The database is not responding: {error}") from None
        self.stdout.write(moment_text(state.at))
        for remark in state.remarks:
            self.stdout.write(f"{'!' if remark.wrong else ' '} {remark.title}: {remark.text}")
        self.stdout.write("Tables that are stuck:" if tables else "No tables are stuck.")
        for table in tables:
            self.stdout.write(f"  {table.name} (match {table.match}): {table.why}.")
