"""Changes to drawn seats, by hand or as repairs for missing players."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.language import use_site_language
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import LogAction, Registration, Round, Stage, Table, TableSeat, User
from tournament.oversight.audit import record, where
from tournament.pure import arrangement
from tournament.pure.arrangement.repairs import Repair, repair
from tournament.pure.codes import Code
from tournament.pure.texts import whole
from tournament.results.queries import rules_of
from tournament.seating.bracket_rounds import describe
from tournament.seating.mails import notify_seats
from tournament.seating.queries import list_seated, problem_of
from tournament.seating.services import check_seen, fill, members_of, publish_round, reseat

# A sentence for the log, to be put into words, and what it is filled with.
Told = tuple[str, Mapping[str, object]]
# A player and the destination: `table:3`, `swap:<registration pk>`, `new`, `out` or, in a
# bracket, `bye`.
Move = tuple[Registration, str]


def change_seats(
    played: Round,
    actor: User,
    registration: Registration,
    target: str,
    reason: str = "",
    *,
    seen: str | None = None,
) -> Round:
    """Move one player by hand. Refused as `arrange`."""
    return arrange(played, actor, [(registration, target)], reason, seen=seen)


@transaction.atomic
def arrange(
    played: Round, actor: User, moves: Sequence[Move], reason: str = "", *, seen: str | None = None
) -> Round:
    """Move players by hand, one after another; either all moves are made or none.

    A published round needs a reason. Refused with: running, no-reason, changed, target, same,
    shape.
    """
    event = lock_event(played.stage.event, played)
    _check_changeable(played)
    _check_reason(played, reason)
    check_seen(played.stage, played.number, seen)
    changes = _move(played, moves)
    notify_seats(played)

    def describe_changes() -> str:
        return _describe_changed(played, [_(text).format(**filling) for text, filling in changes])

    record(event, actor, LogAction.CHANGE_SEATS, describe_changes, reason, **where(played))
    return played


def publish_arranged(
    played: Round, actor: User, moves: Sequence[Move], reason: str = "", *, seen: str | None = None
) -> Round:
    """Save these moves of a draft and publish it, with no other seat change in between.

    Refused as `arrange` and `publish_round`. If publishing is refused, the moves are still
    saved.
    """
    with transaction.atomic():
        changed = arrange(played, actor, moves, seen=seen)
        try:
            return publish_round(changed, actor, reason)
        except RefusedError as refused:
            why = refused
    text = _("The changes were saved, but the seats have not been published. {why}")
    raise RefusedError(why.code, text.format(why=why.sentence)) from why


def _move(played: Round, moves: Sequence[Move]) -> list[Told]:
    if not moves:
        raise RefusedError(Code.TARGET, _("Choose the player to move and where to move them."))
    return [_move_player(played, registration, target) for registration, target in moves]


def _move_player(played: Round, registration: Registration, target: str) -> Told:
    kind, _colon, value = target.partition(":")
    ways = {
        "table": _to_table,
        "swap": _swap,
        "new": _to_new_table,
        "out": _move_out,
        "bye": _give_bye,
    }
    if kind not in ways:
        raise RefusedError(Code.TARGET, _("Choose where to seat the player."))
    told = ways[kind](played, registration, value)
    _note_change(played)
    return told


def _describe_changed(played: Round, changes: Sequence[str]) -> str:
    """Describe the changes, and the new plan of a bracket round."""
    told = " ".join([*changes, str(played.seating.plan)]).strip()
    return _("{round}: {changes}").format(round=played, changes=told)


def _check_changeable(played: Round) -> None:
    if played.state not in (Round.State.DRAFT, Round.State.PUBLISHED):
        text = _("{round} has started, so its seats can no longer change.")
        raise RefusedError(Code.RUNNING, text.format(round=played))


def _check_reason(played: Round, reason: str) -> None:
    if played.state == Round.State.PUBLISHED and not reason.strip():
        raise RefusedError(
            Code.NO_REASON, _("The seats are published, so say why they are being changed.")
        )


def _seat_of(played: Round, registration: Registration) -> TableSeat | None:
    seats = TableSeat.objects.filter(table__round=played, registration=registration)
    return seats.select_related("table").first()


def _leave(played: Round, registration: Registration) -> None:
    if seat := _seat_of(played, registration):
        reseat(seat.table, [pk for pk in members_of(seat.table) if pk != registration.pk])


def _to_table(played: Round, registration: Registration, number: str) -> Told:
    table = played.tables.filter(number=whole(number) or 0).first()
    if table is None:
        text = _("{round} has no table {number}.")
        raise RefusedError(Code.TARGET, text.format(round=played, number=number))
    seat = _seat_of(played, registration)
    if seat and seat.table == table:
        text = _("{name} is already at table {number}.")
        raise RefusedError(Code.SAME, text.format(name=registration.name, number=number))
    members = members_of(table)
    most = rules_of(played.stage.event).max_seats
    if len(members) >= most:
        text = _("Table {number} already has {most} players. Swap seats instead.")
        raise RefusedError(Code.TARGET, text.format(number=number, most=most))
    _leave(played, registration)
    reseat(table, [*members, registration.pk])
    filling = {"name": registration.name, "number": number}
    return gettext_noop("{name} moved to table {number}."), filling


def _to_new_table(played: Round, registration: Registration, _value: str) -> Told:
    _leave(played, registration)
    table = Table.objects.create(round=played, number=_find_highest_number(played) + 1)
    reseat(table, [registration.pk])
    filling = {"name": registration.name, "number": table.number}
    return gettext_noop("{name} moved to a new table, table {number}."), filling


def _move_out(played: Round, registration: Registration, _value: str) -> Told:
    byes = played.seating.byes
    if _seat_of(played, registration) is None and registration.pk not in byes:
        text = _("{name} has no seat in this round.")
        raise RefusedError(Code.SAME, text.format(name=registration.name))
    _leave(played, registration)
    out = {*played.seating.out, registration.pk}
    byes = tuple(pk for pk in byes if pk != registration.pk)
    played.seating = replace(played.seating, out=tuple(sorted(out)), byes=byes)
    return gettext_noop("{name} sits out this round."), {"name": registration.name}


def _give_bye(played: Round, registration: Registration, _value: str) -> Told:
    """Give a bye to a player at a table of a bracket round, to advance without playing."""
    byes = played.seating.byes
    if played.stage.format != Stage.Format.BRACKET or registration.pk in byes:
        raise RefusedError(
            Code.TARGET, _("Only a player seated at a bracket table can have a bye.")
        )
    _leave(played, registration)
    if not any(list_seated(played)):
        text = _(
            "No opponents would be left. If {name} has won without playing, withdraw the "
            "other players, then announce the winner."
        )
        raise RefusedError(Code.TARGET, text.format(name=registration.name))
    played.seating = replace(played.seating, byes=(*byes, registration.pk))
    return gettext_noop("{name} advances without playing."), {"name": registration.name}


def _swap(played: Round, registration: Registration, value: str) -> Told:
    other = Registration.objects.filter(pk=whole(value) or 0).first()
    mine = _seat_of(played, registration)
    theirs = _seat_of(played, other) if other else None
    if other is None or theirs is None or other == registration:
        raise RefusedError(Code.TARGET, _("Choose a seated player to swap with."))
    # Two chairs that exchange their players would meet the constraint half way: empty one first.
    theirs.delete()
    if mine:
        mine.registration = other
        mine.save(update_fields=["registration"])
    TableSeat.objects.create(table=theirs.table, number=theirs.number, registration=registration)
    names = {"name": registration.name, "other": other.name}
    if mine is None:
        return gettext_noop("{name} took {other}’s seat."), names
    return gettext_noop("{name} and {other} swapped seats."), names


def _note_change(played: Round) -> None:
    """Remove empty tables and update the byes and the players who sit out.

    A player with a seat or a bye does not sit out. A bracket round may have become the final or
    stopped being it.
    """
    played.tables.exclude(seats__registration__isnull=False).delete()
    here = {pk for table in list_seated(played) for pk in table}
    byes = tuple(pk for pk in played.seating.byes if pk not in here)
    out = tuple(sorted({*played.seating.out} - here - {*byes}))
    played.seating = replace(played.seating, changed=True, out=out, byes=byes)
    played.save(update_fields=["seating"])
    if played.stage.format == Stage.Format.BRACKET:
        describe(played)


def proposal(played: Round) -> Repair:
    """Propose a repair for late arrivals and no-shows that changes as few tables as possible."""
    return repair(problem_of(played), list_seated(played), byes=played.seating.byes)


@transaction.atomic
def repair_round(played: Round, actor: User, reason: str = "", *, seen: str | None = None) -> Round:
    """Apply the proposal. Refused with: running, no-reason, changed, nothing, shape."""
    event = lock_event(played.stage.event, played)
    _check_changeable(played)
    _check_reason(played, reason)
    check_seen(played.stage, played.number, seen)
    with use_site_language():
        wanted = proposal(played)
    if not wanted.sentences:
        text = _("Every player has a seat. There is nothing to adjust.")
        raise RefusedError(Code.NOTHING, text)
    _seat_as(played, wanted.tables)
    played.seating = replace(played.seating, byes=tuple(wanted.byes))
    _note_change(played)
    notify_seats(played)
    told = partial(_describe_changed, played, wanted.sentences)
    record(event, actor, LogAction.REPAIR_SEATS, told, reason, **where(played))
    return played


def _seat_as(played: Round, tables: arrangement.Tables) -> None:
    """Reseat everybody at the round's existing tables, by number, and at new ones."""
    TableSeat.objects.filter(table__round=played).delete()
    known = {table.number: table for table in played.tables.all()}
    for number, members in enumerate(tables, 1):
        if members:
            table = known.get(number) or Table.objects.create(round=played, number=number)
            fill(table, list(members))


def _find_highest_number(played: Round) -> int:
    return played.tables.aggregate(highest=Max("number"))["highest"] or 0
