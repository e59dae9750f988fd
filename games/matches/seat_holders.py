"""Changes of a seat's holder: a player sits down, a bot takes over, or the seat becomes empty.

The seat keeps its cards, points and number. The change is a new version of the match. From that
version on, no window of the previous holder shows the seat's cards.
"""

from dataclasses import replace
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from games import store
from games.json_values.seat_history import Sitter, Sitters
from games.liveness.heartbeat import beat_if_overdue
from games.matches.spec import SeatSpec, number_duplicate_name
from games.models import Hand, Match, Seat
from games.play import deadlines, notes
from games.play.answers import RefusedError
from games.play.codes import PlayCode
from games.play.commit import retry_on_conflict
from games.rules.bots.bots import EMPTY, STRENGTHS
from games.seats import SeatNumber
from games.store import MatchChange, Snapshot
from games.store.snapshot import SeatFields


def change_seat(match: Match, number: SeatNumber, spec: SeatSpec) -> Match:
    """Give the seat to this person or bot, and return the changed match.

    If `spec.bot` is EMPTY, the seat only draws and passes. If the rules can be played without it,
    it is not dealt into later hands. After the match, an empty seat can still be given to a person,
    so that its result counts for that person. No other change is possible then.

    Raises RefusedError with the code `over`, `unknown-seat`, `same` or `seated`.
    """

    def apply_seat_change(snapshot: Snapshot) -> Match:
        _check_seat_change(snapshot, number, spec)
        # In a paused match, the clocks refer to the moment of the pause.
        change = MatchChange.from_snapshots(snapshot, snapshot.match.paused_at or timezone.now())
        others = {seat.name.casefold() for seat in snapshot.seats if seat.number != number}
        named = replace(spec, name=number_duplicate_name(spec.name, others))
        change.seats[number] = _build_seat_fields(snapshot, number, named)
        _remove_commitment(change, number)
        _reset_times(change, number)
        notes.add(change, _describe_holder(spec), seat=number, place=number + 1)
        change.notable = True
        return store.commit(change).match

    beat_if_overdue()
    # This process may have an outdated copy of the match.
    store.forget(match.pk)
    return retry_on_conflict(match.pk, apply_seat_change)


def note_ruling(match: Match, number: SeatNumber, code: str, points: int) -> Match:
    """Note in the table's log that a player was cautioned, warned or penalized.

    `code` is caution, warning or points. A finished match is not changed.
    """

    def apply_ruling_note(snapshot: Snapshot) -> Match:
        change = MatchChange.from_snapshots(snapshot, timezone.now())
        if snapshot.match.phase == Match.Phase.OVER:
            return snapshot.match
        notes.add(change, f"ruling-{code}", seat=number, points=points)
        # Play has not changed, so waiting claims remain valid.
        change.match["race"] = snapshot.match.race
        return store.commit(change).match

    store.forget(match.pk)
    return retry_on_conflict(match.pk, apply_ruling_note)


def _check_seat_change(snapshot: Snapshot, number: SeatNumber, spec: SeatSpec) -> None:
    if not 0 <= number < len(snapshot.seats):
        raise RefusedError(PlayCode.UNKNOWN_SEAT, _("There’s no such seat at this table."))
    over = snapshot.match.phase == Match.Phase.OVER
    if over and (spec.bot or snapshot.seats[number].bot != EMPTY):
        raise RefusedError(
            PlayCode.OVER, _("This match is over, so this seat can’t be given to another player.")
        )
    if spec.bot and spec.bot not in (EMPTY, *STRENGTHS):
        raise KeyError(spec.bot)
    if _is_seated(snapshot.seats[number], spec):
        raise RefusedError(PlayCode.SAME, _("{name} already has this seat.").format(name=spec.name))
    others = [seat for seat in snapshot.seats if seat.number != number]
    if spec.user is not None and any(seat.user_id == spec.user.pk for seat in others):
        raise RefusedError(
            PlayCode.SEATED,
            _("{name} already has another seat at this table.").format(name=spec.name),
        )


def _is_seated(seat: Seat, spec: SeatSpec) -> bool:
    user = None if spec.user is None else spec.user.pk
    return (seat.user_id, seat.bot) == (user, spec.bot)


def _build_seat_fields(snapshot: Snapshot, number: SeatNumber, spec: SeatSpec) -> SeatFields:
    before, over = snapshot.seats[number], snapshot.match.phase == Match.Phase.OVER
    first = Sitter(before.name, before.bot, 1, 0)
    sitters = before.sitters or Sitters((first,))
    now = Sitter(spec.name, spec.bot, *_find_moment(snapshot))
    return {
        "user": spec.user,
        "name": spec.name,
        "bot": spec.bot,
        "look": spec.look,
        "extra_seconds": spec.extra_seconds,
        "seen_at": None,
        "here": "",
        "controller": "",
        "sitters": sitters if over else sitters.add(now),
    }


def _find_moment(snapshot: Snapshot) -> tuple[int, int]:
    """Return the number of the current or next hand, and the number of actions in it."""
    hand: Hand | None = snapshot.prepared
    if hand is None or snapshot.match.phase == Match.Phase.PLAYING:
        hand = snapshot.hand
    assert hand is not None
    return hand.number, len(snapshot.actions) if hand is snapshot.hand else 0


def _remove_commitment(change: MatchChange, number: SeatNumber) -> None:
    """Remove the commitment of the seat's previous holder from the prepared hand.

    The new holder does not know the share. Once the list is closed, the commitment stays.
    """
    hand = change.old.prepared
    if hand is None or not hand.deals or hand.deals.current.agreed is not None:
        return
    change.update_hand(
        hand, deals=hand.deals.replace_attempt(hand.deals.current.remove_commitment(number))
    )


def _reset_times(change: MatchChange, number: SeatNumber) -> None:
    """Reset the seat's clocks, so that the new holder does not inherit the time used.

    If it is the seat's turn, the turn starts again.
    """
    state = change.state
    change.state = replace(
        state,
        banks=_remove_seat(state.banks, number),
        away=_remove_seat(state.away, number),
        lag=_remove_seat(state.lag, number),
        lost=_remove_seat(state.lost, number),
    )
    if change.old.match.phase == Match.Phase.PLAYING and state.turn_seat == number:
        assert change.old.hand is not None
        deadlines.start_turn(change, change.old.hand)


def _remove_seat(times: Any, number: SeatNumber) -> Any:
    return {seat: time for seat, time in times.items() if seat != number}


def _describe_holder(spec: SeatSpec) -> str:
    """Return the code of the log note about the new holder."""
    if spec.bot == EMPTY:
        return "seat-empty"
    return "seat-bot" if spec.bot else "seat-changed"
