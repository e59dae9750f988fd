"""A hand before and after play: preparation, scoring, and the next step."""

from datetime import timedelta

from games import seats
from games.clocks import timing
from games.json_values.deals import UNUSED
from games.models import Hand, Match
from games.play import deadlines, dealing
from games.rules import scoring
from games.rules.bots.bots import EMPTY
from games.rules.ruleset.rulesets import RuleSet
from games.rules.scoring import MatchScore
from games.seats import PlayerIndex, SeatNumber
from games.store import MatchChange, Snapshot


def first_hand(match: Match, rules: RuleSet, players: int) -> Hand:
    """Return the unsaved first hand, for the seats that have not been eliminated.

    Its dealer is drawn when it is dealt.
    """
    playing = MatchScore(rules, players, match.before).playing
    return dealing.prepare_hand(match, 1, [SeatNumber(seat) for seat in playing], None)


def finish_hand(change: MatchChange, hand: Hand) -> None:
    """Score the hand that has just ended, then prepare the next one or end the match."""
    position = change.position
    assert position is not None
    points = seats.spread_over_seats(position.points, hand.players, len(change.old.seats))
    winner = None
    if position.winner is not None:
        winner = seats.seat_of(hand.players, PlayerIndex(position.winner))
    left = scoring.points_left(change.old.rules, position.hands)
    change.update_hand(
        hand,
        points=points,
        left=seats.spread_over_seats(left, hand.players, len(change.old.seats)),
        winner=winner,
        ended_at=change.now,
        final=position.to_json(),
    )
    change.notable = True
    score = match_score(change.old, points)
    if ended := _find_end_reason(change, score):
        end_match(change, ended)
    else:
        playing = _find_dealt_in_seats(change.old, score)
        dealer = scoring.next_dealer(change.old.rules, playing, hand.dealing, winner)
        prepare_next_hand(change, hand.number + 1, playing, SeatNumber(dealer))


def match_score(snapshot: Snapshot, *more: list[int]) -> MatchScore:
    """Return the score of the match after its finished hands and `more` hands.

    Earlier hands that the match carried over are included.
    """
    hands = [hand.points for hand in snapshot.finished if hand.points is not None]
    before = snapshot.match.before
    return MatchScore(snapshot.rules, len(snapshot.seats), [*before, *hands, *more])


def _find_end_reason(change: MatchChange, score: MatchScore) -> str:
    """Return why the match ends after this hand, or "" if it does not."""
    match = change.old.match
    if score.over:
        return Match.MatchEnding.TARGET
    played = len(match.before) + len(change.old.finished) + 1
    if match.hand_limit and played >= match.hand_limit:
        return Match.MatchEnding.HAND_LIMIT
    return Match.MatchEnding.TIME if is_time_up(change) else ""


def is_time_up(change: MatchChange) -> bool:
    """Return whether the match's time limit has passed."""
    ends_at = change.old.match.ends_at
    return ends_at is not None and change.now >= ends_at


def end_match(change: MatchChange, ended: str, reason: str = "") -> None:
    """End the match and clear all its deadlines."""
    change.match |= {
        "phase": Match.Phase.OVER,
        "ended": ended,
        "ended_reason": reason,
        "ended_at": change.now,
        "paused_at": None,
    }
    change.notable = True
    if (hand := change.old.prepared) is not None:
        change.update_hand(hand, deals=hand.deals.end_attempt(UNUSED))
    deadlines.clear_turn(change)


def _find_dealt_in_seats(snapshot: Snapshot, score: MatchScore) -> list[SeatNumber]:
    """Return the seats that are dealt into the next hand.

    Empty seats are left out if the rules can be played without them.
    """
    playing = [SeatNumber(seat) for seat in score.playing]
    occupied = [seat for seat in playing if snapshot.seats[seat].bot != EMPTY]
    # A partnership game needs all four seats, so none of them is left out.
    enough = len(occupied) >= snapshot.rules.min_seats
    return occupied if enough else playing


def prepare_next_hand(
    change: MatchChange, number: int, players: list[SeatNumber], dealer: SeatNumber
) -> None:
    """Prepare the next hand, which is dealt after the pause between hands."""
    match = change.old.match
    change.new_hands.append(dealing.prepare_hand(match, number, players, dealer))
    change.match["phase"] = Match.Phase.BETWEEN
    # While the match is paused, `due` is relative to the moment of the pause.
    start = match.paused_at or change.now
    deadlines.clear_turn(
        change, start + timedelta(seconds=match.between_seconds) - timing.closing_lead(match)
    )
