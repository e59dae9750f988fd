"""What the pages beside the live table show."""

from typing import Any

from games.models import Hand
from games.queries.replay import is_open, replay, shows_cards
from games.queries.sheet import ended_text, score_of
from games.rules import words
from games.seats import SeatNumber
from games.store import Snapshot


def result_page(snapshot: Snapshot) -> dict[str, Any]:
    """Seats with totals, places and whether they won; a row for every hand that was dealt.

    `winners` are seats, and `won_with` the points of each of them.

    `hands` rows have number, points along the seats (None while played or void), winner's name,
    a note and whether the replay is open.
    """
    match, score = snapshot.match, score_of(snapshot)
    rows = [
        {
            "number": seat.number,
            "name": seat.name,
            "bot": seat.bot,
            "total": score.totals[seat.number],
            "place": score.places[seat.number],
            "won": seat.number in score.winners,
            "out": seat.number in score.out,
        }
        for seat in snapshot.seats
    ]
    dealt = [hand for hand in snapshot.hands if hand.dealt_at]
    return {
        "match": match,
        "rules": snapshot.rules,
        "result": score,
        "seats": rows,
        "winners": [seat for seat in snapshot.seats if seat.number in score.winners],
        "won_with": score.totals[score.winners[0]] if score.winners else None,
        "hands": [_hand_row(snapshot, hand) for hand in dealt],
        "records": shows_cards(match),
        "ended_text": ended_text(match),
    }


def _hand_row(snapshot: Snapshot, hand: Hand) -> dict[str, Any]:
    blocked = hand.points is not None and hand.winner is None
    note = f"Void: {hand.void_reason}" if hand.void else "Blocked: nobody scores" if blocked else ""
    if hand.ended_at is None:
        note = "Being played"
    return {
        "number": hand.number,
        "points": hand.points,
        "winner": hand.winner,
        "winner_name": snapshot.seats[hand.winner].said if hand.winner is not None else "",
        "note": note,
        "open": is_open(snapshot.match, hand),
    }


def replay_page(snapshot: Snapshot, hand: Hand, seat: SeatNumber | None) -> dict[str, Any]:
    """Everything that the replay's script shows to this seat (None: a viewer), for json_script.

    Only for a hand that is open in the snapshot, which is what the seat may know.
    """
    match = snapshot.match
    numbers = [each.number for each in snapshot.hands if is_open(match, each)]
    return {
        "hand": hand.number,
        "hands": len(numbers),
        "before": max((number for number in numbers if number < hand.number), default=None),
        "after": min((number for number in numbers if number > hand.number), default=None),
        "seats": [
            {"seat": one.number, "name": one.said, "playing": one.number in hand.players}
            for one in snapshot.seats
        ],
        "dealer": hand.dealer,
        "points": hand.points,
        "winner": hand.winner,
        "void": hand.void,
        "commitment": hand.commitment,
        "colors": words.color_choices(snapshot.rules),
        "deck": words.deck_facts(snapshot.rules),
        "records": shows_cards(match),
        "steps": replay(hand, seat),
    }
