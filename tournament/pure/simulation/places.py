"""Selection of the best players in a simulated round."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any


def select_best(
    scores: Mapping[int, Any], places: int, rng: Random, *, together: bool = False
) -> tuple[list[int], bool]:
    """Select the best `places` players. Return their ids, best first, and whether the cut is tied.

    `scores` has comparable values; more is better. If `together`, all players tied at the cut
    advance. Otherwise, chance replaces any tie-break, hand or lots.
    """
    ranked = sorted(scores, key=lambda _player: rng.random())
    ranked.sort(key=scores.__getitem__, reverse=True)
    if not 0 < places < len(ranked):
        return ranked[: max(0, places)], False
    last_score = scores[ranked[places - 1]]
    is_tied = scores[ranked[places]] == last_score
    if is_tied and together:
        return [player for player in ranked if scores[player] >= last_score], True
    return ranked[:places], is_tied
