"""A round from its start to its end, and the organizers' hand on its tables."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import services as games
from games.models import Match
from games.stored.rows import set_related
from tournament.models import Event, Round, Stage, Table, TableSeat, User
from tournament.queries import results as read
from tournament.queries.clocks import extra_total
from tournament.queries.interruptions import end_at, end_of
from tournament.services import interruptions
from tournament.services.audit import record, where
from tournament.services.errors import Refused, refused_by_play
from tournament.services.language import of_the_site
from tournament.services.locks import lock_event
from tournament.services.seatings import BOT, check_tables
from tournament.services.second import check_nothing_waits

NAME_AT_TABLE = 40
# Play goes on while an organizer's click is carried out: a match may have got there by itself.
ALREADY = ("not-going", "paused", "not-paused", "over")


@transaction.atomic
def start_round(played: Round, actor: User) -> Round:
    """Begin: every table that does not play with physical cards gets a match, which starts.

    Refused with: state, table-size, unapproved.
    """
    event = lock_event(played.stage.event)
    played.refresh_from_db()
    if played.state != Round.State.PUBLISHED:
        text = _("{round} is {state}; publish it first.")
        raise Refused("state", text.format(round=played, state=played.get_state_display()))
    check_tables(played)
    now = timezone.now()
    played.state, played.started_at = Round.State.RUNNING, now
    if event.round_minutes:
        played.ends_at = now + timedelta(minutes=event.round_minutes)
    played.save()
    start_tables(event, [each for each in read.tables_of(played) if not each.paper])
    closes = _close_registration(event, played, now)
    event.state = Event.State.RUNNING
    event.save(update_fields=["state", "registration_closes"])

    def told() -> str:
        started = [_("Started {round}.").format(round=played)]
        return " ".join([*started, *([_("Registration is closed.")] if closes else [])])

    record(event, actor, "start", told, round=played.pk)
    return played


def _close_registration(event: Event, played: Round, now: datetime) -> bool:
    """Play begins: who comes later asks an organizer, who can open registration once more.

    Its end is the moment of the start: taking the start back opens it again. Into a later stage
    nobody registers at all. Call with the event locked.
    """
    first = event.state != Event.State.RUNNING or played.stage.number > 1
    if not first or event.registration_state != "open":
        return False
    event.registration_closes = now
    return True


def start_tables(event: Event, tables: Sequence[Table]) -> None:
    """Give tables of one round a match each and begin it. Call with the event locked."""
    if not tables:
        return
    _with_users(tables)
    until, watching = end_of(tables[0].round), _watching(event)
    for table in tables:
        limits = games.Limits(hand_limit=event.hand_limit, ends_at=end_at(table, until))
        match = games.create_match(_match_spec(event, table, limits, watching))
        table.match = games.start_match(match)
        table.save(update_fields=["match"])


def _with_users(tables: Sequence[Table]) -> None:
    """Fetch the accounts of who sits there, however many they are."""
    people = [seat.registration for table in tables for seat in table.seats.all()]
    users = User.objects.in_bulk({person.user_id for person in people if person})
    for person in filter(None, people):
        set_related(person, "user", users[person.user_id])


def _match_spec(
    event: Event, table: Table, limits: games.Limits, watching: games.Watching
) -> games.MatchSpec:
    return games.MatchSpec(
        ruleset=event.ruleset,
        options=event.options,
        seats=[seat_spec(seat) for seat in table.seats.all()],
        about=games.About(
            occasion=_occasion(table),
            topic=event.topic,
            links={
                "event": reverse("event", args=[event.slug]),
                "rules": reverse("event-rules", args=[event.slug]),
                "mine": reverse("my-table", args=[event.slug]),
                "watch": reverse("event-watch", args=[event.slug]),
            },
        ),
        pace=_pace(event),
        limits=limits,
        carried=games.Carried(table.carried, table.match),
        watching=watching,
    )


def _watching(event: Event) -> games.Watching:
    return games.Watching(
        viewers=event.viewers,
        viewer_delay_seconds=event.viewer_delay_seconds,
        replays=event.replays,
        commentary=event.commentary.exists(),
        viewers_until=event.freeze.at,
    )


def _pace(event: Event) -> games.Pace:
    """As the event is set; a rehearsal is over in minutes."""
    if event.rehearsal_of_id is not None:
        return games.Pace(bot_seconds=0.2, between_seconds=1)
    return games.Pace(
        turn_seconds=event.turn_seconds,
        bank_seconds=event.bank_seconds,
        absence_seconds=event.absence_seconds,
        share_seconds=games.SHARE_SECONDS,
    )


def _occasion(table: Table) -> games.Occasion:
    played = table.round
    round_number = None if played.is_final else played.ordinal
    return games.Occasion(table.number, round_number, played.name)


def seat_spec(seat: TableSeat) -> games.SeatSpec:
    """Who plays at the seat: a bot, whoever sits there, or nobody any longer."""
    sitter = seat.sitter
    if sitter is None:
        with of_the_site():
            return games.SeatSpec(name=str(seat), bot=seat.bot)
    name = sitter.name[:NAME_AT_TABLE]
    if seat.forfeited:
        return games.SeatSpec(name=name, bot=_gone(seat))
    if seat.table.round.stage.event.rehearsal_of_id is not None:
        return games.SeatSpec(name=name, bot=BOT)
    more = sitter.extra_seconds + seat.table.extra_seconds
    return games.SeatSpec(name=name, user=sitter.user, extra_seconds=more)


def _gone(seat: TableSeat) -> str:
    """Nobody plays on; but a partner is not to lose by it, so there a bot does."""
    partners = read.rules_of(seat.table.round.stage.event).partners
    return BOT if partners else games.EMPTY


@transaction.atomic
def close_round(played: Round, actor: User, reason: str = "") -> Round:
    """End the round once every table has a result; with a reason also before.

    Matches still being played are then abandoned and count nothing. Refused with: state, waiting,
    open.
    """
    event = lock_event(played.stage.event)
    played.refresh_from_db()
    if played.state != Round.State.RUNNING:
        text = _("{round} is {state}, not being played.")
        raise Refused("state", text.format(round=played, state=played.get_state_display()))
    check_nothing_waits(event, played)
    unfinished = [o.table for o in read.table_results(played) if not o.final]
    if unfinished and not reason.strip():
        raise Refused("open", _without_result([table.number for table in unfinished]))
    _abandon([table.match for table in unfinished if table.match], reason)
    played.state, played.closed_at = Round.State.CLOSED, timezone.now()
    played.close_reason = reason.strip()
    played.save()
    if played.is_final:
        Stage.objects.filter(pk=played.stage_id).update(state=Stage.State.CLOSED)

    def told() -> str:
        return _("Closed {round}.").format(round=played)

    action = "close-early" if unfinished else "close"
    record(event, actor, action, told, reason, **where(played))
    return played


def _without_result(tables: Sequence[int]) -> str:
    text = ngettext(
        "No result yet from table {tables}. Wait, enter a result, or give a reason for closing the "
        "round without.",
        "No result yet from tables {tables}. Wait, enter a result, or give a reason for closing "
        "the round without.",
        len(tables),
    )
    return text.format(tables=", ".join(map(str, tables)))


def _abandon(matches: Iterable[Match], reason: str) -> None:
    going = [match for match in matches if match.phase != Match.Phase.OVER]
    _each(going, lambda match: games.abandon_match(match, reason.strip()))


def _each(matches: Iterable[Match], change: Callable[[Match], Match]) -> int:
    """Change each of them but those that are so already; how many were changed."""
    return sum([_unless_already(match, change) for match in matches])


def _unless_already(match: Match, change: Callable[[Match], Match]) -> bool:
    try:
        with refused_by_play():
            change(match)
    except Refused as refused:
        if refused.code not in ALREADY:
            raise
        return False
    return True


@transaction.atomic
def pause(played: Round, actor: User, table: Table | None = None, reason: str = "") -> int:
    """Stop the clocks of one table or all of the round; how many were stopped.

    With a reason it is an outage, which the log and the list of interruptions tell.

    One table is refused with: state, not-going, paused.
    """
    count = _switch(played, table, games.pause_match)

    def text() -> str:
        if table:
            return _("Paused {table}.").format(table=table)
        return _("Paused all tables of {round}.").format(round=played)

    if count:
        interruptions.begin(played, table, actor, reason.strip())
        record(played.stage.event, actor, "paused", text, reason, round=played.pk)
    return count


@transaction.atomic
def resume(played: Round, actor: User, table: Table | None = None) -> int:
    """Let one table or all of the round play on with the time they had left; how many.

    One table is refused with: state, not-going, not-paused.
    """
    count = _switch(played, table, games.resume_match)

    def text() -> str:
        if table:
            return _("Resumed {table}.").format(table=table)
        return _("Resumed all tables of {round}.").format(round=played)

    if count:
        interruptions.end(played, table)
        record(played.stage.event, actor, "resumed", text, round=played.pk)
    return count


def _switch(played: Round, table: Table | None, change: Callable[[Match], Match]) -> int:
    """Change the match of one table or all of the round's; how many."""
    lock_event(played.stage.event)
    if table:
        _one(table, change)
        return 1
    return _each(_running(played), change)


def _one(table: Table, change: Callable[[Match], Match]) -> None:
    table.refresh_from_db()
    with refused_by_play():
        change(_match_of(table))


def _match_of(table: Table) -> Match:
    if table.match is None:
        text = _("{table} has no match that is being played.")
        raise Refused("state", text.format(table=table))
    return table.match


def _running(played: Round) -> list[Match]:
    going = (Match.Phase.PLAYING, Match.Phase.BETWEEN)
    return list(Match.objects.filter(event_table__round=played, phase__in=going))


@transaction.atomic
def abandon_table(table: Table, actor: User, reason: str) -> Table:
    """End a table's match without a result. Refused with: no-reason, state, over."""
    event = lock_event(table.round.stage.event)
    if not reason.strip():
        text = _("Please say why the match is abandoned; the players read it.")
        raise Refused("no-reason", text)
    _one(table, lambda match: games.abandon_match(match, reason))

    def told() -> str:
        return _("Abandoned the match of {table}.").format(table=table)

    record(event, actor, "abandon", told, reason, **where(table))
    return table


@transaction.atomic
def redo_hand(table: Table, actor: User, number: int, reason: str) -> Table:
    """Void this hand of the table's match, which is kept, and let it be dealt again.

    Refused with: no-reason, state, not-playing, other-hand.
    """
    event = lock_event(table.round.stage.event)
    if not reason.strip():
        text = _("Please say why the hand is dealt again; the players read it.")
        raise Refused("no-reason", text)
    _one(table, lambda match: games.redo_hand(match, reason, number))

    def told() -> str:
        return _("Had hand {number} of {table} dealt again.").format(number=number, table=table)

    record(event, actor, "redo-hand", told, reason, **where(table), hand=number)
    return table


@transaction.atomic
def give_time(
    table: Table,
    actor: User,
    seconds: int,
    seat: TableSeat | None = None,
    *,
    seen: int | None = None,
) -> Table:
    """Add to each turn of one seat or of everybody at the table, at once in a match being played.

    `seen` is what all together had when it was asked for: a second click gives nothing.
    Refused with: changed, paper, not-begun, and the codes of games.services.give_time.
    """
    event = lock_event(table.round.stage.event)
    table.refresh_from_db()
    if seen is not None and seen != extra_total(table):
        text = _("Time has been given here since you looked: see below who has how much now.")
        raise Refused("changed", text)
    if table.paper:
        text = _("{table} plays with physical cards: the site runs no clock there.")
        raise Refused("paper", text.format(table=table))
    if seat is not None and table.match is None:
        raise Refused(
            "not-begun",
            _("No match yet: give the time to everybody here, or on the player's registration."),
        )
    with refused_by_play():
        _give_time(table, seconds, seat)

    def told() -> str:
        given = _("Gave everybody at {table} {seconds} s more for each turn.")
        if seat:
            given = _("Gave {name} at {table} {seconds} s more for each turn.")
        return given.format(name=seat, table=table, seconds=seconds)

    record(event, actor, "time", told, table=table.pk)
    return table


def _give_time(table: Table, seconds: int, seat: TableSeat | None) -> None:
    games.check_seconds(seconds)
    if table.match:
        games.give_time(table.match, games.SeatNumber(seat.number) if seat else None, seconds)
    elif table.extra_seconds + seconds > games.MOST_EXTRA:
        text = _("{seconds} s more for each turn is the most.")
        raise games.Refused("too-much-time", text.format(seconds=games.MOST_EXTRA))
    if seat is None:
        # For a later match of the same table too: a physical table may come back to the site.
        table.extra_seconds = min(games.MOST_EXTRA, table.extra_seconds + seconds)
        table.save(update_fields=["extra_seconds"])


def stage_is_played(stage: Stage) -> bool:
    """Whether the stage has had rounds and none of them is open; drafts do not count."""
    states = set(stage.rounds.values_list("state", flat=True))
    return states - {Round.State.DRAFT} == {Round.State.CLOSED}
