"""Final places of the players, and verification of certificates."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from tournament.common.moments import day_text
from tournament.models import Certificate, Event, Registration
from tournament.pure.files.certificate import Diploma
from tournament.results.stages import stage_results
from tournament.stages.places import places as event_places

# Up to this place a certificate names it.
PLACED = 3


@dataclass(frozen=True)
class Proof:
    """Information for a visitor who verifies a certificate.

    `state` is holds, open (results are being corrected) or withdrawn. `when` is a date in
    words.
    """

    registration: Registration
    event: Event
    place: int | None
    when: str
    state: str


def places(event: Event) -> dict[int, int | None]:
    """Return the place of every player who has played, by registration.

    Places beyond PLACED are None. Disqualified players are left out.
    """
    played = [each for each in event_places(stage_results(event)) if each.row.played]
    known = ((each.player, each.place) for each in played if not each.out)
    return {player: place if place <= PLACED else None for player, place in known}


def proof(code: str) -> Proof | None:
    """Return the information on a certificate code, or None if there is no such certificate."""
    found = Certificate.objects.filter(code=code).select_related("registration__event").first()
    if found is None:
        return None
    registration = found.registration
    event = registration.event
    return Proof(
        registration, event, found.place, played_on(event, found), _find_state(event, found)
    )


def _find_state(event: Event, certificate: Certificate) -> str:
    if certificate.withdrawn_at:
        return "withdrawn"
    return "holds" if event.locked_at else "open"


def played_on(event: Event, certificate: Certificate) -> str:
    """Return the day on which the event began, in the event's zone.

    If that was not recorded, it is the day on which the certificate was issued.
    """
    with timezone.override(event.zone):
        return day_text(event.starts_at or certificate.issued_at)


def list_certificates(event: Event) -> Sequence[Certificate]:
    """Return the valid certificates, placed ones first and then by name.

    Returns none while the event is unlocked.
    """
    if not event.locked_at:
        return []
    found = Certificate.objects.filter(registration__event=event, withdrawn_at__isnull=True)
    rows = found.select_related("registration__event")
    return sorted(rows, key=lambda c: (c.place or PLACED + 1, c.registration.name.casefold()))


def diploma(certificate: Certificate, address: str) -> Diploma:
    """Return the printable text of the certificate.

    `address` is the public page of the certificate's code.
    """
    event = certificate.registration.event
    where = ", ".join(filter(None, [event.place, played_on(event, certificate)]))
    return Diploma(certificate.registration.name, event.title, certificate.place, where, address)
