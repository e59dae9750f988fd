"""Rulings: what an organizer decides about one player, what it leads to, and taking it back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import services as games
from games.models import Match
from tournament.chain import Facts
from tournament.models import (
    DeskMessage,
    Event,
    Proposal,
    Registration,
    Round,
    Ruling,
    Stage,
    Table,
    User,
)
from tournament.queries.conduct import bot_plays_for, current_stage, seats_taken
from tournament.services import chairs, second
from tournament.services.audit import record, where
from tournament.services.desk_messages import send_message
from tournament.services.errors import Refused, refused_by_play
from tournament.services.identity import check_not_replaced
from tournament.services.language import of_the_site
from tournament.services.locks import lock_event
from tournament.services.notices import notify
from tournament.services.qualifiers import step_up
from tournament.services.registering import go, places_left
from tournament.services.second import Deed, Step, take

Kind = Ruling.Kind
State = Registration.State
VERSION = 1
MOST_POINTS = 1000
# What leads to no card and no seat is told to the person by mail.
MAILED = (Kind.DISQUALIFY, Kind.LEAVE, Kind.SUBSTITUTE, Kind.POINTS)
# The player must be playing for them.
AT_A_TABLE = (Kind.FORFEIT, Kind.SUBSTITUTE, Kind.BOT)
# They take the player out of the event.
OUT = {Kind.LEAVE: State.WITHDRAWN, Kind.DISQUALIFY: State.DISQUALIFIED}


@dataclass(frozen=True)
class Wanted:
    """A ruling as it is asked for; `substitute` takes the seat, `points` are taken off."""

    kind: str
    registration: Registration
    substitute: Registration | None = None
    points: int = 0

    @property
    def facts(self) -> Facts:
        substitute = self.substitute.pk if self.substitute else None
        asked = {"kind": self.kind, "registration": self.registration.pk}
        return {**asked, "substitute": substitute, "points": self.points}


@transaction.atomic
def rule(event: Event, actor: User, wanted: Wanted, reason: str) -> Proposal | None:
    """Decide it at once, or, what is far-reaching, once a second person has confirmed it.

    Refused with: no-reason, state, no-seat, over, paper, points, no-substitute, busy, asked.
    """
    event = lock_event(event)
    _check_reason(reason)
    deed = Deed(event, actor, wanted.facts, reason.strip())
    if _far(deed):
        return take(RULING, deed)
    _check(deed)
    _do(deed)
    return None


def leave(registration: Registration, actor: User) -> None:
    """The player's own wish, in the middle of a round. Refused with: state."""
    with of_the_site():
        reason = _("By the player’s own wish.")
    rule(registration.event, actor, Wanted(Kind.LEAVE, registration), reason)


@transaction.atomic
def come_back(event: Event, user: User) -> None:
    """The player whom a bot plays for sits down again. Refused with: no-bot, later."""
    event = lock_event(event)
    ruling = bot_plays_for(event, user)
    if ruling is None:
        raise Refused("no-bot", _("No bot plays for you now."))
    with of_the_site():
        reason = _("The player is back.")
    deed = Deed(event, user, {"ruling": ruling.pk}, reason)
    _check_back(deed)
    _undo(deed)


def foreseen(event: Event, actor: User, wanted: Wanted, reason: str) -> None:
    """Decide it whoever has to confirm it: for who looks at what follows, and takes it all back."""
    deed = Deed(event, actor, wanted.facts, reason)
    _check(deed)
    _do(deed)


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused("no-reason", _("Please say why; the player reads it."))


def _far(deed: Deed) -> bool:
    """A disqualification; taking out after a cut; points of a stage that is closed."""
    own_wish = _wanted(deed).registration.user_id == deed.actor.pk
    closed = deed.event.stages.filter(state=Stage.State.CLOSED).exists()
    kind = deed.facts["kind"]
    after_cut = kind in (Kind.LEAVE, Kind.POINTS) and closed and not own_wish
    return kind == Kind.DISQUALIFY or after_cut


def _wanted(deed: Deed) -> Wanted:
    people = Registration.objects.select_related("event", "user", "student")
    facts, other = deed.facts, deed.facts["substitute"]
    return Wanted(
        kind=facts["kind"],
        registration=people.get(pk=facts["registration"], event=deed.event),
        substitute=people.get(pk=other, event=deed.event) if other else None,
        points=facts["points"],
    )


def _check(deed: Deed) -> None:
    wanted = _wanted(deed)
    person = wanted.registration
    if person.state in Registration.GONE:
        text = _("{name}: already {state}.")
        raise Refused("state", text.format(name=person.name, state=person.get_state_display()))
    if wanted.kind in AT_A_TABLE:
        chairs.sitting(person)
    if wanted.kind == Kind.POINTS and not 0 < wanted.points <= MOST_POINTS:
        text = _("Please give the points to take off, from 1 to {most}.")
        raise Refused("points", text.format(most=MOST_POINTS))
    if wanted.kind == Kind.SUBSTITUTE:
        _check_free(wanted.substitute)


def _check_free(coming: Registration | None) -> None:
    if coming is None:
        raise Refused("no-substitute", _("Please choose who takes the seat."))
    if coming.state in Registration.GONE or seats_taken(coming):
        text = _("{name} cannot take the seat: {state}, or at a table already.")
        state = coming.get_state_display()
        raise Refused("busy", text.format(name=coming.name, state=state))


def _do(deed: Deed) -> None:
    wanted = _wanted(deed)
    seat = chairs.chair_of(wanted.registration)
    table = seat.table if seat else None
    before = DO[Kind(wanted.kind)](deed, wanted)
    ruling = Ruling.objects.create(
        event=deed.event,
        registration=wanted.registration,
        table=table,
        stage=table.round.stage if table else current_stage(deed.event),
        kind=wanted.kind,
        points=wanted.points,
        substitute=wanted.substitute,
        before={"version": VERSION, **before},
        reason=deed.reason[:300],
        given_by=deed.actor,
    )
    _record(deed, ruling, "ruling")
    if ruling.kind in MAILED:
        _mail(ruling, deed.actor)


def _record(deed: Deed, ruling: Ruling, action: str) -> None:
    def told() -> str:
        text = _("Ruling: {name}, {kind}.")
        if action == "ruling-off":
            text = _("Taken back: {name}, {kind}.")
        return text.format(name=ruling.registration.name, kind=ruling.get_kind_display())

    data = {**_facts(ruling), "second": bool(deed.second)}
    record(deed.event, deed.actor, action, told, deed.reason, **data)


def _facts(ruling: Ruling) -> Facts:
    stage: Facts = {"stage": ruling.stage.number} if ruling.stage else {}
    place = where(ruling.table) if ruling.table else stage
    other = ruling.substitute.pk if ruling.substitute else None
    told = {"ruling": ruling.pk, "registration": ruling.registration.pk, "kind": ruling.kind}
    return {**place, **told, "points": ruling.points, "substitute": other}


def _mail(ruling: Ruling, actor: User) -> None:
    """To whom it concerns, unless they did it themselves."""
    person = ruling.registration
    if ruling.kind == Kind.SUBSTITUTE and ruling.substitute:
        notify(ruling.substitute, "substitute", table=ruling.table, player=person)
    elif person.user_id != actor.pk:
        notify(person, "ruling", ruling=ruling)


# What each kind does; the answer is what taking it back restores.


def _card(deed: Deed, wanted: Wanted) -> Facts:
    """Everybody at the table reads it where a match is being played."""
    seat = chairs.chair_of(wanted.registration)
    if seat and seat.table.match:
        number = games.SeatNumber(seat.number)
        with refused_by_play():
            match = games.note_ruling(seat.table.match, number, wanted.kind, wanted.points)
        if match.phase != Match.Phase.PLAYING:
            _tell_table(deed, wanted, seat.table)
    return {}


def _tell_table(deed: Deed, wanted: Wanted, table: Table) -> None:
    """Between hands no line of play is read: the desk says it."""
    with of_the_site():
        text, kind = _("The referee: {name}, {kind}."), Kind(wanted.kind).label
        told = text.format(name=wanted.registration.name, kind=kind)
        if wanted.points:
            text = ngettext(
                "The referee takes {points} point off {name}.",
                "The referee takes {points} points off {name}.",
                wanted.points,
            )
            told = text.format(name=wanted.registration.name, points=wanted.points)
    send_message(deed.event, deed.actor, told, DeskMessage.Audience.TABLE, table=table)


def _forfeit(_deed: Deed, wanted: Wanted) -> Facts:
    seat = chairs.sitting(wanted.registration)
    chairs.give_up(seat)
    return {"seat": seat.number}


def _bot(_deed: Deed, wanted: Wanted) -> Facts:
    seat = chairs.sitting(wanted.registration)
    chairs.let_a_bot_play(seat)
    return {"seat": seat.number}


def _substitute(_deed: Deed, wanted: Wanted) -> Facts:
    seat = chairs.sitting(wanted.registration)
    assert wanted.substitute is not None
    chairs.substitute(seat, wanted.substitute)
    return {"seat": seat.number}


def _out(deed: Deed, wanted: Wanted) -> Facts:
    """Out of the event; a seat that is being played forfeits."""
    person, facts = wanted.registration, _playing_facts(wanted.registration)
    kept = {"state": person.state, "reason": person.reason, **facts}
    active = person.qualified.filter(active=True)
    notes = {str(each.pk): each.note for each in active}
    came = go(person, OUT[Kind(wanted.kind)], deed.actor, deed.reason)
    return {**kept, "notes": notes, "came": [each.pk for each in came]}


def _playing_facts(person: Registration) -> Facts:
    try:
        seat = chairs.sitting(person)
    except Refused:
        return {}
    chairs.give_up(seat)
    return {"seat": seat.number}


DO: Mapping[Kind, Callable[[Deed, Wanted], Facts]] = {
    Kind.CAUTION: _card,
    Kind.WARNING: _card,
    Kind.POINTS: _card,
    Kind.FORFEIT: _forfeit,
    Kind.BOT: _bot,
    Kind.SUBSTITUTE: _substitute,
    Kind.LEAVE: _out,
    Kind.DISQUALIFY: _out,
}
RULING = Step(second.RULING, _check, _do)


@transaction.atomic
def take_back(ruling: Ruling, actor: User, reason: str) -> Proposal | None:
    """What it changed is as before; the ruling stays, as taken back.

    At once, or, where it was far-reaching, once a second person has confirmed it. Refused with:
    no-reason, state, later, closed, begun, full, taken, asked.
    """
    event = lock_event(ruling.event)
    _check_reason(reason)
    deed = Deed(event, actor, {"ruling": ruling.pk}, reason.strip())
    closed = ruling.stage is not None and ruling.stage.state == Stage.State.CLOSED
    if ruling.kind == Kind.DISQUALIFY or (ruling.kind == Kind.POINTS and closed):
        return take(TAKE_BACK, deed)
    _check_back(deed)
    _undo(deed)
    return None


def _ruling(deed: Deed) -> Ruling:
    rows = Ruling.objects.select_related(
        "registration__user", "substitute__user", "table__round__stage__event", "event"
    )
    return rows.get(pk=deed.facts["ruling"])


def _check_back(deed: Deed) -> None:
    ruling = _ruling(deed)
    if not ruling.stands:
        raise Refused("state", _("This has been taken back already."))
    if ruling.kind in Ruling.FROM_REFEREE:
        return
    table = ruling.table
    if table and "seat" in ruling.before and table.round.state != Round.State.RUNNING:
        text = _("{round} is closed: open it again first, then take this back.")
        raise Refused("closed", text.format(round=table.round))
    later = deed.event.rulings.filter(pk__gt=ruling.pk, cancelled_at__isnull=True)
    if any(_same_seat(ruling, other) for other in later.exclude(kind__in=Ruling.FROM_REFEREE)):
        text = _("Something later was decided about this seat: take that back first.")
        raise Refused("later", text)


def _same_seat(ruling: Ruling, other: Ruling) -> bool:
    here = (ruling.table_id, ruling.before.get("seat"))
    same = "seat" in ruling.before and here == (other.table_id, other.before.get("seat"))
    return same or other.registration_id == ruling.registration_id


def _undo(deed: Deed) -> None:
    ruling = _ruling(deed)
    if ruling.kind in UNDO:
        UNDO[Kind(ruling.kind)](ruling)
    ruling.cancelled_by, ruling.cancelled_at = deed.actor, timezone.now()
    ruling.cancel_reason = deed.reason[:300]
    ruling.save(update_fields=["cancelled_by", "cancelled_at", "cancel_reason"])
    _record(deed, ruling, "ruling-off")


def _seat(ruling: Ruling) -> Any:
    """The seat that it was about, or None."""
    table: Table | None = ruling.table
    if table is None or "seat" not in ruling.before:
        return None
    seats = table.seats.select_related(
        "table__round__stage__event", "table__match", "registration__user", "substitute__user"
    )
    return seats.filter(number=ruling.before["seat"]).first()


def _no_forfeit(ruling: Ruling) -> None:
    if seat := _seat(ruling):
        chairs.take_up(seat)


def _no_bot(ruling: Ruling) -> None:
    if seat := _seat(ruling):
        chairs.let_the_player_play(seat)


def _no_substitute(ruling: Ruling) -> None:
    if seat := _seat(ruling):
        chairs.substitute(seat, ruling.registration)


def _in_again(ruling: Ruling) -> None:
    person, before = ruling.registration, ruling.before
    if before["state"] in Registration.HOLDS_PLACE and places_left(ruling.event) == 0:
        text = _("All places are taken: raise the number of places before {name} comes back.")
        raise Refused("full", text.format(name=person.name))
    check_not_replaced(person)
    person.state, person.reason = before["state"], before["reason"]
    person.save(update_fields=["state", "reason"])
    step_up(person, before["notes"], before["came"])
    _no_forfeit(ruling)


UNDO: Mapping[Kind, Callable[[Ruling], None]] = {
    Kind.FORFEIT: _no_forfeit,
    Kind.BOT: _no_bot,
    Kind.SUBSTITUTE: _no_substitute,
    Kind.LEAVE: _in_again,
    Kind.DISQUALIFY: _in_again,
}
TAKE_BACK = Step(second.RULING_OFF, _check_back, _undo)
