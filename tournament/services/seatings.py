"""Seating a round: draft, change by hand, publish. Published seats never move silently."""

import secrets

from django.db import transaction
from django.db.models import Max

from tournament import seating
from tournament.models import Event, Qualifier, Registration, Round, Stage, Table, TableSeat, User
from tournament.queries.results import event_of, outcomes, rules_of
from tournament.queries.standings import rank
from tournament.services.audit import record
from tournament.services.errors import Refused
from tournament.services.locks import lock_event

BOT = "plain"


def entrants(stage: Stage) -> list[Registration]:
    """Who plays in the stage: everybody with a place, or those who qualified."""
    placed = stage.event.registrations.filter(state=Registration.State.APPROVED)
    if stage.number > 1:
        placed = placed.filter(qualified__in=Qualifier.objects.filter(stage=stage, active=True))
    return list(placed.select_related("student").order_by("queue_number"))


def problem(stage: Stage, before: int) -> seating.Problem:
    """All that the seating of round number `before` of the stage depends on."""
    event, people = stage.event, entrants(stage)
    points = _points(event) if stage.by_points and before > 1 else {}
    return seating.Problem(
        players=tuple(
            seating.Player(r.pk, r.name, points.get(r.pk, 0), _group(event, r)) for r in people
        ),
        history=tuple(_past(r) for r in _earlier(stage, before)),
        rules=_rules(stage, people, before),
    )


def _points(event: Event) -> dict[int, int]:
    rows, _people = rank(event, outcomes(event))
    return {row.player: row.points for row in rows}


def _group(event: Event, registration: Registration) -> str:
    student = registration.student
    return getattr(student, event.apart_by) if event.apart_by and student else ""


def _rules(stage: Stage, people: list[Registration], number: int) -> seating.Rules:
    event, rules = stage.event, rules_of(stage.event)
    links = Registration.apart_from.through.objects.filter(from_registration__in=people)
    pairs = links.values_list("from_registration_id", "to_registration_id")
    return seating.Rules(
        table_size=max(rules.min_seats, min(event.table_size, rules.max_seats)),
        minimum=2 if event.fill_with_bots else rules.min_seats,
        maximum=rules.max_seats,
        apart=tuple(sorted({(min(pair), max(pair)) for pair in pairs})),
        fixed=tuple((r.pk, r.fixed_table) for r in people if r.fixed_table),
        by_points=stage.by_points and number > 1,
        groups_apart=bool(event.apart_by),
        rounds_to_come=max(0, stage.rounds_planned - number),
    )


def _earlier(stage: Stage, before: int) -> list[Round]:
    """The event's rounds before this one, in order, with their tables and seats."""
    rounds = Round.objects.filter(stage__event=stage.event).exclude(state=Round.State.DRAFT)
    in_order = rounds.order_by("stage__number", "number").select_related("stage")
    mine = (stage.number, before)
    return [
        r for r in in_order.prefetch_related("tables__seats") if (r.stage.number, r.number) < mine
    ]


def _past(played: Round) -> seating.PastRound:
    tables = [
        tuple(s.registration_id for s in table.seats.all() if s.registration_id)
        for table in played.tables.all()
    ]
    return seating.PastRound(tuple(tables))


def seat_round(stage: Stage, actor: User, key: str = "") -> Round:
    """Draft the stage's next round, or draw its draft again; `key` repeats an earlier draw.

    The drawing takes its time, so it runs before the event is locked; should anything it depends
    on change meanwhile, it is refused. Refused with: not-open, open-round, published, few,
    no-seating, changed.
    """
    number = _next_number(stage)
    wanted = problem(stage, number)
    drawn = _draw(wanted, key or secrets.token_hex(8))
    with transaction.atomic():
        event = lock_event(stage.event)
        stage.refresh_from_db()
        if _next_number(stage) != number or problem(stage, number).digest() != drawn.digest:
            raise Refused("changed", "Something changed while the seats were drawn: draw again.")
        played = store_draft(stage, number, drawn.tables, drawn.to_json())
        text = f"Drew the seats of {played}: {len(drawn.tables)} tables."
        record(event, actor, "seat", text, round=played.pk, key=drawn.key)
    return played


def _draw(wanted: seating.Problem, key: str) -> seating.Seating:
    if len(wanted.players) < 2:
        raise Refused("few", "Two players at least must have a place before seats can be drawn.")
    try:
        return seating.seat_round(wanted, key)
    except seating.SeatingError as error:
        raise Refused("no-seating", str(error)) from error


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
    stage: Stage,
    number: int,
    tables: seating.Tables,
    details: dict[str, object],
    *,
    title: str = "",
) -> Round:
    """Store a draft in place of an earlier one of the same number. Call with the event locked."""
    played, _made = Round.objects.get_or_create(stage=stage, number=number)
    played.title, played.seating = title or f"Round {number}", details
    played.save(update_fields=["title", "seating"])
    played.tables.all().delete()
    for position, members in enumerate(tables, 1):
        _fill(Table.objects.create(round=played, number=position), list(members))
    if stage.state == Stage.State.WAITING:
        stage.state = Stage.State.OPEN
        stage.save(update_fields=["state"])
    return played


def _fill(table: Table, members: list[int]) -> None:
    """Seat these registrations and, where the event wants it, bots in the chairs left."""
    event = event_of(table.round)
    missing = event.table_size - len(members) if event.fill_with_bots else 0
    rows = [TableSeat(table=table, number=n, registration_id=pk) for n, pk in enumerate(members)]
    chairs = range(len(members), len(members) + max(0, missing))
    rows += [TableSeat(table=table, number=n, bot=BOT) for n in chairs]
    TableSeat.objects.bulk_create(rows)


def _members(table: Table) -> list[int]:
    rows = table.seats.filter(registration__isnull=False).order_by("number")
    return [pk for pk in rows.values_list("registration_id", flat=True) if pk]


def _reseat(table: Table, members: list[int]) -> None:
    table.seats.all().delete()
    _fill(table, members)


def change_seats(
    played: Round, actor: User, registration: Registration, target: str, reason: str = ""
) -> Round:
    """Move one player by hand. `target`: `table:3`, `swap:<registration pk>`, `new` or `out`.

    A published round needs a reason. Refused with: running, no-reason, target, same.
    """
    with transaction.atomic():
        event = lock_event(played.stage.event)
        played.refresh_from_db()
        _check_changeable(played, reason)
        kind, _, value = target.partition(":")
        moves = {"table": _to_table, "swap": _swap, "new": _to_new_table, "out": _out}
        if kind not in moves:
            raise Refused("target", "Choose where the player is to sit.")
        text = moves[kind](played, registration, value)
        _drop_empty_tables(played)
        played.seating = {**played.seating, "changed": True}
        played.save(update_fields=["seating"])
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
        _reseat(seat.table, [pk for pk in _members(seat.table) if pk != registration.pk])


def _to_table(played: Round, registration: Registration, number: str) -> str:
    table = played.tables.filter(number=int(number) if number.isdecimal() else 0).first()
    if table is None:
        raise Refused("target", f"{played} has no table {number}.")
    seat = _seat_of(played, registration)
    if seat and seat.table == table:
        raise Refused("same", f"{registration.name} sits at table {number} already.")
    members = _members(table)
    most = rules_of(played.stage.event).max_seats
    if len(members) >= most:
        raise Refused("target", f"Table {number} has {most} players already: swap instead.")
    _leave(played, registration)
    _reseat(table, [*members, registration.pk])
    return f"{registration.name} moved to table {number}."


def _to_new_table(played: Round, registration: Registration, _value: str) -> str:
    _leave(played, registration)
    highest = played.tables.aggregate(highest=Max("number"))["highest"] or 0
    table = Table.objects.create(round=played, number=highest + 1)
    _reseat(table, [registration.pk])
    return f"{registration.name} moved to the new table {table.number}."


def _out(played: Round, registration: Registration, _value: str) -> str:
    if _seat_of(played, registration) is None:
        raise Refused("same", f"{registration.name} has no seat in this round.")
    _leave(played, registration)
    return f"{registration.name} does not play in this round."


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


def _drop_empty_tables(played: Round) -> None:
    played.tables.exclude(seats__registration__isnull=False).delete()


@transaction.atomic
def publish_round(played: Round, actor: User) -> Round:
    """Show the draft to everybody. Refused with: state, table-size, unapproved."""
    event = lock_event(played.stage.event)
    played.refresh_from_db()
    if played.state != Round.State.DRAFT:
        raise Refused("state", f"{played} is {played.get_state_display()} already.")
    check_tables(played)
    played.state = Round.State.PUBLISHED
    played.save(update_fields=["state"])
    record(event, actor, "publish", f"Published the seats of {played}.", round=played.pk)
    return played


def check_tables(played: Round) -> None:
    """Refuse tables that the rules cannot be played at, and players without a place."""
    rules = rules_of(played.stage.event)
    tables = list(played.tables.prefetch_related("seats__registration"))
    if not tables:
        raise Refused("table-size", f"{played} has no tables yet: draw the seats first.")
    for table in tables:
        seats = list(table.seats.all())
        if not rules.min_seats <= len(seats) <= rules.max_seats:
            raise Refused(
                "table-size",
                f"Table {table.number} has {len(seats)} players; these rules are for "
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
