"""Hands won by players or seats, broken down by cause."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.json_values.reviewed import ReviewedHand, ReviewedPlayer
from games.protocol.faces import Person
from games.rules.bots.evaluation import MARGIN_FACTOR
from games.seats import SeatNumber
from games.store import Snapshot
from games.tables.results import partner_name

# Factor from a chance to percentage points.
PERCENT = 100


@dataclass(frozen=True)
class Share:
    """Hands won by a player or a seat, broken down by cause.

    The figures are hands of a match, or percentage points of one hand.

    * `start`, `luck`, `play`: add up to `won`.
    * `deal`, `later`: add up to `luck`.
    * `error`: the margin of error of both `luck` and `play`.
    * `partner`: the name of the player's partner, or "" if there is none.
    * `look`: the account's avatar.
    """

    name: str
    user: int | None
    won: float
    start: float
    luck: float
    deal: float
    later: float
    play: float
    error: float
    partner: str = ""
    look: str = ""


def match_shares(snapshot: Snapshot, hands: Sequence[ReviewedHand]) -> list[Share]:
    """Return the share, in hands, of each seat that was dealt in. Partners are adjacent."""
    shares, people = [], snapshot.people()
    pairs = 2 if snapshot.rules.partners else 1
    for seat in sorted(snapshot.seats, key=lambda seat: seat.number % pairs):
        if accounts := list_accounts(hands, seat.number):
            share = build_share(people[seat.number], accounts, 1, 2)
            shares.append(replace(share, partner=partner_name(snapshot, seat)))
    return shares


def list_accounts(hands: Sequence[ReviewedHand], seat: SeatNumber) -> list[ReviewedPlayer]:
    """Return the accounts of this seat, for the hands in which it played."""
    return [hand.accounts[hand.players.index(seat)] for hand in hands if seat in hand.players]


def estimate_error(accounts: Sequence[ReviewedPlayer]) -> float:
    """Return the margin of error of the sum of these accounts, in hands."""
    return MARGIN_FACTOR * math.sqrt(sum(account.variance for account in accounts))


def build_share(
    person: Person,
    accounts: Sequence[ReviewedPlayer],
    unit: int,
    digits: int | None,
) -> Share:
    """Build a person's share from these accounts, in this unit.

    The figures are rounded to `digits` such that they still add up.
    """
    won, start, deal, play = (
        round(unit * sum(part), digits)
        for part in zip(*((a.won, a.start, a.deal, a.play) for a in accounts), strict=True)
    )
    luck = round(won - start - play, digits)
    error = round(unit * estimate_error(accounts), digits)
    causes = luck, deal, round(luck - deal, digits), play, error
    return Share(person.name, person.account, won, start, *causes, look=person.look)
