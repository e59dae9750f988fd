"""What the pages beside the live table show."""

from typing import Any

from games.models import Hand, Match
from games.queries.replay import replay
from games.queries.sheet import ended_text, result
from games.rules import explain, rulesets


def result_page(match: Match) -> dict[str, Any]:
    """Seats with totals, places and whether they won; a row for every hand that was dealt.

    `hands` rows have number, points along the seats (None while played or void), winner's name,
    a note and whether the replay is open.
    """
    rules = rulesets.make(match.ruleset, match.options)
    score = result(match)
    seats = list(match.seats.order_by("number"))
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
        for seat in seats
    ]
    over = match.phase == Match.Phase.OVER
    dealt = match.hands.filter(dealt_at__isnull=False).order_by("number")
    return {
        "match": match,
        "rules": rules,
        "result": score,
        "seats": rows,
        "hands": [_hand_row(hand, [seat.name for seat in seats], over) for hand in dealt],
        "ended_text": ended_text(match),
    }


def _hand_row(hand: Hand, names: list[str], over: bool) -> dict[str, Any]:
    blocked = hand.points is not None and hand.winner is None
    note = f"Void: {hand.void_reason}" if hand.void else "Blocked: nobody scores" if blocked else ""
    if hand.ended_at is None:
        note = "Being played"
    return {
        "number": hand.number,
        "points": hand.points,
        "winner": hand.winner,
        "winner_name": names[hand.winner] if hand.winner is not None else "",
        "note": note,
        "open": over,
    }


def replay_page(hand: Hand) -> dict[str, Any]:
    """Everything that the replay's script shows, for json_script. Only for a hand that is open."""
    match = hand.match
    rules = rulesets.make(match.ruleset, match.options)
    return {
        "hand": hand.number,
        "hands": [h.number for h in match.hands.filter(dealt_at__isnull=False).order_by("number")],
        "seats": [
            {"seat": seat.number, "name": seat.name, "playing": seat.number in hand.players}
            for seat in match.seats.order_by("number")
        ],
        "dealer": hand.dealer,
        "points": hand.points,
        "winner": hand.winner,
        "void": hand.void,
        "commitment": hand.commitment,
        "nonce": hand.nonce,
        "deck": hand.deck,
        "colors": [{"color": c, "name": explain.color_name(c)} for c in rules.colors],
        "names": {card: explain.card_name(card) for card in sorted(set(hand.deck))},
        "steps": replay(hand),
    }
