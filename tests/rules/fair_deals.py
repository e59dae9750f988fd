"""Fair deals for tests, with shares and void attempts that are always the same."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from games.rules.bots.playout import Playout
from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import (
    NO_BOT,
    NO_FAILED,
    NO_NONE,
    DealIngredients,
    DealKey,
    ShareList,
    secret_commitment,
    share_commitment,
)
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RuleSet


def fixed(size: int, *about: object) -> bytes:
    """So many bytes that depend on nothing but what they are for."""
    # The file of vectors was written when a deal's key was called so; it stays as it is.
    said = repr(about).replace("DealKey(", "Draw(")
    return hashlib.shake_256(said.encode()).digest(size)


def opened(
    draw: DealKey,
    entries: Mapping[int, str | None],
    *,
    rs: RuleSet = rulesets.RULE_SETS["ocho"],
    dealer: int | None = None,
    unopened: Collection[int] = (),
) -> DealIngredients:
    """Return an attempt in which each seat with the entry ``None`` has a share.

    The other entries give the reason why a seat has none.
    """
    secret = fixed(96, draw)
    shares = {seat: fixed(32, draw, seat) for seat, why in entries.items() if why is None}
    listed = tuple(
        (seat, share_commitment(draw, seat, shares[seat]) if why is None else why)
        for seat, why in entries.items()
    )
    deck = tuple(rs.pack.notations(rs.cards()))
    agreed = ShareList(draw, dealer, deck, secret_commitment(draw, secret), listed)
    return DealIngredients(
        agreed, secret, {seat: share for seat, share in shares.items() if seat not in unopened}
    )


def with_shares(rs: RuleSet, seats: Sequence[int], dealer: int | None, number: int = 1) -> FairDeal:
    """Return a deal at the first attempt, with shares of all seats but the last, a bot's."""
    people: dict[int, str | None] = dict.fromkeys(seats)
    people[seats[-1]] = NO_BOT
    return FairDeal(opened(DealKey("table-7", number, 1), people, rs=rs, dealer=dealer))


def after_two_void(
    rs: RuleSet, seats: Sequence[int], dealer: int | None, number: int = 1
) -> FairDeal:
    """Return a deal at the third attempt, after two void ones.

    The second seat failed to open its share twice. The last seat was too late for the first
    attempt.
    """
    people: dict[int, str | None] = dict.fromkeys(seats)
    late, failed = people | {seats[-1]: NO_NONE}, people | {seats[1]: NO_FAILED}
    first, second, third = (DealKey("table-7", number, attempt) for attempt in (1, 2, 3))
    void = (
        opened(first, late, rs=rs, dealer=dealer, unopened=[seats[1]]),
        opened(second, people, rs=rs, dealer=dealer, unopened=seats[1:]),
    )
    return FairDeal(opened(third, failed, rs=rs, dealer=dealer), void)


def played(
    key: str, deal: FairDeal, *, seed: int = 1, strength: str = "plain", **options: object
) -> dict[str, Any]:
    """Return the record of a hand that bots played from this deal."""
    rs = rulesets.make(key, options)
    seats = len(deal.dealt.list.seats)
    hand = Playout(rs, [strength] * seats, deal.dealer(rs), Random(seed), deal)
    hand.run()
    return {**hand.record(f"{key}: a fair hand")}


def xrayed() -> dict[str, Any]:
    """Return the record of an Ocho hand dealt at the third attempt.

    It has two reshuffles and six revealed cards.
    """
    made: dict[str, Any] = json.loads(_xrayed())
    return made


def drawn(key: str) -> dict[str, Any]:
    """Return the record of a hand of two people and a bot whose dealer the deal itself drew."""
    made: dict[str, Any] = json.loads(_drawn(key))
    return made


# Played once for all tests that ask, and not while they are collected.
@cache
def _xrayed() -> str:
    deal = after_two_void(rulesets.RULE_SETS["ocho"], [0, 2, 3, 5], 3, 208)
    return json.dumps(played("ocho", deal, seed=208, strength="random"))


@cache
def _drawn(key: str) -> str:
    return json.dumps(played(key, with_shares(rulesets.RULE_SETS[key], range(3), None)))
