"""Issuing certificates when results are locked, and withdrawing outdated certificates."""

from django.utils import timezone

from tournament.events.closing.certificates import find_certified_places
from tournament.models import Certificate, Event


def issue_certificates(event: Event) -> int:
    """Issue certificates of the final result, and return the number of valid certificates.

    A certificate stays valid if the player's result is unchanged, because it may have been
    printed. The caller must have locked the event.
    """
    places = find_certified_places(event)
    named_players = event.registrations.filter(anonymous=False)
    places = {pk: places[pk] for pk in named_players.values_list("pk", flat=True) if pk in places}
    unchanged = set()
    valid = Certificate.objects.filter(registration__event=event, withdrawn_at__isnull=True)
    for certificate in valid:
        if (
            certificate.registration_id in places
            and places[certificate.registration_id] == certificate.place
        ):
            unchanged.add(certificate.registration_id)
        else:
            Certificate.objects.filter(pk=certificate.pk).update(withdrawn_at=timezone.now())
    now = timezone.now()
    Certificate.objects.bulk_create(
        Certificate(registration_id=pk, place=place, issued_at=now)
        for pk, place in places.items()
        if pk not in unchanged
    )
    return len(places)
