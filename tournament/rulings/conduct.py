"""What was decided about players, and what comes next by custom."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from tournament.models import Event, Registration, Round, Ruling, Stage, TableSeat, User

Kind = Ruling.Kind
# Points that are proposed: what most referees take for a second warning.
USUAL_POINTS = 20


def current_stage(event: Event) -> Stage | None:
    """The stage that is played, or was played last: the latest with a round, else the first."""
    begun = event.stages.filter(rounds__isnull=False).order_by("-number").first()
    return begun or event.stages.order_by("number").first()


def seats_taken(registration: Registration) -> bool:
    """Whether the person sits in a round that is published or being played."""
    open_rounds = (Round.State.PUBLISHED, Round.State.RUNNING)
    seats = TableSeat.objects.filter(table__round__state__in=open_rounds)
    mine = Q(registration=registration, substitute=None) | Q(substitute=registration)
    return seats.filter(mine, forfeited=False).exists()


def free_people(event: Event) -> list[Registration]:
    """Who could take a seat that is being played: registered, and at no table now."""
    rows = event.registrations.exclude(state__in=Registration.GONE).order_by("name")
    return [row for row in rows if not seats_taken(row)]


def rulings_of(event: Event) -> QuerySet[Ruling]:
    """All of an event, the newest first."""
    rows = event.rulings.select_related(
        "registration", "substitute", "table__round__stage", "given_by", "cancelled_by"
    )
    return rows.order_by("-pk")


@dataclass(frozen=True)
class ConductRecord:
    """What stands against a player, the newest first, and the usual next step in a sentence."""

    rulings: list[Ruling]
    advice: str


def record_of(registration: Registration) -> ConductRecord:
    """What was decided about this player and stands, or was taken back."""
    rows = list(rulings_of(registration.event).filter(registration=registration))
    return ConductRecord(rows, _describe_advice([row.kind for row in rows if row.stands]))


def _describe_advice(kinds: list[str]) -> str:
    """The ladder that most referees keep to: caution, warning, points, disqualification."""
    if Kind.POINTS in kinds:
        return _("Points have been deducted. The next step would be disqualification.")
    if kinds.count(Kind.WARNING) > 1:
        return _("Warned twice. The next step is a points deduction.")
    if Kind.WARNING in kinds:
        return _("Warned once. A second warning usually means a points deduction.")
    if Kind.CAUTION in kinds:
        return _("Cautioned. The next step is a warning.")
    return ""


def own_rulings(registration: Registration) -> list[Ruling]:
    """What stands and the player reads on their own page, the newest first."""
    rows = rulings_of(registration.event).filter(cancelled_at__isnull=True)
    return list(rows.filter(registration=registration))


def bot_plays_for(event: Event, user: User) -> Ruling | None:
    """The bot that plays for this person just now."""
    rows = event.rulings.filter(kind=Kind.BOT, cancelled_at__isnull=True)
    mine = rows.filter(registration__user=user, table__round__state=Round.State.RUNNING)
    return mine.order_by("-pk").first()
