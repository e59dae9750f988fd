"""Selection of the best players in a simulated round."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any


def select_best(
    scores: Mapping[int, Any], places: int, rng: Random, *, together: bool = False
) -> tuple[list[int], bool]:
    """Return the best players, best first, and whether there is a tie at the cut.

    * `scores`: comparable values by player. Higher is better.
    * `places`: the number of players to select.
    * `together`: whether to select all players who are tied at the cut. Otherwise, chance decides
      instead of a tie-break, a hand or lots.
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
