"""Finished matches as the standings take them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import groupby
from math import lcm

# None: not known, or not to be compared.
Value = int | Fraction | None
WRONG_SIZE = "{} has {} figures for {} players."


@dataclass(frozen=True)
class MatchResult:
    """What one finished match counts for: all tuples run along the seats.

    `players`: player ids in seat order. `points`: total of each seat. `winners`: ids (several may
    share a win). `left`: points left in the cards of each seat over all hands, or () where nobody
    noted them (a paper table). `places`: 1 for the best, equal numbers for a shared place, or ()
    to take them from the points. `low_wins`: fewest points are best ("lowest", "elimination").
    `table`: its number in the hall, which need not be the place among the results.
    """

    players: tuple[int, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    low_wins: bool = False
    table: int = 0

    def __post_init__(self) -> None:
        size = len(self.players)
        if len(self.points) != size:
            raise ValueError(WRONG_SIZE.format("points", len(self.points), size))
        if self.left and len(self.left) != size:
            raise ValueError(WRONG_SIZE.format("left", len(self.left), size))
        if self.places and len(self.places) != size:
            raise ValueError(WRONG_SIZE.format("places", len(self.places), size))

    def place(self, player: int) -> int:
        """1 for the best at the table; equal results share the better place."""
        return self._ranks[self.players.index(player)]

    @cached_property
    def _ranks(self) -> tuple[int, ...]:
        """The place of each seat."""
        if self.places:
            return self.places
        strengths = [self._strength(seat) for seat in range(len(self.players))]
        best_first = sorted(strengths, reverse=True)
        return tuple(1 + best_first.index(mine) for mine in strengths)

    def _strength(self, seat: int) -> tuple[bool, int]:
        # A winner is never placed behind a loser, whatever a paper sheet's totals say.
        points = -self.points[seat] if self.low_wins else self.points[seat]
        return (self.players[seat] in self.winners, points)

    def order(self) -> list[list[int]]:
        """The ids from best to worst, those that share a place together."""
        ranked = sorted(self.players, key=self.place)
        return [list(ids) for _place, ids in groupby(ranked, key=self.place)]

    def share(self, player: int) -> Fraction:
        """The player's part of all points of the table; the fair part where nobody has any."""
        total = sum(self.points)
        if total == 0:
            return Fraction(1, len(self.players))
        return Fraction(self.points[self.players.index(player)], total)

    def placement(self, player: int) -> Fraction:
        """1 for the first, 0 for the last, evenly between; a shared place gets the mean."""
        place = self.place(player)
        return _placement(len(self.players), place, self._ranks.count(place))


@cache
def _placement(size: int, place: int, sharing: int) -> Fraction:
    """Of a place at a table of that size, which so many share: there are few of these."""
    if size < 2:
        return Fraction(1)
    return Fraction(2 * (size - place) - sharing + 1, 2 * (size - 1))


def added(fractions: Iterable[Fraction]) -> Fraction:
    """Their sum: whole numbers are added for each denominator, of which there are few."""
    sums: dict[int, int] = {}
    for each in fractions:
        sums[each.denominator] = sums.get(each.denominator, 0) + each.numerator
    below = lcm(*sums)
    return Fraction(sum(above * (below // each) for each, above in sums.items()), below)


@dataclass(frozen=True)
class Adjustment:
    """What counts for a player beside the matches: `points` more (or fewer, below 0), and so many
    `matches` that count as played. `sentence` says why."""

    points: int
    sentence: str
    matches: int = 0


# By player.
Adjustments = Mapping[int, Sequence[Adjustment]]


class Results:
    """The finished matches of an event, asked for one player at a time."""

    def __init__(
        self,
        matches: Iterable[MatchResult],
        lots_key: str,
        adjustments: Adjustments | None = None,
    ) -> None:
        self.matches = list(matches)
        self.lots_key = lots_key
        self.adjustments = adjustments or {}
        self.compared: dict[tuple[int, str], Value] = {}
        self._placements: dict[int, Fraction] = {}
        self._means: dict[int, Fraction] = {}

    @cached_property
    def _by_player(self) -> dict[int, list[MatchResult]]:
        found: dict[int, list[MatchResult]] = {}
        for match in self.matches:
            for player in match.players:
                found.setdefault(player, []).append(match)
        return found

    def of(self, player: int) -> list[MatchResult]:
        """The matches that this player finished."""
        return self._by_player.get(player, [])

    @cached_property
    def _points(self) -> dict[int, int]:
        sums: dict[int, int] = {}
        for match in self.matches:
            for player, points in zip(match.players, match.points, strict=True):
                sums[player] = sums.get(player, 0) + points
        return sums

    def points(self, player: int) -> int:
        """The points of all matches that this player finished."""
        return self._points.get(player, 0)

    def beside(self, player: int) -> int:
        """Points beside those of the matches."""
        return sum(each.points for each in self.adjustments.get(player, ()))

    def counting(self, player: int) -> int:
        """How many matches count as played: the finished ones, and what is added to them."""
        added = sum(each.matches for each in self.adjustments.get(player, ()))
        return len(self.of(player)) + added

    def placement(self, player: int) -> Fraction:
        """The player's placements added up, kept: everybody met asks for them too."""
        if player not in self._placements:
            self._placements[player] = added(m.placement(player) for m in self.of(player))
        return self._placements[player]

    def mean_placement(self, player: int) -> Fraction:
        """The same for each match; of who has finished one."""
        if player not in self._means:
            self._means[player] = self.placement(player) / len(self.of(player))
        return self._means[player]
