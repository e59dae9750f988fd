"""Selection of the best players in a simulated round."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any


def select_best(
    scores: Mapping[int, Any], places: int, rng: Random, *, together: bool = False
) -> tuple[list[int], bool]:
    """Return the ids of the best `places`, best first, and whether there was a tie at the cut.

    `scores` has comparable values; more is better. All players tied at the cut advance if
    `together`. Otherwise chance replaces the tie-breakers, hand or lots that would separate them.
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
