"""Selection of the best players in a simulated round."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any


def best(
    worth: Mapping[int, Any], places: int, rng: Random, *, together: bool = False
) -> tuple[list[int], bool]:
    """Return the ids of the best `places`, best first, and whether points were level at the cut.

    `worth`: comparable values, more is better. Players level at the cut all advance if
    `together`. Otherwise chance replaces the tie-breakers, hand or lots that would separate them.
    """
    ranked = sorted(worth, key=lambda _player: rng.random())
    ranked.sort(key=worth.__getitem__, reverse=True)
    if not 0 < places < len(ranked):
        return ranked[: max(0, places)], False
    last = worth[ranked[places - 1]]
    level = worth[ranked[places]] == last
    if level and together:
        return [player for player in ranked if worth[player] >= last], True
    return ranked[:places], level
