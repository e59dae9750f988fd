"""A player's rulings, and the usual next ruling."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from tournament.models import Event, Registration, Round, Ruling, Stage, TableSeat, User

Kind = Ruling.Kind
# The deduction that the form suggests, as most referees give after a second warning.
USUAL_POINTS = 20


def current_stage(event: Event) -> Stage | None:
    """Return the latest stage with a round, or otherwise the first stage."""
    begun = event.stages.filter(rounds__isnull=False).order_by("-number").first()
    return begun or event.stages.order_by("number").first()


def is_seated(registration: Registration) -> bool:
    """Return whether the player has a seat in a published or running round.

    A forfeited seat does not count.
    """
    open_rounds = (Round.State.PUBLISHED, Round.State.RUNNING)
    seats = TableSeat.objects.filter(table__round__state__in=open_rounds)
    is_own = Q(registration=registration, substitute=None) | Q(substitute=registration)
    return seats.filter(is_own, forfeited=False).exists()


def list_free_players(event: Event) -> list[Registration]:
    """Return the players who could take over a seat in play, because they have no seat now."""
    rows = event.registrations.exclude(state__in=Registration.GONE).order_by("name")
    return [row for row in rows if not is_seated(row)]


def rulings_of(event: Event) -> QuerySet[Ruling]:
    """Return all rulings of an event, newest first."""
    rows = event.rulings.select_related(
        "registration", "substitute", "table__round__stage", "given_by", "cancelled_by"
    )
    return rows.order_by("-pk")


@dataclass(frozen=True)
class ConductRecord:
    """A player's rulings, newest first, and a sentence about the usual next ruling."""

    rulings: list[Ruling]
    advice: str


def find_conduct_record(registration: Registration) -> ConductRecord:
    """Return the rulings about this player, including undone rulings."""
    rows = list(rulings_of(registration.event).filter(registration=registration))
    return ConductRecord(rows, _describe_advice([row.kind for row in rows if row.stands]))


def _describe_advice(kinds: list[str]) -> str:
    """Describe the next ruling on the usual scale.

    The scale is caution, warning, point deduction, disqualification.
    """
    if Kind.POINTS in kinds:
        return _("Points have been deducted. The next step would be disqualification.")
    if kinds.count(Kind.WARNING) > 1:
        return _("Warned twice. The next step is a points deduction.")
    if Kind.WARNING in kinds:
        return _("Warned once. A second warning usually means a points deduction.")
    if Kind.CAUTION in kinds:
        return _("Cautioned. The next step is a warning.")
    return ""


def list_own_rulings(registration: Registration) -> list[Ruling]:
    """Return the rulings about the player that are in force, newest first."""
    rows = rulings_of(registration.event).filter(cancelled_at__isnull=True)
    return list(rows.filter(registration=registration))


def find_bot_ruling(event: Event, user: User) -> Ruling | None:
    """Return the ruling by which a bot now plays for this user, or None."""
    rows = event.rulings.filter(kind=Kind.BOT, cancelled_at__isnull=True)
    list_own_rulings = rows.filter(registration__user=user, table__round__state=Round.State.RUNNING)
    return list_own_rulings.order_by("-pk").first()
