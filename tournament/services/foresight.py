"""What a ruling would lead to: it is done, looked at, and taken back before anybody hears of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Qualifier, Round, Ruling, TableSeat, User
from tournament.queries.conduct import current_stage
from tournament.queries.results import rules_of
from tournament.queries.stage_results import stage_results
from tournament.services import chairs
from tournament.services.locks import lock_event
from tournament.services.rulings import Wanted, foreseen
from tournament.words import listed

Kind = Ruling.Kind


@dataclass(frozen=True)
class Foresight:
    """`sentences` say what happens; `ranks` of the stage that change, as (name, before, after)."""

    sentences: list[str]
    ranks: list[tuple[str, int, int]]


@dataclass(frozen=True)
class _Picture:
    """Ranks by name in the standings of now, and the names of who plays in later stages."""

    ranks: Mapping[str, int]
    later: frozenset[str]


def foresee(event: Event, actor: User, wanted: Wanted, reason: str) -> Foresight:
    """Refused as the ruling itself would be, but for its reason."""
    with transaction.atomic():
        event = lock_event(event)
        before, seat = _picture(event), chairs.chair_of(wanted.registration)
        foreseen(event, actor, wanted, reason)
        after = _picture(event)
        transaction.set_rollback(True)
    return Foresight(
        [*_said(event, wanted, seat), *_moving_up(before, after)],
        [
            (name, before.ranks[name], rank)
            for name, rank in after.ranks.items()
            if before.ranks.get(name, rank) != rank
        ],
    )


def _picture(event: Event) -> _Picture:
    stage = current_stage(event)
    rows = stage_results(stage or event).rows(provisional=True)
    later = Qualifier.objects.filter(stage__event=event, active=True)
    names = later.values_list("registration__name", flat=True)
    return _Picture({row.name: row.rank for row in rows}, frozenset(names))


def _moving_up(before: _Picture, after: _Picture) -> list[str]:
    """Who comes into a later stage, and who is no longer there."""
    told = []
    if gone := sorted(before.later - after.later):
        told.append(_("No longer in the next stage: {names}.").format(names=listed(gone)))
    if came := sorted(after.later - before.later):
        told.append(_("Moves up: {names}.").format(names=listed(came)))
    return told


def _said(event: Event, wanted: Wanted, seat: TableSeat | None) -> list[str]:
    name, table = wanted.registration.name, seat.table if seat else None
    if wanted.kind in Ruling.FROM_REFEREE:
        return _card(wanted, name, at_table=table is not None)
    told = _leaving(event, wanted) if wanted.kind in OUT else []
    if seat is not None and not seat.forfeited and wanted.kind in (*OUT, Kind.FORFEIT):
        told += _given_up(event, seat)
    if wanted.kind == Kind.SUBSTITUTE and wanted.substitute and seat:
        told += _replaced(event, wanted.substitute.name, name, seat)
    if wanted.kind == Kind.BOT:
        text = _("A bot plays for {name} at once, until you or {name} takes the seat back.")
        told.append(text.format(name=name))
    return told


def _card(wanted: Wanted, name: str, *, at_table: bool) -> list[str]:
    told = [_("{name} reads it under “My table”.").format(name=name)]
    if at_table:
        told.append(_("Everybody at the table reads that it was given, not why."))
    if wanted.kind == Kind.POINTS:
        text = ngettext(
            "{points} point counts against {name} in the standings, and stays.",
            "{points} points count against {name} in the standings, and stay.",
            wanted.points,
        )
        told.append(text.format(points=wanted.points, name=name))
    return told


OUT = (Kind.LEAVE, Kind.DISQUALIFY)


def _leaving(event: Event, wanted: Wanted) -> list[str]:
    """What becomes of the place in the event, and of seats that are published."""
    person = wanted.registration
    told = [_out(wanted.kind, event).format(name=person.name)]
    published = person.seats.filter(table__round__state=Round.State.PUBLISHED)
    text = _("{name} still sits at {table}: put the seats right before the round starts.")
    seats = published.select_related("table__round")
    if event.freeze and wanted.kind == Kind.DISQUALIFY:
        told.append(_("The public leaderboard stands still: it tells this with the places."))
    return told + [text.format(name=person.name, table=seat.table) for seat in seats]


def _out(kind: str, event: Event) -> str:
    if kind == Kind.LEAVE:
        return _("{name} is out of the event; results of earlier matches stay.")
    if event.disqualified == Event.Disqualified.LAST:
        return _("{name} is out of the event, at the end of the standings, and lost every match.")
    return _("{name} is out of the event, at the end of the standings; played matches stay.")


def _given_up(event: Event, seat: TableSeat) -> list[str]:
    name = seat.sitter.name if seat.sitter else ""
    if rules_of(event).partners:
        text = _("At {table} a bot plays on for {name}, so that the partner does not lose by it.")
    else:
        text = _(
            "At {table} the seat of {name} draws and passes; the next hands are dealt to the "
            "others alone, where enough of them play."
        )
    gets = _("For the match {name} gets {rule}.")
    rule = Event.Forfeits(event.forfeits).label
    return [
        text.format(table=seat.table, name=name),
        gets.format(name=name, rule=rule),
        _("{name} sees no card any more, from that moment on.").format(name=name),
    ]


def _replaced(event: Event, coming: str, name: str, seat: TableSeat) -> list[str]:
    sits = _("{coming} sits down for {name} at {table} at once, with the same cards.")
    counts = _("The match counts for {name}.")
    if chairs.for_themselves(seat):
        counts = _("The match counts for {coming}, with what the seat has so far.")
    return [
        sits.format(coming=coming, name=name, table=seat.table),
        counts.format(coming=coming, name=name),
        _("Who played which hand is kept and shown with the result."),
    ]
