"""Extra time for one player or for the whole table, before or during play."""

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from games import store
from games.models import Match, Seat
from games.play import notes
from games.play.answers import RefusedError
from games.play.codes import PlayCode
from games.play.commit import retry_on_conflict
from games.seats import SeatNumber
from games.store import MatchChange, Snapshot

MIN_EXTRA_SECONDS, MAX_EXTRA_SECONDS = 5, 600


def give_time(match: Match, seat: SeatNumber | None, seconds: int) -> Match:
    """Add seconds to every turn of one seat, or of all people's seats if `seat` is None.

    The current turn becomes longer as well. Returns the match after the change.

    Raises RefusedError with the code `seconds-range`, `over`, `unknown-seat`, `bot-seat` or
    `too-much-time`.
    """

    def give(change: MatchChange) -> None:
        _add_extra_time(change, _select_seats(change.old, seat), seconds)
        _note_extra_time(change, seat, seconds)

    check_extra_seconds(seconds)
    return _change_match(match, give)


def extend_turn(match: Match, seconds: int) -> Match:
    """Make only the current turn longer.

    Raises RefusedError with the code `seconds-range`, `over` or `no-turn`.
    """

    def extend(change: MatchChange) -> None:
        seat = change.old.match.state.turn_seat
        if change.old.match.turn_until is None or seat is None or change.old.seats[seat].bot:
            raise RefusedError(
                PlayCode.NO_TURN, _("It’s no one’s turn right now. Try again in a moment.")
            )
        _lengthen_turn(change, timedelta(seconds=seconds))
        notes.add(change, "longer-turn", seat=seat, seconds=seconds)

    check_extra_seconds(seconds)
    return _change_match(match, extend)


def postpone_end(match: Match, by: timedelta) -> Match:
    """Postpone the match's time limit, after which no more hands are dealt.

    Raises RefusedError with the code `over` or `no-end`.
    """

    def postpone(change: MatchChange) -> None:
        if change.old.match.ends_at is None:
            raise RefusedError(PlayCode.NO_END, _("This match has no time limit."))
        change.match["ends_at"] = change.old.match.ends_at + by
        notes.add(change, "longer-round", seconds=round(by.total_seconds()))

    return _change_match(match, postpone)


def _change_match(match: Match, work: Callable[[MatchChange], None]) -> Match:
    """Apply `work` to the newest version of the match, and return the changed match."""

    def apply_change(snapshot: Snapshot) -> Match:
        change = MatchChange.from_snapshots(snapshot, timezone.now())
        _check_not_over(snapshot)
        work(change)
        change.notable = True
        return store.commit(change).match

    # This process may have an outdated copy of the match.
    store.forget(match.pk)
    return retry_on_conflict(match.pk, apply_change)


def _check_not_over(snapshot: Snapshot) -> None:
    if snapshot.match.phase == Match.Phase.OVER:
        raise RefusedError(PlayCode.OVER, _("This match is over, so no extra time can be given."))


def check_extra_seconds(seconds: int) -> None:
    """Check that this much extra time may be given in one step.

    Raises RefusedError with the code `seconds-range` if not.
    """
    if not MIN_EXTRA_SECONDS <= seconds <= MAX_EXTRA_SECONDS:
        text = _("Extra time per turn must be {least}–{most} seconds.")
        sentence = text.format(least=MIN_EXTRA_SECONDS, most=MAX_EXTRA_SECONDS)
        raise RefusedError(PlayCode.SECONDS_RANGE, sentence)


def _select_seats(snapshot: Snapshot, seat: SeatNumber | None) -> list[Seat]:
    """Return the seats that get the extra time: `seat`, or all people's seats if it is None.

    Raises RefusedError for a match that is over, an unknown seat or a bot's seat.
    """
    _check_not_over(snapshot)
    if seat is None:
        return [other for other in snapshot.seats if not other.bot]
    if not 0 <= seat < len(snapshot.seats):
        raise RefusedError(PlayCode.UNKNOWN_SEAT, _("There’s no such seat at this table."))
    if snapshot.seats[seat].bot:
        text = _("{name} is a bot and doesn’t need extra time.")
        raise RefusedError(PlayCode.BOT_SEAT, text.format(name=snapshot.seats[seat].said))
    return [snapshot.seats[seat]]


def _add_extra_time(change: MatchChange, seats: list[Seat], seconds: int) -> None:
    for seat in seats:
        existing = seat.extra_seconds
        if existing + seconds > MAX_EXTRA_SECONDS:
            text = _("{name} already has {had} s extra per turn. The maximum is {most} s.")
            sentence = text.format(name=seat.said, had=existing, most=MAX_EXTRA_SECONDS)
            raise RefusedError(PlayCode.TOO_MUCH_TIME, sentence)
        change.seats[seat.number] = {"extra_seconds": existing + seconds}
    match = change.old.match
    if match.turn_until and match.state.turn_seat in change.seats:
        _lengthen_turn(change, timedelta(seconds=seconds))


def _lengthen_turn(change: MatchChange, by: timedelta) -> None:
    match = change.old.match
    assert match.turn_until is not None
    change.match["turn_until"] = match.turn_until + by
    # An earlier `due` does not depend on the end of the turn, so it stays unchanged.
    if match.due == match.turn_until:
        change.match["due"] = match.due + by


def _note_extra_time(change: MatchChange, seat: SeatNumber | None, seconds: int) -> None:
    if seat is None:
        notes.add(change, "time-for-all", seconds=seconds)
    else:
        notes.add(change, "time-for-one", seat=seat, seconds=seconds)
