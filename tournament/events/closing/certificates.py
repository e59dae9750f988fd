"""The places named on certificates, and the verification of certificates."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from tournament.common.moments import day_text
from tournament.models import Certificate, Event, Registration
from tournament.pure.files.certificate import Diploma
from tournament.results.stages import stage_results
from tournament.stages.places import places as event_places

# Certificates name places up to this one.
LAST_NAMED_PLACE = 3


@dataclass(frozen=True)
class CertificateCheck:
    """The result of verifying a certificate.

    * `place`: the place named on the certificate, or None.
    * `when`: the date of the event in words.
    * `state`: "holds", "open" (the results are being corrected) or "withdrawn".
    """

    registration: Registration
    event: Event
    place: int | None
    when: str
    state: str


def find_certified_places(event: Event) -> dict[int, int | None]:
    """Return the place of each player who has played, by registration id.

    Places beyond `LAST_NAMED_PLACE` are None. Disqualified players are left out.
    """
    places_with_matches = [each for each in event_places(stage_results(event)) if each.row.counts]
    qualified = ((each.player, each.place) for each in places_with_matches if not each.out)
    return {player: place if place <= LAST_NAMED_PLACE else None for player, place in qualified}


def verify_certificate(code: str) -> CertificateCheck | None:
    """Verify a certificate by its code. Return None if the code is unknown."""
    certificate = (
        Certificate.objects.filter(code=code).select_related("registration__event").first()
    )
    if certificate is None:
        return None
    registration = certificate.registration
    event = registration.event
    return CertificateCheck(
        registration,
        event,
        certificate.place,
        played_on(event, certificate),
        _find_state(event, certificate),
    )


def _find_state(event: Event, certificate: Certificate) -> str:
    if certificate.withdrawn_at:
        return "withdrawn"
    return "holds" if event.locked_at else "open"


def played_on(event: Event, certificate: Certificate) -> str:
    """Return the day on which the event began, in the event's time zone.

    If the event has no start time, return the day on which the certificate was issued.
    """
    with timezone.override(event.zone):
        return day_text(event.starts_at or certificate.issued_at)


def list_certificates(event: Event) -> Sequence[Certificate]:
    """Return the valid certificates, sorted by named place, then by name.

    Returns [] unless the event's results are locked.
    """
    if not event.locked_at:
        return []
    valid = Certificate.objects.filter(registration__event=event, withdrawn_at__isnull=True)
    rows = valid.select_related("registration__event")
    return sorted(
        rows, key=lambda c: (c.place or LAST_NAMED_PLACE + 1, c.registration.name.casefold())
    )


def make_diploma(certificate: Certificate, address: str) -> Diploma:
    """Return the texts to print on the certificate.

    `address` is the URL of the public page that verifies it.
    """
    event = certificate.registration.event
    place_and_date = ", ".join(filter(None, [event.place, played_on(event, certificate)]))
    return Diploma(
        certificate.registration.name, event.title, certificate.place, place_and_date, address
    )
