"""Match lifecycle and organizer actions."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import store
from games.clocks import timing
from games.liveness.heartbeat import beat_if_overdue
from games.matches.spec import MatchSpec, SeatSpec, number_duplicate_name
from games.models import Hand, Match, Seat
from games.play import deadlines, dealing, hands, notes, outages
from games.play.answers import GOING, RefusedError
from games.play.codes import PlayCode
from games.play.commit import retry_on_conflict
from games.play.outages import MAX_QUIET
from games.rules.bots import bots
from games.rules.ruleset import rulesets
from games.seats import SeatNumber
from games.store import MatchChange

MAX_REASON_LENGTH = 300


@transaction.atomic
def create_match(spec: MatchSpec) -> Match:
    """Create a match, with the server's commitment to its first hand.

    Play begins with `start_match`.

    Raises:
        OptionError: The rules cannot be played with these options or this number of seats.
        KeyError: A bot is unknown.
        ValueError: There is a guest in a match that is not practice.
    """
    rules = rulesets.make(spec.ruleset, spec.options)
    rules.check_seats(len(spec.seats))
    if not spec.practice and any(seat.guest for seat in spec.seats):
        raise ValueError("guests only practice")
    # Store all options, because a later version of the site may have other defaults.
    match = Match.objects.create(**spec.columns(), options=rules.options())
    Seat.objects.bulk_create(
        _build_seat(match, SeatNumber(number), seat)
        for number, seat in enumerate(_make_names_distinct(spec.seats))
    )
    hands.first_hand(match, rules, len(spec.seats)).save(force_insert=True)
    return match


def _make_names_distinct(specs: Sequence[SeatSpec]) -> list[SeatSpec]:
    distinct: dict[str, SeatSpec] = {}
    for spec in specs:
        name = number_duplicate_name(spec.name, distinct)
        distinct[name.casefold()] = replace(spec, name=name)
    return list(distinct.values())


def _build_seat(match: Match, number: SeatNumber, spec: SeatSpec) -> Seat:
    if spec.bot and spec.bot not in (bots.EMPTY, *bots.STRENGTHS):
        raise KeyError(spec.bot)
    return Seat(
        match=match,
        number=number,
        name=spec.name,
        user=spec.user,
        guest=spec.guest,
        bot=spec.bot,
        look=spec.look,
        extra_seconds=spec.extra_seconds,
    )


def start_match(match: Match) -> Match:
    """Start the match. The first hand is dealt once the players' shares have arrived.

    Raises RefusedError with the code `started`.
    """

    def start(change: MatchChange) -> None:
        if change.old.match.phase != Match.Phase.WAITING:
            raise RefusedError(PlayCode.STARTED, _("This match has already started."))
        change.match |= {"started_at": change.now, "outage": outages.newest_outage()}
        dealing.begin_first_deal(change)

    return _change_match(match, start)


def pause_match(match: Match) -> Match:
    """Stop all clocks of the match.

    Raises RefusedError with the code `not-going` or `paused`.
    """

    def pause(change: MatchChange) -> None:
        _check_in_progress(change)
        old = change.old.match
        if old.paused and not timing.is_deserted(old):
            raise RefusedError(PlayCode.PAUSED, _("This match is already paused."))
        # A returning player must no longer resume the match.
        change.state = replace(change.state, deserted=False)
        change.match["paused_at"] = old.paused_at or change.now
        change.notable = True

    return _change_match(match, pause)


def resume_match(match: Match) -> Match:
    """Resume the match with the time that was left when it was paused.

    Raises RefusedError with the code `not-going` or `not-paused`.
    """

    def resume(change: MatchChange) -> None:
        _check_in_progress(change)
        if not change.old.match.paused:
            raise RefusedError(PlayCode.NOT_PAUSED, _("This match isn’t paused."))
        deadlines.resume_clocks(change)
        change.notable = True

    return _change_match(match, resume)


def set_commentary(match: Match, enabled: bool) -> Match:
    """Set whether the table shows the notice that commentators may see the cards."""

    def apply_setting(change: MatchChange) -> None:
        change.match["commentary"] = enabled
        change.notable = True

    return _change_match(match, apply_setting)


def limit_viewers(match: Match, until: datetime | None) -> Match:
    """Hide everything after `until` from people without a seat. None removes the limit.

    Moves that players are sending at the same time do not become stale.
    """

    def apply_limit(change: MatchChange) -> None:
        change.match["viewers_until"] = until
        quiet = (*change.state.quiet, change.old.version + 1)
        change.state = replace(change.state, quiet=quiet[-MAX_QUIET:])
        change.notable = True

    return _change_match(match, apply_limit)


def abandon_match(match: Match, reason: str, *, goes_on: bool = False) -> Match:
    """End the match without a result. The hand being played becomes void.

    Set `goes_on` if the table continues in another match or with physical cards, so that its
    finished hands still count.

    Raises RefusedError with the code `over`.
    """

    def apply_abandonment(change: MatchChange) -> None:
        if change.old.match.phase == Match.Phase.OVER:
            raise RefusedError(PlayCode.OVER, _("This match is already over."))
        _void_current_hand(change, _normalize_reason(reason))
        played = bool(change.old.finished or change.old.match.before)
        change.match["goes_on"] = goes_on and played
        hands.end_match(change, Match.MatchEnding.ABANDONED, _normalize_reason(reason))

    return _change_match(match, apply_abandonment)


def _normalize_reason(reason: str) -> str:
    """Return the reason to be stored: shortened, and with punctuation at the end.

    On pages, another sentence may follow it.
    """
    text = reason.strip()
    return (f"{text}." if text[-1:].isalnum() else text)[:MAX_REASON_LENGTH]


def redo_hand(match: Match, reason: str, number: int | None = None) -> Match:
    """Void the hand being played and deal it again. A paused match stays paused.

    The void hand remains stored. If `number` is given, the hand must have this number.

    Raises RefusedError with the code `not-playing` or `other-hand`.
    """

    def redo(change: MatchChange) -> None:
        hand = _require_hand_in_play(change)
        if number is not None and hand.number != number:
            text = _(
                "The table has moved on to hand {number}. Check whether you want that hand "
                "dealt again instead."
            )
            raise RefusedError(PlayCode.OTHER_HAND, text.format(number=hand.number))
        _void_current_hand(change, _normalize_reason(reason))
        notes.add(change, "redone", number=hand.number, reason=_normalize_reason(reason))
        hands.prepare_next_hand(change, hand.number + 1, hand.players, hand.dealing)
        change.notable = True

    return _change_match(match, redo)


def _require_hand_in_play(change: MatchChange) -> Hand:
    hand = change.old.hand
    if change.old.match.phase != Match.Phase.PLAYING or hand is None:
        raise RefusedError(
            PlayCode.NOT_PLAYING, _("No hand is in progress, so there’s nothing to deal again.")
        )
    return hand


def _change_match(match: Match, work: Callable[[MatchChange], None]) -> Match:
    """Apply `work` to the current match, commit it, and return the changed match."""

    def apply_change(snapshot: store.Snapshot) -> Match:
        change = MatchChange.from_snapshots(snapshot, timezone.now())
        work(change)
        return store.commit(change).match

    beat_if_overdue()
    # This process may have an outdated copy of the match. These changes are rare, so an extra query
    # does not matter.
    store.forget(match.pk)
    return retry_on_conflict(match.pk, apply_change)


def _check_in_progress(change: MatchChange) -> None:
    if change.old.match.phase not in GOING:
        raise RefusedError(PlayCode.NOT_GOING, _("This match isn’t being played right now."))


def _void_current_hand(change: MatchChange, reason: str) -> None:
    hand = change.old.hand
    if hand is not None and hand.ended_at is None:
        final = change.position.to_json() if change.position else None
        change.update_hand(hand, void=True, void_reason=reason, ended_at=change.now, final=final)
