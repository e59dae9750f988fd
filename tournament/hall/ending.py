"""Outcome of an event for one of its players, with the winner and the player's own place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from tournament.hall.winner_screen import shapes_of
from tournament.models import Event, Registration
from tournament.results.stages import stage_results
from tournament.stages.places import PlayerPlace, places
from tournament.stages.winners import Winner, find_winner, is_announced

SHAPES = 10
# Each asks for all results of its event.
NEWEST = 3


@dataclass(frozen=True)
class OwnEnding:
    """Outcome of an event for a player.

    `won` means that the player is a winner; `beside` has the other winners. `place` is out of
    `people` players. It is None for a player who has not played or was disqualified. `why`
    explains the place in a sentence. `shapes` are colours of the event's deck, for winners.
    """

    registration: Registration
    winner: Winner
    place: int | None
    people: int
    why: str
    shapes: Sequence[str]

    @property
    def won(self) -> bool:
        return self.registration in self.winner.shared

    @property
    def co_winners(self) -> list[Registration]:
        return [one for one in self.winner.shared if one != self.registration]


def own_ending(event: Event, registration: Registration | None) -> OwnEnding | None:
    """Return the player's outcome by the current results.

    The result is None for someone who is not in the event, before the winner is public, and
    if there is no winner.
    """
    if registration is None or not is_announced(event):
        return None
    results = stage_results(event)
    won = find_winner(results)
    if won is None:
        return None
    placed = places(results)
    mine = next((each for each in placed if each.player == registration.pk), None)
    at = mine if mine and _has_place(mine) else None
    return OwnEnding(
        registration,
        won,
        at.place if at else None,
        len(placed),
        at.why() if at else "",
        shapes_of(event, SHAPES),
    )


def newest_endings(registrations: Iterable[Registration]) -> dict[int, OwnEnding]:
    """Return the outcomes of the first few of these whose events have a winner, by registration."""
    ended = (one for one in registrations if is_announced(one.event))
    found = (own_ending(one.event, one) for one in islice(ended, NEWEST))
    return {each.registration.pk: each for each in found if each}


def _has_place(mine: PlayerPlace) -> bool:
    """Return whether the player has a place, by the rules of the leaderboard."""
    return not mine.out and bool(mine.row.played or mine.first)
