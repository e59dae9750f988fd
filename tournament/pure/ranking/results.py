"""Finished matches in the form that the standings use."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, groupby
from math import lcm
from operator import neg


@dataclass(frozen=True)
class Bot:
    """A bot that plays on a seat. `seat` is the seat's key.

    A bot has points and a place at its table, but no rank. It cannot advance or win the event.
    """

    seat: int


# The holder of a seat: a player's registration key, or a bot.
Holder = int | Bot


def exclude_bots(holders: Iterable[Holder]) -> list[int]:
    """Return only the players among these holders."""
    return [each for each in holders if not isinstance(each, Bot)]


# The value of a metric. None if it is unknown or cannot be compared.
Value = int | Fraction | None
# Higher than the points of any match.
WINNER_BONUS = 10**12
WRONG_SIZE = "{} has {} figures for {} players."


# Not frozen: thousands are created, and a frozen instance takes five times as long to create.
@dataclass
class MatchResult:
    """The result of a finished match. All tuples except `winners` are in seat order.

    * `players`: the holders of the seats.
    * `points`: the total of each seat.
    * `winners`: the holders who won. A win may be shared.
    * `left`: the total points of the cards left in hand at each seat, or () if they were not
      recorded, as on paper.
    * `places`: the place of each seat from 1, with equal numbers for a shared place. If (), places
      follow from the points.
    * `low_wins`: whether the fewest points are best ("lowest", "elimination").
    * `table`: the table's number in the hall.
    """

    players: tuple[Holder, ...]
    points: tuple[int, ...]
    winners: tuple[Holder, ...] = ()
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

    def place(self, player: Holder) -> int:
        """Return the place of a player or bot, from 1. Equal results share the better place."""
        return self._seat_places[self.players.index(player)]

    @cached_property
    def _seat_places(self) -> tuple[int, ...]:
        """The place of each seat."""
        if self.places:
            return self.places
        strengths = self._seat_strengths
        best_first = sorted(strengths, reverse=True)
        return tuple([1 + best_first.index(strength) for strength in strengths])

    @property
    def _seat_strengths(self) -> list[int]:
        """A value for each seat that determines the order. Higher is better."""
        if self.places:
            return [-place for place in self.places]
        strengths = list(map(neg, self.points)) if self.low_wins else list(self.points)
        for winner in self.winners:
            # A winner never ranks behind a loser, whatever the totals on a paper score sheet.
            strengths[self.players.index(winner)] += WINNER_BONUS
        return strengths

    def order(self) -> list[list[Holder]]:
        """Return groups of holders who share a place, best first."""
        ranked = sorted(self.players, key=self.place)
        return [list(ids) for _place, ids in groupby(ranked, key=self.place)]

    def share(self, player: Holder) -> Fraction:
        """Return the player's share of the table's points.

        If there are no points at the table, all shares are equal.
        """
        return Fraction(*self.share_terms(player))

    def normalized_share(self, player: Holder) -> Fraction:
        """Return the player's share of the points, or 1 minus it if the fewest points are best."""
        share = self.share(player)
        return 1 - share if self.low_wins else share

    def share_terms(self, player: Holder) -> tuple[int, int]:
        """Return the numerator and denominator of the player's share.

        These are usually the points of the player and of the whole table.
        """
        total = sum(self.points)
        if total == 0:
            return 1, len(self.players)
        return self.points[self.players.index(player)], total

    def placement(self, player: Holder) -> Fraction:
        """Return the player's placement: 1 for first place, 0 for last place.

        Placements are evenly spaced. Players who share a place get the mean of their placements.
        """
        return Fraction(self.steps()[self.players.index(player)], self.most_steps)

    @property
    def most_steps(self) -> int:
        """The number of steps that make a placement of 1.

        This is twice the number of opponents, because the mean of a shared place can be a half.
        """
        return 2 * (len(self.players) - 1) or 2

    def steps(self, size: int = 1) -> list[int]:
        """Return each seat's placement, as a number of steps times `size`.

        A seat gets two steps for each seat behind it and one for each other seat tied with it.
        """
        if len(self.players) < 2:
            return [2 * size] * len(self.players)
        strengths = self._seat_strengths
        behind = sorted(strengths)
        return [
            size * (2 * behind.index(strength) + behind.count(strength) - 1)
            for strength in strengths
        ]


def sum_fractions(fractions: Iterable[tuple[int, int]]) -> Fraction:
    """Add fractions given as (numerator, denominator).

    Fractions with the same denominator are added first, which is faster.
    """
    sums: dict[int, int] = {}
    for numerator, denominator in fractions:
        sums[denominator] = sums.get(denominator, 0) + numerator
    denominator = lcm(*sums)
    return Fraction(
        sum(
            numerator * (denominator // each_denominator)
            for each_denominator, numerator in sums.items()
        ),
        denominator,
    )


@dataclass(frozen=True)
class Adjustment:
    """An adjustment to a player's figures that does not come from a match.

    * `points`: the points to add, or to deduct if negative.
    * `sentence`: the reason, or "".
    * `matches`: the number of additional matches that count as played.
    * `missed`: the number of missed rounds, whatever the rule for them.
    * `byes`: the number of byes.
    """

    points: int
    sentence: str
    matches: int = 0
    missed: int = 0
    byes: int = 0


# Adjustments by player.
Adjustments = Mapping[int, Sequence[Adjustment]]


class FinishedMatches:
    """The finished matches of an event, and each player's figures over all of them."""

    def __init__(
        self,
        matches: Iterable[MatchResult],
        lots_key: str,
        adjustments: Adjustments | None = None,
    ) -> None:
        self.matches = list(matches)
        self.lots_key = lots_key
        self.adjustments = adjustments or {}
        # The values that were compared with tied players, by metric and player.
        self.compared: defaultdict[str, dict[int, Value]] = defaultdict(dict)
        self._means: dict[Holder, Fraction] = {}

    @cached_property
    def _matches_by_player(self) -> dict[Holder, list[MatchResult]]:
        by_player: defaultdict[Holder, list[MatchResult]] = defaultdict(list)
        for match in self.matches:
            for player in match.players:
                by_player[player].append(match)
        return by_player

    def matches_of(self, player: Holder) -> Sequence[MatchResult]:
        """Return the player's finished matches."""
        return self._matches_by_player.get(player, ())

    @cached_property
    def _holders_of_seats(self) -> list[Holder]:
        """The holder of each seat of each match."""
        return list(chain.from_iterable([match.players for match in self.matches]))

    @cached_property
    def _match_counts(self) -> Counter[Holder]:
        return Counter(self._holders_of_seats)

    def count_played(self, player: Holder) -> int:
        """Return how many matches the player has finished."""
        return self._match_counts.get(player, 0)

    @cached_property
    def _point_totals(self) -> dict[Holder, int]:
        sums: defaultdict[Holder, int] = defaultdict(int)
        for player_adjusted, adjustments in self.adjustments.items():
            sums[player_adjusted] = sum(each.points for each in adjustments)
        seats = chain.from_iterable([match.points for match in self.matches])
        for player, points in zip(self._holders_of_seats, seats, strict=True):
            sums[player] += points
        return sums

    def points(self, player: Holder) -> int:
        """Return the player's points from matches and adjustments."""
        return self._point_totals.get(player, 0)

    @cached_property
    def _win_counts(self) -> Counter[Holder]:
        return Counter(chain.from_iterable(match.winners for match in self.matches))

    def wins(self, player: Holder) -> int:
        """Return how many matches the player has won."""
        return self._win_counts.get(player, 0)

    def count_credited(self, player: int) -> int:
        """Return the number of matches that count as played, including adjustments."""
        added = sum(each.matches for each in self.adjustments.get(player, ()))
        return self.count_played(player) + added

    def count_byes(self, player: int) -> int:
        """Return how many byes the player had."""
        return sum(each.byes for each in self.adjustments.get(player, ()))

    def count_missed(self, player: int) -> int:
        """Return how many rounds the player has missed."""
        return sum(each.missed for each in self.adjustments.get(player, ()))

    @cached_property
    def _most_steps_by_size(self) -> dict[int, int]:
        """The number of steps that make a placement of 1, by number of seats at the table."""
        return {len(match.players): match.most_steps for match in self.matches}

    @cached_property
    def _most_steps(self) -> int:
        """A number of steps that makes a placement of 1 at tables of every size."""
        return lcm(*self._most_steps_by_size.values())

    @cached_property
    def _placement_steps(self) -> dict[Holder, int]:
        """The sum of each holder's placements, in steps of the same size at every table."""
        sums: defaultdict[Holder, int] = defaultdict(int)
        sizes = {
            players: self._most_steps // most_steps
            for players, most_steps in self._most_steps_by_size.items()
        }
        seats = [match.steps(sizes[len(match.players)]) for match in self.matches]
        for player, steps in zip(self._holders_of_seats, chain.from_iterable(seats), strict=True):
            sums[player] += steps
        return sums

    def placement(self, player: Holder) -> Fraction:
        """Return the sum of the player's placements."""
        return Fraction(self.steps(player), self._most_steps)

    def steps(self, player: Holder) -> int:
        """Return the sum of the player's placements, in steps of the same size at every table."""
        return self._placement_steps.get(player, 0)

    def mean_placement(self, player: Holder) -> Fraction:
        """Return the player's mean placement per match. The player must have finished a match."""
        if player not in self._means:
            self._means[player] = self.placement(player) / self.count_played(player)
        return self._means[player]
