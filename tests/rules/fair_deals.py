"""Fair deals for tests, with fixed secrets and shares."""

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


def make_fixed_bytes(size: int, *about: object) -> bytes:
    """Return `size` bytes that depend only on the arguments."""
    # Draw was the former name of DealKey. With it, tests/js/fair_vectors.json stays unchanged.
    text = repr(about).replace("DealKey(", "Draw(")
    return hashlib.shake_256(text.encode()).digest(size)


def make_opened_attempt(
    draw: DealKey,
    entries: Mapping[int, str | None],
    *,
    rs: RuleSet = rulesets.RULE_SETS["ocho"],
    dealer: int | None = None,
    unopened: Collection[int] = (),
) -> DealIngredients:
    """Return an attempt in which each seat whose entry is ``None`` has a share.

    Any other entry is the reason why the seat has no share. Seats in `unopened` did not open their
    shares.
    """
    secret = make_fixed_bytes(96, draw)
    shares = {
        seat: make_fixed_bytes(32, draw, seat) for seat, why in entries.items() if why is None
    }
    listed = tuple(
        (seat, share_commitment(draw, seat, shares[seat]) if why is None else why)
        for seat, why in entries.items()
    )
    deck = tuple(rs.pack.notations(rs.cards()))
    agreed = ShareList(draw, dealer, deck, secret_commitment(draw, secret), listed)
    return DealIngredients(
        agreed, secret, {seat: share for seat, share in shares.items() if seat not in unopened}
    )


def make_deal_with_shares(
    rs: RuleSet, seats: Sequence[int], dealer: int | None, number: int = 1
) -> FairDeal:
    """Return a deal made at the first attempt.

    The last seat is a bot's, and all others have a share. `number` is the number of the hand.
    """
    people: dict[int, str | None] = dict.fromkeys(seats)
    people[seats[-1]] = NO_BOT
    return FairDeal(
        make_opened_attempt(DealKey("table-7", number, 1), people, rs=rs, dealer=dealer)
    )


def make_deal_after_two_void_attempts(
    rs: RuleSet, seats: Sequence[int], dealer: int | None, number: int = 1
) -> FairDeal:
    """Return a deal made at the third attempt, after two void ones.

    The second seat failed to open its share twice. The last seat had no share in the first attempt.
    """
    people: dict[int, str | None] = dict.fromkeys(seats)
    late, failed = people | {seats[-1]: NO_NONE}, people | {seats[1]: NO_FAILED}
    first, second, third = (DealKey("table-7", number, attempt) for attempt in (1, 2, 3))
    void = (
        make_opened_attempt(first, late, rs=rs, dealer=dealer, unopened=[seats[1]]),
        make_opened_attempt(second, people, rs=rs, dealer=dealer, unopened=seats[1:]),
    )
    return FairDeal(make_opened_attempt(third, failed, rs=rs, dealer=dealer), void)


def play_fair_hand(
    key: str, deal: FairDeal, *, seed: int = 1, strength: str = "plain", **options: object
) -> dict[str, Any]:
    """Return the record of a hand that bots played from this deal."""
    rs = rulesets.make(key, options)
    seats = len(deal.dealt.list.seats)
    hand = Playout(rs, [strength] * seats, deal.dealer(rs), Random(seed), deal)
    hand.run()
    return {**hand.record(f"{key}: a fair hand")}


def make_third_attempt_record() -> dict[str, Any]:
    """Return the record of an Ocho hand dealt at the third attempt.

    It has two reshuffles and six revealed cards.
    """
    made: dict[str, Any] = json.loads(_dump_third_attempt_record())
    return made


def make_drawn_dealer_record(key: str) -> dict[str, Any]:
    """Return the record of a hand of two people and a bot, whose dealer was drawn by the deal."""
    made: dict[str, Any] = json.loads(_dump_drawn_dealer_record(key))
    return made


# Cached, so that the hand is played once and only if a test needs it.
@cache
def _dump_third_attempt_record() -> str:
    deal = make_deal_after_two_void_attempts(rulesets.RULE_SETS["ocho"], [0, 2, 3, 5], 3, 208)
    return json.dumps(play_fair_hand("ocho", deal, seed=208, strength="random"))


@cache
def _dump_drawn_dealer_record(key: str) -> str:
    return json.dumps(
        play_fair_hand(key, make_deal_with_shares(rulesets.RULE_SETS[key], range(3), None))
    )
