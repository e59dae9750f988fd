"""Ratings of players by their places in matches, with openskill's Plackett–Luce model.

Ratings are not stored but computed from all matches in order. A corrected result therefore changes
the ratings too.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce

# A rating based on fewer matches is too uncertain to show.
LEAST_MATCHES = 5
_MODEL = PlackettLuce()


@dataclass(frozen=True)
class RatedMatch:
    """A finished match without partners.

    * `players`: the players in any order.
    * `places`: the place of each player, from 1. Tied players share a place.
    """

    players: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Rating:
    """A player's estimated skill after a number of matches, with its standard error."""

    skill: float
    error: float
    matches: int

    @property
    def ordinal(self) -> float:
        """The lower end of the range. The true skill is almost certainly higher.

        It is 0 before the first match.
        """
        return self.skill - self.range

    @property
    def range(self) -> float:
        """Three standard errors. The true skill is almost always this close to the estimate."""
        return 3 * self.error

    @property
    def is_known(self) -> bool:
        return self.matches >= LEAST_MATCHES


def rate_players(matches: Iterable[RatedMatch]) -> dict[int, Rating]:
    """Return the rating of each player after these matches, which must be in order of time."""
    ratings: dict[int, tuple[float, float]] = {}
    played: Counter[int] = Counter()
    for match in matches:
        before = [ratings.get(player, (_MODEL.mu, _MODEL.sigma)) for player in match.players]
        teams = [[_MODEL.rating(mu=skill, sigma=error)] for skill, error in before]
        after = _MODEL.rate(teams, ranks=[float(place) for place in match.places])
        played.update(match.players)
        for player, [rating] in zip(match.players, after, strict=True):
            ratings[player] = rating.mu, rating.sigma
    return {player: Rating(*each, played[player]) for player, each in ratings.items()}
