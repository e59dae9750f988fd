"""A seat's chance to win an unfinished hand, estimated from its visible facts.

A hand of UNO is mostly luck, so the winner of a complete playout says little about one move. This
estimate, made a few moves later, says more and depends much less on chance. The weights were fitted
to hands of plain players (`python -m bench.weights`). They are almost the same for all five rule
sets.
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

    card: float  # each card held
    one: float  # in addition, with one card left, two, or three
    two: float
    three: float
    wild: float  # each card that can be played at any time
    tempo: float  # each kind of card that takes a player's turn
    match: float  # each kind that fits now
    fit: float  # if any card fits
    last_fit: float  # in addition, if it is the last card
    turn_fit: float  # if any card fits, and it is the seat's turn
    goes_out: float  # in addition, if it is the last card


TWO_SEATS = Weights(-0.245, 0.373, 0.323, 0.177, 0.532, 0.335, 0.041, 0.218, 0.968, 0.123, 3.608)
MORE_SEATS = Weights(-0.277, 0.759, 0.435, 0.161, 0.613, 0.102, -0.011, 0.332, 0.651, 0.185, 4.64)


def features(hand: HandState, player: RolloutPolicy, seat: int) -> Weights:
    """Return the features of one seat, which are multiplied by the weights."""
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
    """Return each seat's chance to win. In a finished hand, it is 1 for the winner."""
    if hand.over:
        return [float(seat == hand.winner) for seat in range(hand.seats)]
    weights = TWO_SEATS if hand.seats == 2 else MORE_SEATS
    strengths = [exp(_compute_strength(hand, player, seat, weights)) for seat in range(hand.seats)]
    total = sum(strengths)
    return [strength / total for strength in strengths]


def _compute_strength(hand: HandState, player: RolloutPolicy, seat: int, weights: Weights) -> float:
    """Return the sum of ``features`` times ``weights``. It is written out for speed."""
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
