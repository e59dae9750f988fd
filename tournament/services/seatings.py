"""Seating a round: draft, change by hand, publish. Published seats never move silently."""

import secrets
from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction
from django.db.models import Max

from tournament import seating
from tournament.models import Registration, Round, Stage, Table, TableSeat, User
from tournament.queries.results import event_of, rules_of
from tournament.queries.seats import plan, problem, seated, version
from tournament.seating.partners import carry_on, partner_rounds
from tournament.seating.repairs import Repair, repair
from tournament.services.audit import record
from tournament.services.bracket_rounds import describe
from tournament.services.errors import Refused
from tournament.services.locks import lock_event
from tournament.words import counted

BOT = "plain"


def seat_round(stage: Stage, actor: User, key: str = "", *, seen: str | None = None) -> Round:
    """Draft the stage's next round, or draw its draft again; `key` repeats an earlier draw.

    `seen`, here and below: the version of the seats that were looked at. The drawing takes its
    time, so it runs before the event is locked; should anything it depends on change meanwhile, it
    is refused. Refused with: not-open, open-round, published, few, no-seating, changed.
    """
    number = _next_number(stage)
    wanted = problem(stage, number)
    tables, details = _draw(stage, number, wanted, key or secrets.token_hex(8))
    with transaction.atomic():
        event = lock_event(stage.event)
        stage.refresh_from_db()
        if _next_number(stage) != number or problem(stage, number).digest() != wanted.digest():
            raise Refused("changed", "Something changed while the seats were drawn: draw again.")
        check_seen(stage, number, seen)
        played = store_draft(stage, number, tables, details)
        text = f"Drew the seats of {played}: {counted(len(tables), 'table')}."
        record(event, actor, "seat", text, round=played.pk, key=details.key)
    return played


def check_seen(stage: Stage, number: int, seen: str | None) -> None:
    """Refuse to change or publish seats that are not those looked at. Call with the event locked.

    A second click is refused so as well: a swap that is sent twice would swap back.
    """
    if seen is not None and seen != version(stage, number):
        raise Refused("changed", "The seats have changed since you looked: look once more.")


def _draw(
    stage: Stage, number: int, wanted: seating.Problem, key: str
) -> tuple[seating.Tables, seating.RoundSeating]:
    if len(wanted.players) < 2:
        raise Refused("few", "Two players at least must have a place before seats can be drawn.")
    try:
        if stage.rotation:
            order = rotation_order(stage, number, wanted.ids)
            return _turn(order, number), seating.RoundSeating(order=order)
        drawn = seating.seat_round(wanted, key)
    except seating.SeatingError as error:
        raise Refused("no-seating", str(error)) from error
    return drawn.tables, drawn.kept()


def _turn(order: Sequence[int], number: int) -> seating.Tables:
    """The rotation's tables in this round; after the last turn it begins anew."""
    turns = partner_rounds(order)
    return turns[(number - 1) % len(turns)]


def rotation_order(stage: Stage, number: int, players: Sequence[int]) -> tuple[int, ...]:
    """The order in which the partners rotate: that of the round before, substitutes in place."""
    last = stage.rounds.filter(number=number - 1).first()
    if last is None or not last.seating.order:
        return tuple(players)
    order = last.seating.order
    drawn, sat = _turn(order, last.number), seated(last)
    chairs = zip(drawn, sat, strict=False) if list(map(len, drawn)) == list(map(len, sat)) else ()
    sat_for = {was: now for a, b in chairs for was, now in zip(a, b, strict=True)}
    return carry_on(order, players, sat_for)


def _next_number(stage: Stage) -> int:
    """The number of the round to seat now: the draft's own or the next."""
    if stage.state == Stage.State.CLOSED:
        raise Refused("not-open", f"{stage} is closed.")
    if stage.number > 1 and not stage.qualifiers.exists():
        raise Refused("not-open", f"Nobody has qualified for {stage} yet.")
    last = stage.rounds.order_by("-number").first()
    if last is None:
        return 1
    if last.state == Round.State.PUBLISHED:
        raise Refused("published", f"{last} is published; take it back before you draw again.")
    if last.state == Round.State.RUNNING:
        raise Refused("open-round", f"{last} is still being played; close it first.")
    return last.number if last.state == Round.State.DRAFT else last.number + 1


def store_draft(
    stage: Stage, number: int, tables: seating.Tables, details: seating.RoundSeating
) -> Round:
    """Store a draft in place of an earlier one of the same number. Call with the event locked."""
    played, _made = Round.objects.get_or_create(stage=stage, number=number)
    played.title, played.seating = f"Round {number}", details
    played.save(update_fields=["title", "seating"])
    played.tables.all().delete()
    for position, members in enumerate(tables, 1):
        if members:
            _fill(Table.objects.create(round=played, number=position), list(members))
    if stage.state == Stage.State.WAITING:
        stage.state = Stage.State.OPEN
        stage.save(update_fields=["state"])
    return played


def _fill(table: Table, members: list[int]) -> None:
    """Seat these registrations and, where the event wants it, bots in the chairs left.

    Never in a bracket: a bot must not take the place of somebody who would go on, or win. Nor with
    physical cards, which no bot can hold.
    """
    event, stage = event_of(table.round), table.round.stage
    filled = event.fill_with_bots and stage.format == Stage.Format.ROUNDS and not table.paper
    missing = event.table_size - len(members) if filled else 0
    rows = [TableSeat(table=table, number=n, registration_id=pk) for n, pk in enumerate(members)]
    chairs = range(len(members), len(members) + max(0, missing))
    rows += [TableSeat(table=table, number=n, bot=BOT) for n in chairs]
    TableSeat.objects.bulk_create(rows)


def members_of(table: Table) -> list[int]:
    """The registrations at a table in the order of their seats."""
    rows = table.seats.filter(registration__isnull=False).order_by("number")
    return [pk for pk in rows.values_list("registration_id", flat=True) if pk]


def reseat(table: Table, members: list[int]) -> None:
    """Seat these registrations there instead, and the bots that belong to them."""
    table.seats.all().delete()
    _fill(table, members)


def change_seats(
    played: Round,
    actor: User,
    registration: Registration,
    target: str,
    reason: str = "",
    *,
    seen: str | None = None,
) -> Round:
    """Move one player by hand.

    `target`: `table:3`, `swap:<registration pk>`, `new`, `out` or (in a bracket) `bye`.
    A published round needs a reason. Refused with: running, no-reason, changed, target, same,
    shape.
    """
    with transaction.atomic():
        event = lock_event(played.stage.event)
        played.refresh_from_db()
        _check_changeable(played, reason)
        check_seen(played.stage, played.number, seen)
        kind, _, value = target.partition(":")
        moves = {"table": _to_table, "swap": _swap, "new": _to_new_table, "out": _out, "bye": _bye}
        if kind not in moves:
            raise Refused("target", "Choose where the player is to sit.")
        text = f"{moves[kind](played, registration, value)} {_note_change(played)}".strip()
        record(event, actor, "change-seats", f"{played}: {text}", reason, round=played.pk)
    return played


def _check_changeable(played: Round, reason: str) -> None:
    if played.state not in (Round.State.DRAFT, Round.State.PUBLISHED):
        raise Refused("running", f"{played} has started: its seats stay as they are.")
    if played.state == Round.State.PUBLISHED and not reason.strip():
        raise Refused("no-reason", "The seats are published: please say why they change.")


def _seat_of(played: Round, registration: Registration) -> TableSeat | None:
    seats = TableSeat.objects.filter(table__round=played, registration=registration)
    return seats.select_related("table").first()


def _leave(played: Round, registration: Registration) -> None:
    if seat := _seat_of(played, registration):
        reseat(seat.table, [pk for pk in members_of(seat.table) if pk != registration.pk])


def _to_table(played: Round, registration: Registration, number: str) -> str:
    table = played.tables.filter(number=int(number) if number.isdecimal() else 0).first()
    if table is None:
        raise Refused("target", f"{played} has no table {number}.")
    seat = _seat_of(played, registration)
    if seat and seat.table == table:
        raise Refused("same", f"{registration.name} sits at table {number} already.")
    members = members_of(table)
    most = rules_of(played.stage.event).max_seats
    if len(members) >= most:
        raise Refused("target", f"Table {number} has {most} players already: swap instead.")
    _leave(played, registration)
    reseat(table, [*members, registration.pk])
    return f"{registration.name} moved to table {number}."


def _to_new_table(played: Round, registration: Registration, _value: str) -> str:
    _leave(played, registration)
    table = Table.objects.create(round=played, number=_highest(played) + 1)
    reseat(table, [registration.pk])
    return f"{registration.name} moved to the new table {table.number}."


def _out(played: Round, registration: Registration, _value: str) -> str:
    byes = played.seating.byes
    if _seat_of(played, registration) is None and registration.pk not in byes:
        raise Refused("same", f"{registration.name} has no seat in this round.")
    _leave(played, registration)
    out = {*played.seating.out, registration.pk}
    byes = tuple(pk for pk in byes if pk != registration.pk)
    played.seating = replace(played.seating, out=tuple(sorted(out)), byes=byes)
    return f"{registration.name} does not play in this round."


def _bye(played: Round, registration: Registration, _value: str) -> str:
    """For who is left alone at a table of a bracket: to go on without playing."""
    byes = played.seating.byes
    if played.stage.format != Stage.Format.BRACKET or registration.pk in byes:
        raise Refused("target", "A bye is for somebody who sits at a table of a bracket.")
    _leave(played, registration)
    if not any(seated(played)):
        raise Refused(
            "target",
            f"Nobody would be left to play against. If {registration.name} has won without "
            "playing, let the others withdraw, then announce the winner.",
        )
    played.seating = replace(played.seating, byes=(*byes, registration.pk))
    return f"{registration.name} goes on without playing."


def _swap(played: Round, registration: Registration, value: str) -> str:
    other = Registration.objects.filter(pk=value if value.isdecimal() else 0).first()
    mine = _seat_of(played, registration)
    theirs = _seat_of(played, other) if other else None
    if other is None or theirs is None or other == registration:
        raise Refused("target", "Choose somebody who sits at a table to swap with.")
    # Two chairs that exchange their players would meet the constraint half way: empty one first.
    theirs.delete()
    if mine:
        mine.registration = other
        mine.save(update_fields=["registration"])
    TableSeat.objects.create(table=theirs.table, number=theirs.number, registration=registration)
    if mine is None:
        return f"{registration.name} took the seat of {other.name}."
    return f"{registration.name} and {other.name} swapped seats."


def _note_change(played: Round) -> str:
    """Drop tables that nobody sits at; whoever sits somewhere or has a bye does not sit out.

    A bracket round may have become the final, or be it no longer: what it is now, in words.
    """
    played.tables.exclude(seats__registration__isnull=False).delete()
    here = {pk for table in seated(played) for pk in table}
    byes = tuple(pk for pk in played.seating.byes if pk not in here)
    out = tuple(sorted({*played.seating.out} - here - {*byes}))
    played.seating = replace(played.seating, changed=True, out=out, byes=byes)
    played.save(update_fields=["seating"])
    return describe(played) if played.stage.format == Stage.Format.BRACKET else ""


def proposal(played: Round) -> Repair:
    """How late arrivals and no-shows would be put right, touching as few tables as possible."""
    wanted = problem(played.stage, played.number, out=played.seating.out)
    return repair(wanted, seated(played), byes=played.seating.byes)


@transaction.atomic
def repair_round(played: Round, actor: User, reason: str = "", *, seen: str | None = None) -> Round:
    """Apply the proposal. Refused with: running, no-reason, changed, nothing, shape."""
    event = lock_event(played.stage.event)
    played.refresh_from_db()
    _check_changeable(played, reason)
    check_seen(played.stage, played.number, seen)
    wanted = proposal(played)
    if not wanted.sentences:
        raise Refused("nothing", "Everybody who plays has a seat: there is nothing to put right.")
    _seat_as(played, wanted.tables)
    played.seating = replace(played.seating, byes=tuple(wanted.byes))
    text = " ".join([*wanted.sentences, _note_change(played)]).strip()
    record(event, actor, "repair-seats", f"{played}: {text}", reason, round=played.pk)
    return played


def _seat_as(played: Round, tables: seating.Tables) -> None:
    """Seat everybody anew at the tables that there are, by number, and at new ones."""
    TableSeat.objects.filter(table__round=played).delete()
    known = {table.number: table for table in played.tables.all()}
    for number, members in enumerate(tables, 1):
        if members:
            table = known.get(number) or Table.objects.create(round=played, number=number)
            _fill(table, list(members))


def _highest(played: Round) -> int:
    return played.tables.aggregate(highest=Max("number"))["highest"] or 0


@transaction.atomic
def publish_round(
    played: Round, actor: User, reason: str = "", *, seen: str | None = None
) -> Round:
    """Show the draft to everybody; a `reason` is needed, and kept, where a hard rule is broken.

    Refused with: state, changed, table-size, final, unapproved, broken.
    """
    event = lock_event(played.stage.event)
    played.refresh_from_db()
    if played.state != Round.State.DRAFT:
        raise Refused("state", f"{played} is {played.get_state_display()} already.")
    check_seen(played.stage, played.number, seen)
    check_tables(played)
    broken = _check_hard_rules(played, reason)
    played.state = Round.State.PUBLISHED
    despite = seating.Despite(tuple(broken), reason.strip()) if broken else None
    played.seating = replace(played.seating, despite=despite)
    played.save(update_fields=["state", "seating"])
    text = " ".join([f"Published the seats of {played}.", *broken])
    record(event, actor, "publish", text, reason if broken else "", round=played.pk)
    return played


def _check_hard_rules(played: Round, reason: str) -> list[str]:
    """The hard rules that the seats break, in sentences; refused without a reason for it."""
    broken = plan(played).review.hard
    if broken and not reason.strip():
        more = [f"And {len(broken) - 3} more."] if len(broken) > 3 else []
        what_now = "Change the seats, or say why they stay like this."
        raise Refused("broken", " ".join([*broken[:3], *more, what_now]))
    return broken


def check_tables(played: Round) -> None:
    """Refuse tables that the rules cannot be played at, and players without a place."""
    rules = rules_of(played.stage.event)
    tables = list(played.tables.prefetch_related("seats__registration"))
    if not tables:
        raise Refused("table-size", f"{played} has no tables yet: draw the seats first.")
    if played.is_final and len(tables) > 1:
        raise Refused("final", f"{played} has {len(tables)} tables: draw it again.")
    for table in tables:
        seats = list(table.seats.all())
        if not rules.min_seats <= len(seats) <= rules.max_seats:
            raise Refused(
                "table-size",
                f"Table {table.number} has {counted(len(seats), 'player')}; these rules are for "
                f"{rules.min_seats} to {rules.max_seats}. Move somebody.",
            )
        for seat in seats:
            _check_placed(table, seat.registration)


def _check_placed(table: Table, registration: Registration | None) -> None:
    if registration and registration.state != Registration.State.APPROVED:
        raise Refused(
            "unapproved",
            f"{registration.name} at table {table.number}: {registration.get_state_display()}. "
            "Take the player out of this round.",
        )


@transaction.atomic
def unpublish_round(played: Round, actor: User, reason: str) -> Round:
    """Take published seats back to a draft. Refused with: state, no-reason."""
    event = lock_event(played.stage.event)
    played.refresh_from_db()
    if played.state != Round.State.PUBLISHED:
        raise Refused("state", f"{played} is {played.get_state_display()}.")
    if not reason.strip():
        raise Refused("no-reason", "The seats are published: please say why they are taken back.")
    played.state = Round.State.DRAFT
    played.save(update_fields=["state"])
    record(event, actor, "unpublish", f"Took back the seats of {played}.", reason, round=played.pk)
    return played
