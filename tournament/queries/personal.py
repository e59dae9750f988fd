"""What an event knows of people, and until when."""

from datetime import datetime, timedelta

from django.db.models import Max

from tournament.models import Event, Letter, Round


def personal_counts(event: Event) -> dict[str, int]:
    """What would be deleted: a dry run."""
    people = event.registrations.filter(anonymous=False)
    return {
        "people": people.count(),
        "students": event.students.count(),
        "imports": event.imports.count(),
        "mails": Letter.objects.filter(event=event).count(),
        "certificates": people.filter(certificates__withdrawn_at__isnull=True)
        .exclude(certificates=None)
        .count(),
    }


def due_at(event: Event) -> datetime | None:
    """When it is deleted by itself; None: never, or not while the event is not over."""
    rounds = Round.objects.filter(stage__event=event).aggregate(last=Max("closed_at"))
    ended = event.locked_at or rounds["last"]
    if event.keep_days is None or ended is None or event.state != Event.State.FINISHED:
        return None
    return ended + timedelta(days=event.keep_days)
