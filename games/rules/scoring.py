"""Points of a hand, and the score of a match."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from games.rules.chance import Chance
from games.rules.ruleset.rulesets import RuleSet


def points_left(rs: RuleSet, hands: Sequence[Sequence[int]]) -> list[int]:
    """Return the points of the cards left in each hand. ``hands`` are lists of kinds."""
    return [sum(map(rs.points, held)) for held in hands]


def hand_points(rs: RuleSet, hands: Sequence[Sequence[int]], winner: int | None) -> list[int]:
    """Return the points of each seat for one hand.

    ``hands`` are the kinds left to each player, and ``winner`` is None if the hand is blocked.

    With the scoring ``winner-takes``, the winner gets the points of the others' cards (001, 003
    "scores points for the cards their opponents are left holding"). Otherwise, each player gets the
    points of their own cards (001 "running total"). Both partners get the points of their team.
    """
    if winner is None:
        return [0] * len(hands)
    caught = points_left(rs, hands)
    if rs.partners:
        caught = _compute_team_points(caught, winner)
    if rs.scoring != "winner-takes":
        return caught
    if rs.partners:
        opponents = caught[(winner + 1) % 2]
        return [opponents if seat % 2 == winner % 2 else 0 for seat in range(len(hands))]
    return [sum(caught) if seat == winner else 0 for seat in range(len(hands))]


def _compute_team_points(caught: list[int], winner: int) -> list[int]:
    """Return each player's points for a hand with partners.

    Each player of the losing team gets the points for the cards left to both of its players. Cards
    left to the winning team are not counted (001 "Partners").
    """
    team_points = sum(points for seat, points in enumerate(caught) if seat % 2 != winner % 2)
    return [0 if seat % 2 == winner % 2 else team_points for seat in range(len(caught))]


class MatchScore:
    """The score of a match, updated after each finished hand.

    * ``totals``: the total points by seat.
    * ``winners``: the winning seats, empty until the match is ``over``.
    """

    def __init__(self, rs: RuleSet, seats: int, hands: Sequence[Sequence[int]] = ()) -> None:
        rs.check_seats(seats)
        self.rs = rs
        self.totals = [0] * seats
        self.over = False
        self.winners: list[int] = []
        self._out_after: dict[int, int] = {}
        self._hands = 0
        for points in hands:
            self.add(points)

    @property
    def out(self) -> list[int]:
        """The eliminated seats, in ascending order. They never include a winner."""
        return sorted(self._out_after)

    @property
    def playing(self) -> list[int]:
        """The seats that play the next hand, in order. Empty when the match is over."""
        if self.over:
            return []
        return [seat for seat in range(len(self.totals)) if seat not in self._out_after]

    def add(self, points: Sequence[int]) -> None:
        """Add the points of a finished hand.

        Raises ValueError if no hand of this match can have these points.
        """
        self._check_points(points)
        totals = [total + n for total, n in zip(self.totals, points, strict=True)]
        if self.rs.scoring == "elimination" and not self._list_seats_below_target(totals):
            raise ValueError("the hand's winner adds nothing, so somebody must stay in")
        self._hands += 1
        self.totals = totals
        _ENDINGS[self.rs.scoring](self)

    def _check_points(self, points: Sequence[int]) -> None:
        if self.over:
            raise ValueError("the match is over: no more hands count")
        if len(points) != len(self.totals):
            raise ValueError(f"{len(points)} numbers for {len(self.totals)} seats")
        for seat, n in enumerate(points):
            if isinstance(n, bool) or not isinstance(n, int) or n < 0:
                raise ValueError(f"seat {seat}: {n!r} is not a number of points")
            if n and seat in self._out_after:
                raise ValueError(f"seat {seat} is out and cannot have points")

    def places(self) -> list[int]:
        """Return each seat's current place, from 1. Equal scores share a place.

        Eliminated seats are placed behind all others, and the first one eliminated is last. Seats
        eliminated in the same hand are placed by their totals, the lowest total first.
        """
        scores = [self._make_rank_key(seat) for seat in range(len(self.totals))]
        return [1 + sum(other < own for other in scores) for own in scores]

    def _make_rank_key(self, seat: int) -> tuple[int, int]:
        total = self.totals[seat]
        if self.rs.scoring == "winner-takes":
            return 0, -total
        return -self._out_after.get(seat, self._hands + 1), total

    def end_winner_takes(self) -> None:
        """End the match if a player has reached the target.

        001 "The first player to score 500 points wins the game".
        """
        self._declare_winners(
            [seat for seat, total in enumerate(self.totals) if self.rs.reaches_target(total)]
        )

    def end_lowest(self) -> None:
        """End the match if a player has reached the target. The lowest total wins.

        001 "When one player reaches 500 points, the player with the lowest points".
        """
        if self.rs.reaches_target(max(self.totals)):
            best = min(self.totals)
            self._declare_winners([seat for seat, total in enumerate(self.totals) if total == best])

    def end_elimination(self) -> None:
        """Eliminate the players who have reached the target. The last remaining player wins.

        001 "Challenge UNO".
        """
        staying = self._list_seats_below_target(self.totals)
        for seat in self.playing:
            if seat not in staying:
                self._out_after[seat] = self._hands
        if len(staying) == 1:
            self._declare_winners(staying)

    def _list_seats_below_target(self, totals: Sequence[int]) -> list[int]:
        return [seat for seat in self.playing if not self.rs.reaches_target(totals[seat])]

    def _declare_winners(self, winners: list[int]) -> None:
        self.winners = winners
        self.over = bool(winners)


_ENDINGS: dict[str, Callable[[MatchScore], None]] = {
    "winner-takes": MatchScore.end_winner_takes,
    "lowest": MatchScore.end_lowest,
    "elimination": MatchScore.end_elimination,
}


def first_dealer(rs: RuleSet, seats: int, chance: Chance) -> tuple[int, list[dict[int, str]]]:
    """Return the first dealer, and the cards drawn by each seat in each round of drawing.

    Cards are drawn in 001: "Player with the highest point value is the dealer". In other rule sets,
    the dealer is chosen at random without cards.
    """
    if rs.first_dealer == "random":
        return chance.choice(seats), []
    rounds: list[dict[int, str]] = []
    left = list(range(seats))
    while len(left) > 1:
        deck = rs.cards()
        chance.shuffle(deck)
        drawn = dict(zip(left, deck, strict=False))
        rounds.append({seat: rs.pack.notation[kind] for seat, kind in drawn.items()})
        best = max(rs.points(kind) for kind in drawn.values())
        left = [seat for seat, kind in drawn.items() if rs.points(kind) == best]
    return left[0], rounds


def place_last(places: Sequence[int], removed: Collection[int]) -> list[int]:
    """Return the places of a match in which the seats in ``removed`` share the last place.

    Their players have left the match.
    """
    ranks = [
        (seat in removed, 0 if seat in removed else place) for seat, place in enumerate(places)
    ]
    return [1 + sum(other < own for other in ranks) for own in ranks]


def next_dealer(rs: RuleSet, playing: Sequence[int], dealer: int, winner: int | None) -> int:
    """Return the seat that deals the next hand, which is one of ``playing``.

    ``dealer`` and ``winner`` are those of the last hand. ``winner`` is None if it was blocked.
    """
    if rs.next_dealer == "winner" and winner in playing and winner is not None:
        return winner
    later = [seat for seat in playing if seat > dealer]
    return later[0] if later else playing[0]
