"""Metrics of the standings, with their texts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from games.rules.text import gettext_noop
from tournament.pure.ranking.results import FinishedMatches, Value, sum_fractions


@dataclass(frozen=True)
class Metric:
    """A metric of the standings.

    * `title`: the heading of its column.
    * `sentence`: its description on the organizer's form and the public page.
    * `value`: a function of (results, player, tied players). It returns None if the value is
      unknown or cannot be compared among the tied players.
    * `low`: whether lower values are better.
    * `among_tied`: whether the metric applies only to tied players.
    * `quick`: a faster function of (results, player) that gives the same order, or None.
    * `phrase`: its name within a sentence.

    The texts are translated when they are shown.
    """

    key: str
    title: str
    sentence: str
    value: Callable[[FinishedMatches, int, tuple[int, ...]], Value]
    low: bool = False
    among_tied: bool = False
    quick: Callable[[FinishedMatches, int], int] | None = None
    phrase: str = field(kw_only=True)


def _compute_points(results: FinishedMatches, player: int, tied: tuple[int, ...]) -> Value:
    return results.points(player)


def _compute_average(results: FinishedMatches, player: int, tied: tuple[int, ...]) -> Value:
    matches = results.count_credited(player)
    return Fraction(results.points(player), matches) if matches else None


def _count_wins(results: FinishedMatches, player: int, tied: tuple[int, ...]) -> Value:
    return results.wins(player)


def _compute_placement(results: FinishedMatches, player: int, tied: tuple[int, ...]) -> Value:
    return results.placement(player)


def _compute_share(results: FinishedMatches, player: int, tied: tuple[int, ...]) -> Value:
    """Return the player's mean share of table points per match, or None without a match.

    If the lowest score wins, the share of the other players counts instead.
    """
    matches = results.matches_of(player)
    if not matches:
        return None
    parts = [(*match.share_terms(player), match.low_wins) for match in matches]
    shares = [
        (total - own_points if low else own_points, total) for own_points, total, low in parts
    ]
    return sum_fractions(shares) / results.count_credited(player)


def _compute_points_left(results: FinishedMatches, player: int, tied: tuple[int, ...]) -> Value:
    matches = results.matches_of(player)
    if not matches or not all(match.left for match in matches):
        return None
    return sum(match.left[match.players.index(player)] for match in matches)


def _compute_opponent_strength(
    results: FinishedMatches, player: int, tied: tuple[int, ...]
) -> Value:
    """Return the average of the opponents' mean placements, or None without an opponent."""
    opponents = [
        opponent
        for match in results.matches_of(player)
        for opponent in match.players
        if opponent != player
    ]
    if not opponents:
        return None
    return sum_fractions(
        results.mean_placement(other).as_integer_ratio() for other in opponents
    ) / len(opponents)


def _compute_head_to_head(results: FinishedMatches, player: int, tied: tuple[int, ...]) -> Value:
    """Return the player's wins minus losses against the tied players.

    In each match, the player with the better place wins against the other. Returns None if the
    player has not met every tied player.
    """
    balance = 0
    for other in tied:
        common = [
            match
            for match in results.matches_of(player)
            if other in match.players and other != player
        ]
        if other != player and not common:
            return None
        for match in common:
            own_place, other_place = match.place(player), match.place(other)
            balance += (own_place < other_place) - (own_place > other_place)
    return balance


def _count_missed(results: FinishedMatches, player: int, tied: tuple[int, ...]) -> Value:
    return results.count_missed(player)


def draw_lot(key: str, player: int) -> int:
    """Return the number that a player draws with this key. Anyone can verify it with SHA-256."""
    return int(hashlib.sha256(f"{key}:{player}".encode()).hexdigest()[:12], 16)


def _compute_lot(results: FinishedMatches, player: int, tied: tuple[int, ...]) -> Value:
    return draw_lot(results.lots_key, player) if results.lots_key else None


METRICS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric(
            "points",
            gettext_noop("Points"),
            gettext_noop("Total points in the event."),
            _compute_points,
            phrase=gettext_noop("points"),
        ),
        Metric(
            "average",
            gettext_noop("Points per match"),
            gettext_noop("Points the player was caught with, per match. Fewest is best."),
            _compute_average,
            low=True,
            phrase=gettext_noop("points per match"),
        ),
        Metric(
            "missed",
            gettext_noop("Missed rounds"),
            gettext_noop("Fewer missed rounds."),
            _count_missed,
            low=True,
            phrase=gettext_noop("missed rounds"),
        ),
        Metric(
            "wins",
            gettext_noop("Wins"),
            gettext_noop("More matches won."),
            _count_wins,
            phrase=gettext_noop("matches won"),
        ),
        Metric(
            "placement",
            gettext_noop("Placement"),
            gettext_noop(
                "Better places at the tables: first place counts as 1, last place as 0, and "
                "the others are spaced evenly in between, whatever the table size."
            ),
            _compute_placement,
            quick=FinishedMatches.steps,
            phrase=gettext_noop("placement"),
        ),
        Metric(
            "share",
            gettext_noop("Share"),
            gettext_noop("Larger share of the points at the player’s own tables."),
            _compute_share,
            phrase=gettext_noop("share of table points"),
        ),
        Metric(
            "left",
            gettext_noop("Points left"),
            gettext_noop("Fewer points left in hand."),
            _compute_points_left,
            low=True,
            phrase=gettext_noop("points left in hand"),
        ),
        Metric(
            "opponents",
            gettext_noop("Opponents"),
            gettext_noop("Stronger opponents, judged by where they finished."),
            _compute_opponent_strength,
            phrase=gettext_noop("strength of opponents"),
        ),
        Metric(
            "head_to_head",
            gettext_noop("Head to head"),
            gettext_noop(
                "Better places at the tables where the tied players met. Counts only if all of "
                "them met."
            ),
            _compute_head_to_head,
            among_tied=True,
            phrase=gettext_noop("head to head"),
        ),
        Metric(
            "lots",
            gettext_noop("Drawing lots"),
            gettext_noop("Lots drawn with a recorded key, so that anyone can repeat the draw."),
            _compute_lot,
            low=True,
            among_tied=True,
            phrase=gettext_noop("drawing lots"),
        ),
    )
}

TIE_BREAKERS = ("wins", "placement", "share", "left", "opponents", "head_to_head", "lots")
# Lots are drawn only if the organizer chooses so. Otherwise, equal players remain tied.
DEFAULT_TIE_BREAKERS = tuple(key for key in TIE_BREAKERS if key != "lots")


def metric_keys_for(scoring: str, tie_breakers: Sequence[str] = TIE_BREAKERS) -> tuple[str, ...]:
    """Return the keys of an event's metrics: the headline metric, then the tie-breaks.

    `scoring` is the value of the rule option. If the lowest score wins, the headline metric is the
    average per match, because a total would favour players who missed a round. Raises KeyError for
    an unknown tie-break.
    """
    headline = "points" if scoring == "winner-takes" else "average"
    return (headline, *(METRICS[key].key for key in tie_breakers if key != headline))
