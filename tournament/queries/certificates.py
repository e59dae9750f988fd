"""Who has come to what, and whether a certificate is true."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.dateformat import format as format_date

from tournament.exports.certificate import Diploma
from tournament.models import Certificate, Event, Registration
from tournament.queries.stage_results import StageResults, stage_results
from tournament.queries.winners import winner

# Up to this place a certificate names it.
PLACED = 3
DATE = "j F Y"


@dataclass(frozen=True)
class Proof:
    """What whoever looks a certificate up is told. `state`: holds, open (results are being
    corrected) or withdrawn; `when` is a date in words."""

    registration: Registration
    event: Event
    place: int | None
    when: str
    state: str


def places(event: Event) -> dict[int, int | None]:
    """The place of everybody who has played, by registration, None beyond PLACED."""
    results = stage_results(event)
    came = _last_table(results) or {row.player: row.rank for row in results.rows()}
    announced = winner(event)
    first = {one.pk for one in announced.shared} if announced else set()
    played = [row.player for row in results.rows() if row.played and not row.out]
    return {player: _place(player, came, first) for player in played}


def _place(player: int, came: Mapping[int, int], first: set[int]) -> int | None:
    """The announced winner is first, whoever else leads the standings."""
    if player in first:
        return 1
    place = came.get(player)
    return place if place is not None and 1 < place <= PLACED else None


def _last_table(results: StageResults) -> dict[int, int]:
    """The places at the final, {} where there is none."""
    finals = [at for at in results.tables if at.table.round.is_final and at.final]
    if not finals:
        return {}
    counted = finals[-1].counted()
    return {player: counted.place(player) for player in counted.players}


def proof(code: str) -> Proof | None:
    """What stands behind a code; None: there is no such certificate."""
    found = Certificate.objects.filter(code=code).select_related("registration__event").first()
    if found is None:
        return None
    registration = found.registration
    event = registration.event
    return Proof(registration, event, found.place, played_on(event, found), _state(event, found))


def _state(event: Event, found: Certificate) -> str:
    if found.withdrawn_at:
        return "withdrawn"
    return "holds" if event.locked_at else "open"


def played_on(event: Event, found: Certificate) -> str:
    """The day on which the event began; where nobody wrote that down, of the certificate."""
    return format_date(timezone.localtime(event.starts_at or found.issued_at), DATE)


def held(event: Event) -> Sequence[Certificate]:
    """The certificates that hold, the placed ones first, then by name; none while unlocked."""
    if not event.locked_at:
        return []
    found = Certificate.objects.filter(registration__event=event, withdrawn_at__isnull=True)
    rows = found.select_related("registration__event")
    return sorted(rows, key=lambda c: (c.place or PLACED + 1, c.registration.name.casefold()))


def diploma(found: Certificate, address: str) -> Diploma:
    """What is printed; `address` is the public page of its code."""
    event = found.registration.event
    where = ", ".join(filter(None, [event.place, played_on(event, found)]))
    return Diploma(found.registration.name, event.title, found.place, where, address)
