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
from tournament.oversight.audit import identify_place, record
from tournament.pure import arrangement
from tournament.pure.arrangement.repairs import Repair, repair_seating
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.results.queries import rules_of
from tournament.seating.bracket_rounds import store_plan
from tournament.seating.mails import notify_seats
from tournament.seating.queries import build_current_problem, list_seated
from tournament.seating.services import (
    check_seen,
    fill_table,
    list_table_members,
    publish_round,
    reseat_table,
)

# An untranslated sentence for the log, and the values for its placeholders.
LogText = tuple[str, Mapping[str, object]]
# A player and a destination: `table:3`, `swap:<registration pk>`, `new`, `out` or, in a bracket,
# `bye`.
Move = tuple[Registration, str]


def change_seats(
    round_: Round,
    actor: User,
    registration: Registration,
    target: str,
    reason: str = "",
    *,
    seen: str | None = None,
) -> Round:
    """Move one player by hand. Raises RefusedError like `move_players`."""
    return move_players(round_, actor, [(registration, target)], reason, seen=seen)


@transaction.atomic
def move_players(
    round_: Round, actor: User, moves: Sequence[Move], reason: str = "", *, seen: str | None = None
) -> Round:
    """Move players by hand, in the given order. If one move is refused, none is made.

    In a published round, a reason is required. Raises RefusedError with the code `running`,
    `no-reason`, `changed`, `target`, `same` or `shape`.
    """
    event = lock_event(round_.stage.event, round_)
    _check_not_started(round_)
    _check_reason_given(round_, reason)
    check_seen(round_.stage, round_.number, seen)
    changes = _apply_moves(round_, moves)
    notify_seats(round_)

    def describe_changes() -> str:
        return _describe_changed_round(
            round_, [_(text).format(**filling) for text, filling in changes]
        )

    record(event, actor, LogAction.CHANGE_SEATS, describe_changes, reason, **identify_place(round_))
    return round_


def move_and_publish(
    round_: Round, actor: User, moves: Sequence[Move], reason: str = "", *, seen: str | None = None
) -> Round:
    """Make these moves in a draft and publish it, with no other change in between.

    If publishing is refused, the moves are kept. Raises RefusedError like `move_players` or
    `publish_round`.
    """
    with transaction.atomic():
        arranged = move_players(round_, actor, moves, seen=seen)
        try:
            return publish_round(arranged, actor, reason)
        except RefusedError as refused:
            error = refused
    text = _("The changes were saved, but the seats have not been published. {why}")
    raise RefusedError(error.code, text.format(why=error.sentence)) from error


def _apply_moves(round_: Round, moves: Sequence[Move]) -> list[LogText]:
    if not moves:
        raise RefusedError(Code.TARGET, _("Choose the player to move and where to move them."))
    return [_move_player(round_, registration, target) for registration, target in moves]


def _move_player(round_: Round, registration: Registration, target: str) -> LogText:
    kind, _colon, value = target.partition(":")
    handlers = {
        "table": _move_to_table,
        "swap": _swap_seats,
        "new": _move_to_new_table,
        "out": _move_out,
        "bye": _give_bye,
    }
    if kind not in handlers:
        raise RefusedError(Code.TARGET, _("Choose where to seat the player."))
    log_text = handlers[kind](round_, registration, value)
    _update_after_change(round_)
    return log_text


def _describe_changed_round(round_: Round, changes: Sequence[str]) -> str:
    """Describe the changes and, in a bracket round, the new plan."""
    text = " ".join([*changes, str(round_.seating.plan)]).strip()
    return _("{round}: {changes}").format(round=round_, changes=text)


def _check_not_started(round_: Round) -> None:
    if round_.state not in (Round.State.DRAFT, Round.State.PUBLISHED):
        text = _("{round} has started, so its seats can no longer change.")
        raise RefusedError(Code.RUNNING, text.format(round=round_))


def _check_reason_given(round_: Round, reason: str) -> None:
    if round_.state == Round.State.PUBLISHED and not reason.strip():
        raise RefusedError(
            Code.NO_REASON, _("The seats are published, so say why they are being changed.")
        )


def _find_seat(round_: Round, registration: Registration) -> TableSeat | None:
    seats = TableSeat.objects.filter(table__round=round_, registration=registration)
    return seats.select_related("table").first()


def _vacate_seat(round_: Round, registration: Registration) -> None:
    if seat := _find_seat(round_, registration):
        reseat_table(
            seat.table, [pk for pk in list_table_members(seat.table) if pk != registration.pk]
        )


def _move_to_table(round_: Round, registration: Registration, number: str) -> LogText:
    table = round_.tables.filter(number=parse_whole(number) or 0).first()
    if table is None:
        text = _("{round} has no table {number}.")
        raise RefusedError(Code.TARGET, text.format(round=round_, number=number))
    seat = _find_seat(round_, registration)
    if seat and seat.table == table:
        text = _("{name} is already at table {number}.")
        raise RefusedError(Code.SAME, text.format(name=registration.name, number=number))
    members = list_table_members(table)
    most = rules_of(round_.stage.event).max_seats
    if len(members) >= most:
        text = _("Table {number} already has {most} players. Swap seats instead.")
        raise RefusedError(Code.TARGET, text.format(number=number, most=most))
    _vacate_seat(round_, registration)
    reseat_table(table, [*members, registration.pk])
    filling = {"name": registration.name, "number": number}
    return gettext_noop("{name} moved to table {number}."), filling


def _move_to_new_table(round_: Round, registration: Registration, _value: str) -> LogText:
    _vacate_seat(round_, registration)
    highest = round_.tables.aggregate(highest=Max("number"))["highest"] or 0
    table = Table.objects.create(round=round_, number=highest + 1)
    reseat_table(table, [registration.pk])
    filling = {"name": registration.name, "number": table.number}
    return gettext_noop("{name} moved to a new table, table {number}."), filling


def _move_out(round_: Round, registration: Registration, _value: str) -> LogText:
    byes = round_.seating.byes
    if _find_seat(round_, registration) is None and registration.pk not in byes:
        text = _("{name} has no seat in this round.")
        raise RefusedError(Code.SAME, text.format(name=registration.name))
    _vacate_seat(round_, registration)
    out = {*round_.seating.out, registration.pk}
    byes = tuple(pk for pk in byes if pk != registration.pk)
    round_.seating = replace(round_.seating, out=tuple(sorted(out)), byes=byes)
    return gettext_noop("{name} sits out this round."), {"name": registration.name}


def _give_bye(round_: Round, registration: Registration, _value: str) -> LogText:
    """Give a bye to a player at a bracket table, so that the player advances without playing."""
    byes = round_.seating.byes
    if round_.stage.format != Stage.Format.BRACKET or registration.pk in byes:
        raise RefusedError(
            Code.TARGET, _("Only a player seated at a bracket table can have a bye.")
        )
    _vacate_seat(round_, registration)
    if not any(list_seated(round_)):
        text = _(
            "No opponents would be left. If {name} has won without playing, withdraw the "
            "other players, then announce the winner."
        )
        raise RefusedError(Code.TARGET, text.format(name=registration.name))
    round_.seating = replace(round_.seating, byes=(*byes, registration.pk))
    return gettext_noop("{name} advances without playing."), {"name": registration.name}


def _swap_seats(round_: Round, registration: Registration, value: str) -> LogText:
    other = Registration.objects.filter(pk=parse_whole(value) or 0).first()
    own_seat = _find_seat(round_, registration)
    other_seat = _find_seat(round_, other) if other else None
    if other is None or other_seat is None or other == registration:
        raise RefusedError(Code.TARGET, _("Choose a seated player to swap with."))
    # A table must not have a player twice, even during the swap, so one seat is deleted first.
    other_seat.delete()
    if own_seat:
        own_seat.registration = other
        own_seat.save(update_fields=["registration"])
    TableSeat.objects.create(
        table=other_seat.table, number=other_seat.number, registration=registration
    )
    names = {"name": registration.name, "other": other.name}
    if own_seat is None:
        return gettext_noop("{name} took {other}’s seat."), names
    return gettext_noop("{name} and {other} swapped seats."), names


def _update_after_change(round_: Round) -> None:
    """Remove empty tables, and update the byes and the players who sit out.

    Players with a seat or a bye do not sit out. A bracket round gets a new plan, because the change
    may decide whether it is the final.
    """
    round_.tables.exclude(seats__registration__isnull=False).delete()
    seated = {pk for table in list_seated(round_) for pk in table}
    byes = tuple(pk for pk in round_.seating.byes if pk not in seated)
    out = tuple(sorted({*round_.seating.out} - seated - {*byes}))
    round_.seating = replace(round_.seating, changed=True, out=out, byes=byes)
    round_.save(update_fields=["seating"])
    if round_.stage.format == Stage.Format.BRACKET:
        store_plan(round_)


def propose_repair(round_: Round) -> Repair:
    """Propose a repair for late arrivals and no-shows that changes as few tables as possible."""
    return repair_seating(
        build_current_problem(round_), list_seated(round_), byes=round_.seating.byes
    )


@transaction.atomic
def repair_round(round_: Round, actor: User, reason: str = "", *, seen: str | None = None) -> Round:
    """Apply the proposed repair.

    Raises RefusedError with the code `running`, `no-reason`, `changed`, `nothing` or `shape`.
    """
    event = lock_event(round_.stage.event, round_)
    _check_not_started(round_)
    _check_reason_given(round_, reason)
    check_seen(round_.stage, round_.number, seen)
    with use_site_language():
        proposed = propose_repair(round_)
    if not proposed.sentences:
        text = _("Every player has a seat. There is nothing to adjust.")
        raise RefusedError(Code.NOTHING, text)
    _reseat_all(round_, proposed.tables)
    round_.seating = replace(round_.seating, byes=tuple(proposed.byes))
    _update_after_change(round_)
    notify_seats(round_)
    describe = partial(_describe_changed_round, round_, proposed.sentences)
    record(event, actor, LogAction.REPAIR_SEATS, describe, reason, **identify_place(round_))
    return round_


def _reseat_all(round_: Round, tables: arrangement.Tables) -> None:
    """Seat all players again, using existing tables by number and adding new ones."""
    TableSeat.objects.filter(table__round=round_).delete()
    existing = {table.number: table for table in round_.tables.all()}
    for number, members in enumerate(tables, 1):
        if members:
            table = existing.get(number) or Table.objects.create(round=round_, number=number)
            fill_table(table, list(members))
