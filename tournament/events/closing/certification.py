"""Certificates: issued when an event's results are locked, withdrawn when they are outdated."""

from collections.abc import Iterable

from django.utils import timezone

from tournament.events.closing.certificates import places
from tournament.models import Certificate, Event


def issue(event: Event) -> int:
    """Issue certificates of their final result to all players, and return how many are valid.

    Players with the same result as before keep their certificate, which may have been
    printed. Call with the event locked.
    """
    due = places(event)
    known = event.registrations.filter(anonymous=False)
    due = {pk: due[pk] for pk in known.values_list("pk", flat=True) if pk in due}
    kept = set()
    holding = Certificate.objects.filter(registration__event=event, withdrawn_at__isnull=True)
    for found in holding:
        if found.registration_id in due and due[found.registration_id] == found.place:
            kept.add(found.registration_id)
        else:
            _withdraw([found])
    now = timezone.now()
    Certificate.objects.bulk_create(
        Certificate(registration_id=pk, place=place, issued_at=now)
        for pk, place in due.items()
        if pk not in kept
    )
    return len(due)


def _withdraw(certificates: Iterable[Certificate]) -> None:
    keys = [each.pk for each in certificates]
    Certificate.objects.filter(pk__in=keys).update(withdrawn_at=timezone.now())
