"""`manage.py check_history`: whether each event's public history is as it was written."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.models import Event
from tournament.oversight.history_texts import history
from tournament.seating.lots import lots


class Command(BaseCommand):
    help = "Check the chain of the public history, and the keys of lots, of one event or of all."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", nargs="?", help="the event's address; all events without")

    def handle(self, *args: Any, slug: str | None, **options: Any) -> None:
        events = Event.objects.order_by("pk")
        chosen = list(events.filter(slug=slug) if slug else events)
        if slug and not chosen:
            raise CommandError(f"There is no event {slug}.")
        wrong = [line for event in chosen for line in self._check(event)]
        if wrong:
            raise CommandError(" ".join(wrong))

    def _check(self, event: Event) -> list[str]:
        """What is wrong, in sentences."""
        found = history(event)
        if found.broken is not None:
            wrong = [f"{event.slug}: row {found.broken} or one before it was changed."]
        else:
            wrong = []
            self.stdout.write(f"{event.slug}: {len(found.rows)} rows hold, head {found.head}")
        exchanged = [each.stage for each in lots(event) if not each.kept]
        return [*wrong, *(f"{event.slug}: the key of stage {n} was exchanged." for n in exchanged)]
