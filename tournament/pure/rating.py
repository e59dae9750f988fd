"""Ratings of players from their places in matches, by openskill's Plackett–Luce model.

The ratings are a function of the matches in order. They are not stored, so correcting a result also
changes the ratings.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce

# A rating from fewer matches is too uncertain to be shown.
LEAST_MATCHES = 5
_MODEL = PlackettLuce()


@dataclass(frozen=True)
class RatedMatch:
    """A finished match in which everyone played for themselves.

    `places` are parallel to `players`, from 1. Equal players share a place.
    """

    players: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Rating:
    """A player's estimated skill after `matches`, with its standard error."""

    skill: float
    error: float
    matches: int

    @property
    def ordinal(self) -> float:
        """The skill that the player almost certainly has: the lower end of the estimate's range.

        It is 0 before the first match.
        """
        return self.skill - self.range

    @property
    def range(self) -> float:
        """Three standard errors, which nearly always cover the true skill."""
        return 3 * self.error

    @property
    def is_known(self) -> bool:
        return self.matches >= LEAST_MATCHES


def rate(matches: Iterable[RatedMatch]) -> dict[int, Rating]:
    """Return the rating of each player after these matches, given in order."""
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
