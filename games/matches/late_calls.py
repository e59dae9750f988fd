"""Late UNO calls and catches, which wait for each other so that the earliest one wins.

Claims wait in `Match.race`, grouped by the player who forgot to call UNO. They do not create
versions, so no one can see them. When the window of a race is over, the ticker or the next request
that waits for the race decides it. The decision is committed against one version, so it is made
only once.
"""

from datetime import UTC, datetime, timedelta

from games import store
from games.clocks import races, timing
from games.json_values.race import Claim, Race, Races
from games.json_values.submitted_action import SubmittedAction
from games.play.answers import RefusedError, RequestTiming
from games.play.commit import RaceDecision, commit_action
from games.rules.actions.actions import Action
from games.seats import PlayerIndex, enumerate_players, seat_of
from games.store import Snapshot


def is_contested(snapshot: Snapshot, submitted: SubmittedAction) -> bool:
    """Return whether another player may have made an earlier claim that has not arrived yet."""
    hand, position = snapshot.in_play
    others = (
        snapshot.seats[seat] for n, seat in enumerate_players(hand.players) if n != submitted.player
    )
    return bool(position.uncalled >> _find_forgetful_player(submitted) & 1) and any(
        seat.holder is not None for seat in others
    )


def enter_claim(
    snapshot: Snapshot, submitted: SubmittedAction, request_timing: RequestTiming
) -> Snapshot:
    """Record the claim, to be decided when the window of its race is over.

    Raises ConflictError if another change is committed first.
    """
    forgetful, running = _find_forgetful_player(submitted), snapshot.match.race
    race = running.find(forgetful) or _open_race(snapshot, forgetful, request_timing.now)
    hand, _ = snapshot.in_play
    match, seat = snapshot.match, snapshot.seats[seat_of(hand.players, submitted.player)]
    credit = int(1000 * timing.quota(match, match.state, seat).race_credit(request_timing.lag))
    claim = Claim(submitted, timing.milliseconds_since_epoch(request_timing.received), credit)
    return _store_races(snapshot, running.put(races.add_claim(race, claim)))


def _store_races(snapshot: Snapshot, running: Races) -> Snapshot:
    return store.save_race(
        snapshot, running, _find_window_end(running) or snapshot.match.turn_until
    )


def pending_action(snapshot: Snapshot, player: PlayerIndex, client_id: str) -> Action | None:
    """Return the action of this player's undecided claim with this id, or None."""
    for claim in snapshot.match.race.claims:
        if _is_same_claim(claim, player, client_id):
            return claim.submitted.action
    return None


def next_decision_time(snapshot: Snapshot) -> datetime | None:
    """Return when the next race will be decided, or None if there is no race."""
    return _find_window_end(snapshot.match.race)


def _find_window_end(running: Races) -> datetime | None:
    end = running.until
    return None if end is None else datetime.fromtimestamp(end / 1000, UTC)


def settle_races(snapshot: Snapshot, now: datetime) -> Snapshot:
    """Decide all races whose window is over, and return the resulting snapshot.

    Raises ConflictError if another process decides them first.
    """
    for race in snapshot.match.race.running:
        if race.until <= timing.milliseconds_since_epoch(now):
            return settle_races(_decide_race(snapshot, race, now), now)
    return snapshot


def find_lost_claim(
    snapshot: Snapshot, player: PlayerIndex, client_id: str
) -> tuple[str, str] | None:
    """Return the code and the sentence for a claim in this hand that lost to a faster one.

    Returns None if there is no such claim with this id.
    """
    hand = snapshot.hand
    if hand is None:
        return None
    for logged in reversed(snapshot.actions):
        for late in logged.timing.claims[1:]:
            if _is_same_claim(late.claim, player, client_id):
                forgetful, names = (
                    _find_forgetful_player(late.claim.submitted),
                    snapshot.names(hand),
                )
                return races.explain_lost_claim(logged.timing.claims[0], late, forgetful, names)
    return None


def _is_same_claim(claim: Claim, player: PlayerIndex, client_id: str) -> bool:
    return (claim.player, claim.submitted.client_id) == (player, client_id)


def _decide_race(snapshot: Snapshot, race: Race, now: datetime) -> Snapshot:
    decided, others = races.rank_claims(race), snapshot.match.race.remove(race.of)
    delay = timedelta(milliseconds=timing.milliseconds_since_epoch(now) - race.since)
    first = decided.claims[0].claim.submitted
    try:
        return commit_action(snapshot, first, now, race=RaceDecision(decided, others, delay))
    except RefusedError:
        # The rules accepted this claim when it arrived, but may refuse it now. The table must
        # continue in any case.
        return _store_races(snapshot, others)


def _open_race(snapshot: Snapshot, forgetful: PlayerIndex, now: datetime) -> Race:
    pause = int(snapshot.rules.catch_pause * 1000)
    plays = (
        action
        for action in reversed(snapshot.actions)
        if action.player == forgetful and action.verb == "play"
    )
    forgotten = timing.milliseconds_since_epoch(next(plays).at)
    return races.open_race(forgetful, forgotten, pause, timing.milliseconds_since_epoch(now))


def _find_forgetful_player(submitted: SubmittedAction) -> PlayerIndex:
    """Return the player who forgot to call UNO: the caller, or the player to be caught."""
    return (
        submitted.player if submitted.action.verb == "call" else PlayerIndex(submitted.action.seat)
    )
