"""The outcome of an event for one player: the winner, and the player's own place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from tournament.hall.winner_screen import shapes_of
from tournament.models import Event, Registration
from tournament.results.stages import stage_results
from tournament.stages.places import PlayerPlace, places
from tournament.stages.winners import Winner, find_winner, is_announced

SHAPE_COUNT = 10
# Kept small, because each outcome loads all results of its event.
MAX_OUTCOMES = 3


@dataclass(frozen=True)
class PlayerOutcome:
    """The outcome of an event for a player.

    * `place`: the player's place among `people` players, or None if the player did not play or was
      disqualified.
    * `why`: the reason for the place.
    * `shapes`: colours of the event's deck for the winners' animation.
    """

    registration: Registration
    winner: Winner
    place: int | None
    people: int
    why: str
    shapes: Sequence[str]

    @property
    def has_won(self) -> bool:
        return self.registration in self.winner.shared

    @property
    def co_winners(self) -> list[Registration]:
        return [
            registration for registration in self.winner.shared if registration != self.registration
        ]


def find_player_outcome(event: Event, registration: Registration | None) -> PlayerOutcome | None:
    """Return the player's outcome by the current results.

    Returns None without a registration, or if there is no public winner.
    """
    if registration is None or not is_announced(event):
        return None
    results = stage_results(event)
    winner = find_winner(results)
    if winner is None:
        return None
    all_places = places(results)
    own_place = next((each for each in all_places if each.player == registration.pk), None)
    shown_place = own_place if own_place and _has_place(own_place) else None
    return PlayerOutcome(
        registration,
        winner,
        shown_place.place if shown_place else None,
        len(all_places),
        shown_place.why() if shown_place else "",
        shapes_of(event, SHAPE_COUNT),
    )


def find_first_outcomes(registrations: Iterable[Registration]) -> dict[int, PlayerOutcome]:
    """Return the first few outcomes of these registrations, by registration id.

    Events without a public winner are skipped.
    """
    ended = (registration for registration in registrations if is_announced(registration.event))
    endings = (
        find_player_outcome(registration.event, registration)
        for registration in islice(ended, MAX_OUTCOMES)
    )
    return {each.registration.pk: each for each in endings if each}


def _has_place(player_place: PlayerPlace) -> bool:
    """Return whether the leaderboard shows a place for this player."""
    return not player_place.out and bool(player_place.row.counts or player_place.first)
