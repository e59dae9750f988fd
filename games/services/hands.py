"""A hand before and after it is played: shuffled and committed to, dealt, counted."""

from datetime import timedelta

from games import seats
from games.models import Hand, Match
from games.rules import scoring, shuffle
from games.rules.chance import RecordingChance, SystemChance
from games.rules.events import Event
from games.rules.position import Position
from games.rules.rulesets import RuleSet
from games.rules.scoring import MatchScore
from games.seats import PlayerIndex, SeatNumber
from games.services import clock
from games.store import Change, Snapshot
from games.stored.shapes import Opening
from games.stored.state import LiveState


def first_hand(match: Match, rules: RuleSet, players: int) -> Hand:
    """Hand 1 with its dealer as the rules choose one; not saved."""
    dealer, drawn = scoring.first_dealer(rules, players, SystemChance())
    seated = [SeatNumber(seat) for seat in range(players)]
    rounds = [{str(seat): card for seat, card in each.items()} for each in drawn]
    return shuffled(match, rules, 1, seated, SeatNumber(dealer), {"dealer_drawn": rounds})


def shuffled(
    match: Match,
    rules: RuleSet,
    number: int,
    players: list[SeatNumber],
    dealer: SeatNumber,
    opening: Opening | None = None,
) -> Hand:
    """A hand that is shuffled and committed to but not dealt; not saved."""
    order, nonce, commitment = shuffle.new_deck(rules)
    return Hand(
        match=match,
        number=number,
        players=players,
        dealer=dealer,
        deck=order,
        nonce=nonce,
        commitment=commitment,
        opening=opening or {},
    )


def deal(change: Change) -> None:
    """Deal the prepared hand; the clock of its first player runs."""
    hand = change.old.prepared
    assert hand is not None
    chance = RecordingChance(SystemChance(), change.old.rules.pack)
    events: list[Event] = []
    dealer = seats.player_at(hand.players, hand.dealer)
    assert dealer is not None
    change.position = Position.deal(
        change.old.rules, len(hand.players), dealer, hand.deck, chance, events
    )
    opening: Opening = {**hand.opening, "chance": chance.results, "events": events}
    change.hand_fields(hand, dealt_at=change.now, opening=opening)
    change.match["phase"] = Match.Phase.PLAYING
    lost = change.state.lost
    change.state = LiveState(hand=hand.number, dealt=change.old.version + 1, lost=lost)
    change.notable = True
    clock.start_turn(change, hand)


def finish(change: Change, hand: Hand) -> None:
    """Count the hand that has just ended; prepare the next one, or end the match."""
    position = change.position
    assert position is not None
    points = seats.by_seat(position.points, hand.players, len(change.old.seats))
    winner = None
    if position.winner is not None:
        winner = seats.seat_of(hand.players, PlayerIndex(position.winner))
    left = scoring.points_left(change.old.rules, position.hands)
    change.hand_fields(
        hand,
        points=points,
        left=seats.by_seat(left, hand.players, len(change.old.seats)),
        winner=winner,
        ended_at=change.now,
        final=position.to_json(),
    )
    change.notable = True
    score = match_score(change.old, points)
    if ended := _ended(change, score):
        end_match(change, ended)
    else:
        _next_hand(change, hand, score, winner)


def match_score(snapshot: Snapshot, *more: list[int]) -> MatchScore:
    """The score of the finished hands, and of `more` after them."""
    hands = [hand.points for hand in snapshot.finished if hand.points is not None]
    return MatchScore(snapshot.rules, len(snapshot.seats), [*hands, *more])


def _ended(change: Change, score: MatchScore) -> str:
    """Why the match is over after this hand, or an empty string."""
    match = change.old.match
    if score.over:
        return Match.Ended.TARGET
    if match.hand_limit and len(change.old.finished) + 1 >= match.hand_limit:
        return Match.Ended.HAND_LIMIT
    return Match.Ended.TIME if time_is_up(change) else ""


def time_is_up(change: Change) -> bool:
    """Whether no further hand is to be dealt."""
    ends_at = change.old.match.ends_at
    return ends_at is not None and change.now >= ends_at


def end_match(change: Change, ended: str, reason: str = "") -> None:
    """The match is over: nothing is due any more."""
    change.match |= {
        "phase": Match.Phase.OVER,
        "ended": ended,
        "ended_reason": reason,
        "ended_at": change.now,
        "paused_at": None,
    }
    change.notable = True
    clock.stop(change)


def _next_hand(change: Change, hand: Hand, score: MatchScore, winner: SeatNumber | None) -> None:
    playing = [SeatNumber(seat) for seat in score.playing]
    dealer = scoring.next_dealer(change.old.rules, score.playing, hand.dealer, winner)
    prepare(change, hand.number + 1, playing, SeatNumber(dealer))


def prepare(change: Change, number: int, players: list[SeatNumber], dealer: SeatNumber) -> None:
    """Shuffle and commit to a hand now, to be dealt after the pause between hands."""
    match, rules = change.old.match, change.old.rules
    change.new_hands.append(shuffled(match, rules, number, players, dealer))
    change.match["phase"] = Match.Phase.BETWEEN
    # While the match is paused, what is due counts from the moment of the pause.
    start = match.paused_at or change.now
    clock.stop(change, start + timedelta(seconds=match.between_seconds))
