"""Deals that no one can control and everyone can check, as specified in docs/fair-deal.md.

The server commits to a secret and each player to a share before any of these values is revealed.
One list contains all commitments. The secret and all listed shares together determine every random
result of a hand. The exchange of messages is not part of this module.
"""

from __future__ import annotations

import dataclasses
import hashlib
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import TypeVar

from games.rules.fair.commitments import (
    LABEL,
    NO_BEFORE,
    NO_BOT,
    NO_FAILED,
    NO_NONE,
    SECRET_BYTES,
    SHARE_BYTES,
    DealKey,
    ShareList,
    encode_field,
    new_secret,
    secret_commitment,
    share_commitment,
)
from games.rules.fair.signatures import DeviceSignature
from games.rules.ruleset.rulesets import RuleSet
from games.rules.untrusted_json import (
    InvalidJsonError,
    bytes_of,
    integers_of,
    object_of,
    required_value,
)

_WORDS = 2**32

T = TypeVar("T")


class UnfairError(ValueError):
    """A value does not match the commitments. The message names the value."""


class NumberStream:
    """Random numbers from an endless sequence of 32-bit words."""

    def __init__(self, words: Iterable[int]) -> None:
        self._words = iter(words)

    def draw_below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, with equal probabilities.

        If n is 1, no word is used.
        """
        if n == 1:
            return 0
        # Words at the upper end would favour low numbers, so they are skipped.
        limit = _WORDS - _WORDS % n
        return next(word for word in self._words if word < limit) % n

    def shuffle(self, items: Iterable[T]) -> list[T]:
        """Return the items in random order, by a Fisher–Yates shuffle from the last item down."""
        order = [*items]
        for i in range(len(order) - 1, 0, -1):
            j = self.draw_below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


@dataclass(frozen=True, slots=True)
class DealIngredients:
    """The values that determine a deal.

    * ``list``: the list of commitments.
    * ``secret``: the server's secret.
    * ``shares``: the opened shares, by seat.
    * ``signed``: devices' signatures of commitments, by seat.
    * ``let_go``: seats whose commitment was removed, because another player took the seat before
      the list was closed. They do not affect the deal.
    """

    list: ShareList
    secret: bytes
    shares: Mapping[int, bytes]
    signed: Mapping[int, DeviceSignature] = dataclasses.field(default_factory=dict)
    let_go: Sequence[int] = ()

    def stream(self, purpose: str) -> NumberStream:
        """Return the random numbers for one purpose, such as ``deal`` or ``reshuffle 1``.

        Raises UnfairError unless all listed shares are open.
        """
        return NumberStream(_generate_words(self, purpose))

    def to_json(self) -> dict[str, object]:
        """Return the ingredients in the JSON format of records."""
        shares = {str(seat): share.hex() for seat, share in sorted(self.shares.items())}
        data = {"list": self.list.to_json(), "secret": self.secret.hex(), "shares": shares}
        signed = {str(seat): each.to_json() for seat, each in sorted(self.signed.items())}
        more = {"signed": signed, "let_go": [*self.let_go]}
        return {**data, **{key: value for key, value in more.items() if value}}

    @classmethod
    def from_json(cls, value: object, location: str = "fair") -> DealIngredients:
        """Read ingredients written by ``to_json``.

        Raises InvalidJsonError for anything else, or if an opened share is not in the list.
        """
        data = object_of(value, location)
        agreed = ShareList.from_json(
            required_value(data, "list", f"{location}: "), f"{location}: list"
        )
        secret = required_value(data, "secret", f"{location}: ")
        shares = object_of(required_value(data, "shares", f"{location}: "), f"{location}: shares")
        return cls(
            agreed,
            bytes_of(secret, SECRET_BYTES, f"{location}: secret"),
            _read_shares(agreed, shares, f"{location}: shares"),
            _read_signatures(
                agreed, object_of(data.get("signed", {}), f"{location}: signed"), location
            ),
            integers_of(data.get("let_go", []), f"{location}: let_go"),
        )


def _read_shares(agreed: ShareList, data: Mapping[str, object], location: str) -> dict[int, bytes]:
    seats = {str(seat): seat for seat in agreed.listed}
    for key in data:
        if key not in seats:
            raise InvalidJsonError(
                f"{location}: {key!r} is not a seat with a commitment in the list"
            )
    return {
        seats[key]: bytes_of(share, SHARE_BYTES, f"{location}: seat {key}")
        for key, share in data.items()
    }


def _read_signatures(
    agreed: ShareList, data: Mapping[str, object], location: str
) -> dict[int, DeviceSignature]:
    seats = {str(seat): seat for seat in agreed.listed}
    for key in data:
        if key not in seats:
            raise InvalidJsonError(
                f"{location}: signed: {key!r} is not a seat with a commitment in the list"
            )
    return {
        seats[key]: DeviceSignature.from_json(each, f"{location}: signed: seat {key}")
        for key, each in data.items()
    }


def _generate_words(opened: DealIngredients, purpose: str) -> Iterable[int]:
    before = (
        encode_field(f"{LABEL} block") + encode_field(opened.list.digest()) + encode_field(purpose)
    )
    if missing := _find_missing_shares(opened):
        raise UnfairError(missing)
    shares = b"".join(encode_field(opened.shares[seat]) for seat in opened.list.listed)
    after = encode_field(opened.secret) + shares

    def compute_block(k: int) -> tuple[int, ...]:
        hashed = hashlib.sha512(before + encode_field(k.to_bytes(8, "big")) + after)
        return struct.unpack(">16I", hashed.digest())

    return chain.from_iterable(map(compute_block, count()))


class FairChance:
    """Source of shuffles and random choices that follow from the ingredients of a deal.

    Each shuffle and each choice has its own stream of numbers.

    * ``order``: the kinds of the whole deck in deck order, from which each shuffle starts.
    * ``shuffles``, ``choices``: the numbers of shuffles and choices made so far.
    * ``prefix``: ``""`` for a hand, or ``"dealer "`` for drawing the first dealer.
    """

    def __init__(
        self,
        opened: DealIngredients,
        order: Sequence[int],
        *,
        shuffles: int = 0,
        choices: int = 0,
        prefix: str = "",
    ) -> None:
        self._opened = opened
        self._place = {kind: place for place, kind in enumerate(order)}
        self._shuffle = f"{prefix}shuffle" if prefix else "reshuffle"
        self._choice = f"{prefix}choice"
        self.shuffles = shuffles
        self.choices = choices

    def shuffle(self, kinds: list[int], /) -> None:
        self.shuffles += 1
        in_order = sorted(kinds, key=self._place.__getitem__)
        kinds[:] = self._opened.stream(f"{self._shuffle} {self.shuffles}").shuffle(in_order)

    def choice(self, n: int, /) -> int:
        self.choices += 1
        return self._opened.stream(f"{self._choice} {self.choices}").draw_below(n)


def deck_of(opened: DealIngredients, rs: RuleSet) -> list[str]:
    """Return the shuffled deck of a hand, top card first.

    Raises UnfairError if the list names another deck.
    """
    if opened.list.deck != tuple(rs.pack.notations(rs.cards())):
        raise UnfairError("the list names another deck than the rules")
    return opened.stream("deal").shuffle(opened.list.deck)


def find_fault(opened: DealIngredients) -> str | None:
    """Describe the first value that does not match the list's commitments, or return None.

    A listed share that was not opened counts as a fault.
    """
    return _find_missing_shares(opened) or find_broken_commitment(opened)


def find_broken_signature(opened: DealIngredients) -> str | None:
    """Describe the first signature that does not match its listed commitment, or return None."""
    committed = dict(opened.list.entries)
    for seat, signed in opened.signed.items():
        if not signed.fits(opened.list.draw, seat, committed[seat]):
            return f"the signature of seat {seat} does not fit its key"
    return None


def _find_missing_shares(opened: DealIngredients) -> str | None:
    closed = [seat for seat in opened.list.listed if seat not in opened.shares]
    return f"the share of seat {closed[0]} was not opened" if closed else None


def find_broken_commitment(opened: DealIngredients) -> str | None:
    """Describe the first value that does not match the list's commitments, or return None.

    Unlike ``find_fault``, this accepts attempts in which some shares were not opened.
    """
    agreed, committed = opened.list, dict(opened.list.entries)
    if secret_commitment(agreed.draw, opened.secret) != agreed.server:
        return "the secret does not fit the server's commitment"
    for seat, share in opened.shares.items():
        if share_commitment(agreed.draw, seat, share) != committed.get(seat):
            return f"the share of seat {seat} does not fit its commitment"
    return None
