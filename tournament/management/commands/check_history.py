"""`manage.py check_history`: check that event histories and logs are unaltered."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.models import DeletedEvent, Event, LogAction
from tournament.oversight.desk_log import check_log
from tournament.oversight.history_texts import History, build_history
from tournament.seating.lots import list_lots

# Actions that change texts and names in existing rows of the log.
ANONYMIZING = (LogAction.ANONYMISE, LogAction.PURGE)


class Command(BaseCommand):
    help = (
        "Check the hash chains of event histories and activity logs, and the keys of lots. "
        "List the deleted events."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", nargs="?", help="the event's slug; default: all events")

    def handle(self, *args: Any, slug: str | None, **options: Any) -> None:
        events = Event.objects.order_by("pk")
        chosen = list(events.filter(slug=slug) if slug else events)
        if slug and not chosen:
            raise CommandError(f"There is no event {slug}.")
        wrong = [line for event in chosen for line in self._check_event(event)]
        wrong += [] if slug else self._check_deleted_events()
        if wrong:
            raise CommandError(" ".join(wrong))

    def _check_event(self, event: Event) -> Iterator[str]:
        """Yield a sentence for each problem in the event's history and log."""
        event_history = build_history(event, list(event.history.order_by("number")))
        yield from self._check_public_history(event, event_history)
        yield from self._check_log(event)
        # Keys are checked against commitments in the rows, so the rows must be readable.
        for lot in (
            list_lots(event)
            if event_history.broken is None and not event_history.unreadable
            else ()
        ):
            if not lot.kept:
                yield f"{event.slug}: the key of stage {lot.stage} was exchanged."

    def _check_public_history(self, event: Event, history: History) -> Iterator[str]:
        for number in history.unreadable:
            yield f"{event.slug}: what row {number} says cannot be read."
        if history.broken is not None:
            yield f"{event.slug}: row {history.broken} or one before it was changed."
        elif event.public and not event.history.filter(action=LogAction.PUBLISH_EVENT).exists():
            yield f"{event.slug}: published, and the row that tells so is gone."
        else:
            self.stdout.write(f"{event.slug}: {len(history.rows)} rows hold, head {history.head}")

    def _check_log(self, event: Event) -> Iterator[str]:
        log = check_log(event)
        if log.broken is not None:
            yield f"{event.slug}: row {log.broken} of the log or one before it was changed."
        for number in log.others:
            yield f"{event.slug}: row {number} of the log names another than who did it."
        for number in log.cut:
            yield f"{event.slug}: row {number} of the log, of which the history tells, is gone."
        if log.redacted and not event.history.filter(action__in=ANONYMIZING).exists():
            yield f"{event.slug}: words of the log were changed, and nobody was made nameless."
        if log.broken is None:
            text = f"{event.slug}: {log.rows} rows of the log hold, head {log.head}"
            self.stdout.write(f"{text}; without names: {log.redacted or 'none'}")

    def _check_deleted_events(self) -> Iterator[str]:
        """Print a line about each deleted event, and yield a sentence if the event still exists."""
        for gone in DeletedEvent.objects.order_by("pk"):
            ended = f"{gone.rows} rows to {gone.head}, log {gone.log_rows} to {gone.log_head}"
            self.stdout.write(f"{gone.slug}: deleted on {gone.at:%Y-%m-%d}; {ended}")
            if Event.objects.filter(pk=gone.number).exists():
                yield f"{gone.slug}: noted as deleted, and it is there."
