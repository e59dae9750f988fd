"""Starting, pausing and closing a round, and organizers' actions at its tables."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games import services as games
from games.models import Match
from games.rules.clusters import shorten
from tournament.common.language import translate_later, use_site_language
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import Event, LogAction, Round, Stage, Table, TableSeat, User
from tournament.oversight.audit import identify_place, record
from tournament.oversight.conflicts import check_round_state
from tournament.oversight.second_person import (
    check_no_pending_departure,
    check_no_pending_removal,
    check_nothing_pending,
)
from tournament.pure.codes import Code
from tournament.results import queries as read
from tournament.rounds import pauses
from tournament.rounds.clocks import sum_extra_times
from tournament.rounds.devices import record_devices
from tournament.rounds.interruptions import find_round_end, find_table_end
from tournament.rounds.next_matches import notify_finished_tables
from tournament.seating.queries import prefetch_sitters
from tournament.seating.services import BOT, check_draw_up_to_date, check_tables
from tournament.stages.outdated_draws import check_nothing_outdated

NAME_AT_TABLE = 40
# Codes of refusals that need no action. Play continues while a click is processed, so a match may
# already be over or in the requested state.
UNNEEDED = (
    games.PlayCode.NOT_GOING,
    games.PlayCode.PAUSED,
    games.PlayCode.NOT_PAUSED,
    games.PlayCode.OVER,
)


@transaction.atomic
def start_round(round_: Round, actor: User) -> Round:
    """Start the round, with a match at every table that plays on the site.

    Raises RefusedError with the code `state`, `table-size`, `unapproved`, `waiting` or `outdated`.
    """
    event = lock_event(round_.stage.event, round_)
    check_round_state(round_, Round.State.PUBLISHED)
    check_tables(round_)
    check_no_pending_departure(event, _find_seated_players(round_))
    check_draw_up_to_date(event, round_)
    now = timezone.now()
    round_.state, round_.started_at = Round.State.RUNNING, now
    if event.round_minutes:
        round_.ends_at = now + timedelta(minutes=event.round_minutes)
    round_.save()
    start_tables(event, _list_site_tables(round_))
    closes = _close_registration(event, round_, now)
    event.state = Event.State.RUNNING
    event.save(update_fields=["state", "registration_closes"])

    def describe_start() -> str:
        started = [_("Started {round}.").format(round=round_)]
        return " ".join([*started, *([_("Registration is closed.")] if closes else [])])

    record(event, actor, LogAction.START, describe_start, round=round_.pk)
    return round_


def _find_seated_players(round_: Round) -> set[int]:
    """Return the keys of the registrations seated in the round."""
    seats = TableSeat.objects.filter(table__round=round_, registration__isnull=False)
    return {int(pk) for pk in seats.values_list("registration", flat=True) if pk}


def _close_registration(event: Event, round_: Round, now: datetime) -> bool:
    """Close registration if it is open when play begins, and return whether it was open.

    The closing time is the start of the round, so that undoing the start can reopen registration.
    Organizers can reopen it for late arrivals. Later rounds of the first stage do not close it
    again. The caller must have locked the event.
    """
    play_begins = event.state != Event.State.RUNNING or round_.stage.number > 1
    if not play_begins or event.registration_state != "open":
        return False
    event.registration_closes = now
    return True


def start_tables(event: Event, tables: Sequence[Table]) -> None:
    """Create and start a match at each of these tables. The caller must have locked the event."""
    if not tables:
        return
    _prefetch_users(tables)
    round_end, spectator_rules = find_round_end(tables[0].round), _make_spectator_rules(event)
    for table in tables:
        limits = games.Limits(hand_limit=event.hand_limit, ends_at=find_table_end(table, round_end))
        match = games.create_match(_make_match_spec(event, table, limits, spectator_rules))
        table.match = games.start_match(match)
        table.save(update_fields=["match"])
    notify_finished_tables(event, [table.match for table in tables])


def _list_site_tables(round_: Round) -> list[Table]:
    """Return the round's tables that play on the site, with their players loaded."""
    tables = round_.tables.filter(paper=False).order_by("number")
    return list(tables.prefetch_related(prefetch_sitters()))


def _prefetch_users(tables: Sequence[Table]) -> None:
    """Load the accounts of all players at these tables with one query."""
    people = [seat.registration for table in tables for seat in table.seats.all()]
    users = User.objects.in_bulk({person.user_id for person in people if person})
    for person in filter(None, people):
        person.user = users[person.user_id]


def _make_match_spec(
    event: Event, table: Table, limits: games.Limits, watching: games.SpectatorRules
) -> games.MatchSpec:
    return games.MatchSpec(
        ruleset=event.ruleset,
        options=event.options,
        seats=[make_seat_spec(seat) for seat in table.seats.all()],
        about=games.TableHeading(
            occasion=_make_occasion(table),
            topic=event.topic,
            links=_make_links(event, last=table.round.is_final),
        ),
        pace=_make_pace(event),
        limits=limits,
        carried=games.CarriedHands(table.carried, table.match),
        watching=watching,
    )


def _make_links(event: Event, *, last: bool) -> games.Links:
    """Return the links shown at a table. After the last round, there is no next table."""
    links = games.Links(
        event=reverse("event", args=[event.slug]),
        rules=reverse("event-rules", args=[event.slug]),
        watch=reverse("event-watch", args=[event.slug]),
    )
    if not last:
        links["mine"] = reverse("my-table", args=[event.slug])
    return links


def _make_spectator_rules(event: Event) -> games.SpectatorRules:
    return games.SpectatorRules(
        viewers=event.viewers,
        viewer_delay_seconds=event.viewer_delay_seconds,
        replays=event.replays,
        commentary=event.commentary.exists(),
        viewers_until=event.freeze.at,
    )


def _make_pace(event: Event) -> games.Pace:
    """Return the event's pace, or a fast pace for a rehearsal."""
    if event.rehearsal_of_id is not None:
        return games.Pace(bot_seconds=0.2, between_seconds=1)
    return games.Pace(
        turn_seconds=event.turn_seconds,
        bank_seconds=event.bank_seconds,
        absence_seconds=event.absence_seconds,
        share_seconds=games.SHARE_SECONDS,
    )


def _make_occasion(table: Table) -> games.Occasion:
    played = table.round
    round_number = None if played.is_final else played.ordinal
    return games.Occasion(table.number, round_number, played.name)


def make_seat_spec(seat: TableSeat) -> games.SeatSpec:
    """Return the occupant of a seat: a player, a bot, or no one after a forfeit."""
    sitter = seat.sitter
    if sitter is None:
        with use_site_language():
            return games.SeatSpec(name=str(seat), bot=seat.bot)
    name = shorten(sitter.name, NAME_AT_TABLE)
    if seat.forfeited or seat.table.round.stage.event.rehearsal_of_id is not None:
        bot = _choose_replacement(seat) if seat.forfeited else BOT
        return games.SeatSpec(name=name, bot=bot)
    extra_seconds = sitter.extra_seconds + seat.table.extra_seconds
    return games.SeatSpec(
        name=name, user=sitter.user, extra_seconds=extra_seconds, look=sitter.look
    )


def _choose_replacement(seat: TableSeat) -> str:
    """Return the occupant of a forfeited seat: in partner games a bot, otherwise no one."""
    return BOT if read.rules_of(seat.table.round.stage.event).partners else games.EMPTY


@transaction.atomic
def close_round(round_: Round, actor: User, reason: str = "") -> Round:
    """Close the round once every table has a result, or earlier with a reason.

    If it is closed early, matches in progress are abandoned and do not count. No request about the
    round or its players may be pending. Raises RefusedError with the code `state`, `waiting`,
    `outdated` or `open`.
    """
    event = lock_event(round_.stage.event, round_)
    check_round_state(round_, Round.State.RUNNING)
    check_nothing_pending(event, round_)
    check_nothing_outdated(event)
    check_no_pending_removal(round_)
    unfinished = [result.table for result in read.table_results(round_) if not result.final]
    if unfinished and not reason.strip():
        raise RefusedError(
            Code.OPEN, _describe_missing_results([table.number for table in unfinished])
        )
    _abandon_matches([table.match for table in unfinished if table.match], reason)
    round_.state, round_.closed_at = Round.State.CLOSED, timezone.now()
    round_.close_reason = reason.strip()
    round_.save()
    if round_.is_final:
        Stage.objects.filter(pk=round_.stage_id).update(state=Stage.State.CLOSED)
    description = translate_later(gettext_noop("Closed {round}."), round=round_)
    action = LogAction.CLOSE_EARLY if unfinished else LogAction.CLOSE
    record(event, actor, action, description, reason, **identify_place(round_))
    record_devices(event, round_)
    return round_


def _describe_missing_results(tables: Sequence[int]) -> str:
    text = ngettext(
        "Table {tables} has no result yet. Wait, enter a result, or give a reason for "
        "closing the round without it.",
        "Tables {tables} have no results yet. Wait, enter results, or give a reason "
        "for closing the round without them.",
        len(tables),
    )
    return text.format(tables=", ".join(map(str, tables)))


def _abandon_matches(matches: Iterable[Match], reason: str) -> None:
    going = [match for match in matches if match.phase != Match.Phase.OVER]
    _apply_change(going, lambda match: games.abandon_match(match, reason.strip()))


def _apply_change(matches: Iterable[Match], change: Callable[[Match], Match]) -> int:
    """Apply a change to every match that needs it, and return the number of changed matches."""
    return sum([_change_if_needed(match, change) for match in matches])


def _change_if_needed(match: Match, change: Callable[[Match], Match]) -> bool:
    try:
        change(match)
    except RefusedError as refused:
        if refused.code not in UNNEEDED:
            raise
        return False
    return True


@transaction.atomic
def pause(round_: Round, actor: User, table: Table | None = None, reason: str = "") -> int:
    """Pause one table, or all tables of the round, and return how many were paused.

    For one table, raises RefusedError with the code `state`, `not-going` or `paused`.
    """
    count = _change_matches(round_, table, games.pause_match)

    def describe_pause() -> str:
        if table:
            return _("Paused {table}.").format(table=table)
        return _("Paused all tables of {round}.").format(round=round_)

    if count:
        pauses.record_pause(round_, table, actor, reason.strip())
        record(round_.stage.event, actor, LogAction.PAUSED, describe_pause, reason, round=round_.pk)
    return count


@transaction.atomic
def resume(round_: Round, actor: User, table: Table | None = None) -> int:
    """Resume one table, or all tables of the round, and return how many were resumed.

    Turns continue with the time that was left. For one table, raises RefusedError with the code
    `state`, `not-going` or `not-paused`.
    """
    count = _change_matches(round_, table, games.resume_match)

    def describe_resume() -> str:
        if table:
            return _("Resumed {table}.").format(table=table)
        return _("Resumed all tables of {round}.").format(round=round_)

    if count:
        pauses.record_resumption(round_, table)
        record(round_.stage.event, actor, LogAction.RESUMED, describe_resume, round=round_.pk)
    return count


def _change_matches(round_: Round, table: Table | None, change: Callable[[Match], Match]) -> int:
    """Change the match of one table, or all matches of the round. Return how many changed."""
    lock_event(round_.stage.event)
    if table:
        _change_match(table, change)
        return 1
    running = (Match.Phase.PLAYING, Match.Phase.BETWEEN)
    matches = Match.objects.filter(event_table__round=round_, phase__in=running)
    return _apply_change(list(matches), change)


def _change_match(table: Table, change: Callable[[Match], Match]) -> None:
    table.refresh_from_db()
    change(_require_match(table))


def _require_match(table: Table) -> Match:
    if table.match is None:
        text = _("{table} has no match in progress.")
        raise RefusedError(Code.STATE, text.format(table=table))
    return table.match


@transaction.atomic
def abandon_table(table: Table, actor: User, reason: str) -> Table:
    """Abandon the match. Raises RefusedError with the code `no-reason`, `state` or `over`."""
    event = lock_event(table.round.stage.event)
    check_reason(reason, _("Say why the match is being abandoned. The players will read it."))
    _change_match(table, lambda match: games.abandon_match(match, reason))
    description = translate_later(gettext_noop("Abandoned the match at {table}."), table=table)
    record(event, actor, LogAction.ABANDON, description, reason, **identify_place(table))
    return table


@transaction.atomic
def redo_hand(table: Table, actor: User, number: int, reason: str) -> Table:
    """Void this hand of the table's match and deal it again. The match continues.

    Raises RefusedError with the code `no-reason`, `state`, `not-playing` or `other-hand`.
    """
    event = lock_event(table.round.stage.event)
    check_reason(reason, _("Say why the hand is being redealt. The players will see the reason."))
    _change_match(table, lambda match: games.redo_hand(match, reason, number))
    description = translate_later(
        gettext_noop("Redealt hand {number} at {table}."), number=number, table=table
    )
    record(
        event, actor, LogAction.REDO_HAND, description, reason, **identify_place(table), hand=number
    )
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
    """Add seconds to each turn of one seat, or of every seat at the table.

    In a match in progress, they apply immediately. `seen` is the total extra time that the form
    showed, so that a second click adds nothing. Raises RefusedError with the code `changed`,
    `paper` or `not-begun`, or like games.services.give_time.
    """
    event = lock_event(table.round.stage.event, table)
    if seen is not None and seen != sum_extra_times(table):
        text = _(
            "Extra time has been given at this table since you opened this page. Check "
            "below how much each player now has."
        )
        raise RefusedError(Code.CHANGED, text)
    if table.paper:
        text = _("{table} is using physical cards, so the site has no clock for it.")
        raise RefusedError(Code.PAPER, text.format(table=table))
    if seat is not None and table.match is None:
        raise RefusedError(
            Code.NOT_BEGUN,
            _(
                "The match hasn’t started yet. Give everyone at this table extra time, or set "
                "a player’s extra time on their registration."
            ),
        )
    _add_seconds(table, seconds, seat)

    def describe_extra_time() -> str:
        text = _("Gave everyone at {table} {seconds} extra seconds for each turn.")
        if seat:
            text = _("Gave {name} at {table} {seconds} extra seconds for each turn.")
        return text.format(name=seat, table=table, seconds=seconds)

    record(event, actor, LogAction.TIME, describe_extra_time, table=table.pk)
    return table


def _add_seconds(table: Table, seconds: int, seat: TableSeat | None) -> None:
    games.check_extra_seconds(seconds)
    if table.match:
        games.give_time(table.match, games.SeatNumber(seat.number) if seat else None, seconds)
    elif table.extra_seconds + seconds > games.MAX_EXTRA_SECONDS:
        text = _("The limit is {seconds} extra seconds for each turn.")
        raise RefusedError(Code.TOO_MUCH_TIME, text.format(seconds=games.MAX_EXTRA_SECONDS))
    if seat is None:
        # A table with physical cards may switch back to the site, so the time applies to later
        # matches too.
        table.extra_seconds = min(games.MAX_EXTRA_SECONDS, table.extra_seconds + seconds)
        table.save(update_fields=["extra_seconds"])


def is_stage_played(stage: Stage) -> bool:
    """Return whether the stage has published rounds and all of them are closed."""
    states = set(stage.rounds.values_list("state", flat=True))
    return states - {Round.State.DRAFT} == {Round.State.CLOSED}
