"""Each seat's chance of winning an unfinished hand, estimated from the cards in the hands.

A hand of UNO is mostly luck, so the winner of a complete playout says little about one move. An
estimate a few moves later says more, because it varies much less. The weights were fitted to hands
of plain bots (`python -m bench.weights`). They are almost the same for all five rule sets.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from games.rules.bots.rollout import RolloutPolicy
from games.rules.hand.state import HandState


class Weights(NamedTuple):
    """Weights of a seat's features in its strength.

    The strength is the logarithm of the seat's share of the chances.
    """

    card: float  # per card held
    one: float  # added if exactly one card is left
    two: float  # added if two cards are left
    three: float  # added if three cards are left
    wild: float  # per card that can be played at any time
    tempo: float  # per kind that takes a player's turn
    match: float  # per kind that fits now
    fit: float  # added if any card fits
    last_fit: float  # added if the only card left fits
    turn_fit: float  # added if any card fits and it is the seat's turn
    goes_out: float  # added if the only card left fits and it is the seat's turn


TWO_SEATS = Weights(-0.245, 0.373, 0.323, 0.177, 0.532, 0.335, 0.041, 0.218, 0.968, 0.123, 3.608)
MORE_SEATS = Weights(-0.277, 0.759, 0.435, 0.161, 0.613, 0.102, -0.011, 0.332, 0.651, 0.185, 4.64)


def features(hand: HandState, player: RolloutPolicy, seat: int) -> Weights:
    """Return the features of one seat. Each is stored in the field of its weight."""
    count, held = len(hand.hands[seat]), hand.masks[seat]
    matches = (held & hand.base).bit_count()
    fit, turn = matches > 0, seat == hand.actor
    return Weights(
        count,
        count == 1,
        count == 2,
        count == 3,
        _count_wilds(hand, player, seat),
        (held & player.tempo).bit_count(),
        matches,
        fit,
        fit and count == 1,
        turn and fit,
        turn and fit and count == 1,
    )


def _count_wilds(hand: HandState, player: RolloutPolicy, seat: int) -> int:
    if not hand.masks[seat] & player.always:
        return 0
    return sum(player.always >> kind & 1 for kind in hand.hands[seat])


def win_chances(hand: HandState, player: RolloutPolicy) -> list[float]:
    """Return each seat's chance of winning. A finished hand gives 1 or 0."""
    if hand.over:
        return [float(seat == hand.winner) for seat in range(hand.seats)]
    weights = TWO_SEATS if hand.seats == 2 else MORE_SEATS
    strengths = [exp(_compute_strength(hand, player, seat, weights)) for seat in range(hand.seats)]
    total = sum(strengths)
    return [strength / total for strength in strengths]


def _compute_strength(hand: HandState, player: RolloutPolicy, seat: int, weights: Weights) -> float:
    """Return the sum of ``features`` times ``weights``, without calling ``features`` for speed."""
    count, held = len(hand.hands[seat]), hand.masks[seat]
    strength = weights[0] * count
    if count < 4:
        strength += weights[count]
    if held & player.always:
        strength += weights.wild * _count_wilds(hand, player, seat)
    strength += weights.tempo * (held & player.tempo).bit_count()
    matches = (held & hand.base).bit_count()
    if matches:
        strength += weights.match * matches + weights.fit
        if count == 1:
            strength += weights.last_fit
        if seat == hand.actor:
            strength += weights.turn_fit + (weights.goes_out if count == 1 else 0)
    return strength
