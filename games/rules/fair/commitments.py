"""Commitments made before a fair deal, and the list that contains all of them.

docs/fair-deal.md specifies every byte.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from sys import intern
from typing import Any

from games.rules.untrusted_json import (
    InvalidJsonError,
    bytes_of,
    integer_of,
    list_of,
    object_of,
    required_value,
    text_of,
)

SECRET_BYTES = 96  # the order of a deck of 108 cards has 578 bits
SHARE_BYTES = 32
NO_BOT, NO_NONE, NO_FAILED, NO_BEFORE = "-bot", "-none", "-failed", "-before"
LABEL = "lastcard deal 1"

_NO_SHARE = {entry[1:]: entry for entry in (NO_BOT, NO_NONE, NO_FAILED, NO_BEFORE)}


def encode_field(value: str | bytes) -> bytes:
    """Return the value, preceded by its length.

    The lengths ensure that different lists of fields never result in the same bytes.
    """
    raw = value.encode() if isinstance(value, str) else value
    return len(raw).to_bytes(8, "big") + raw


def digest(purpose: str, *fields: str | bytes) -> bytes:
    """Return the SHA-256 digest of the label for this purpose, followed by these fields."""
    label = f"{LABEL} {purpose}"
    return hashlib.sha256(b"".join(encode_field(value) for value in (label, *fields))).digest()


@dataclass(frozen=True, slots=True)
class DealKey:
    """Key of a deal.

    * ``match``: the public id of the match.
    * ``hand``: the number of the hand in the match, from 1.
    * ``attempt``: the number of the attempt to deal the hand, from 1.
    """

    match: str
    hand: int
    attempt: int

    @property
    def fields(self) -> tuple[str, str, str]:
        """The fields of the key, as they are hashed."""
        return self.match, str(self.hand), str(self.attempt)


def new_secret() -> bytes:
    """Return a new server secret from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def secret_commitment(draw: DealKey, secret: bytes) -> str:
    """Return the server's commitment to its secret, in hex. It is published before the deal."""
    return digest("secret", *draw.fields, secret).hex()


def share_commitment(draw: DealKey, seat: int, share: bytes) -> str:
    """Return a player's commitment to a share, in hex. It is published before the deal.

    ``seat`` is the player's seat number in the match.
    """
    return digest("share", *draw.fields, str(seat), share).hex()


@dataclass(frozen=True, slots=True)
class ShareList:
    """The list of commitments to a deal, closed before any share is opened.

    * ``dealer``: the dealer's seat in the match, or None if the dealer is drawn by the deal.
    * ``deck``: the whole deck, in deck order.
    * ``server``: the server's commitment, in hex.
    * ``entries``: for each player of the hand in order, the seat in the match, and the commitment
      in hex or the reason why there is none.

    The reasons are:

    * ``NO_BOT``: the player is a bot.
    * ``NO_NONE``: no commitment arrived in time.
    * ``NO_FAILED``: the player did not open the shares listed in two attempts at this hand.
    * ``NO_BEFORE``: the player has no share in this hand, because of delays in earlier hands.
    """

    draw: DealKey
    dealer: int | None
    deck: tuple[str, ...]
    server: str
    entries: tuple[tuple[int, str], ...]

    def digest(self) -> bytes:
        """Return the SHA-256 digest of the list. Players open their shares for this digest."""
        dealer = "" if self.dealer is None else str(self.dealer)
        entries = [part for seat, entry in self.entries for part in (str(seat), entry)]
        return digest("list", *self.draw.fields, dealer, " ".join(self.deck), self.server, *entries)

    @property
    def seats(self) -> tuple[int, ...]:
        """Seat numbers of the players of this hand, in playing order."""
        return tuple(seat for seat, _ in self.entries)

    @property
    def listed(self) -> tuple[int, ...]:
        """Seat numbers of the players who committed to a share."""
        return tuple(seat for seat, entry in self.entries if not entry.startswith("-"))

    def to_json(self) -> dict[str, object]:
        """Return the list in the JSON format of records and of the protocol."""
        return {
            "match": self.draw.match,
            "hand": self.draw.hand,
            "attempt": self.draw.attempt,
            "dealer": self.dealer,
            "deck": [*self.deck],
            "server": self.server,
            "seats": [_write_entry(seat, entry) for seat, entry in self.entries],
        }

    @classmethod
    def from_json(cls, value: object, location: str = "list") -> ShareList:
        """Read a list written by ``to_json``.

        Raises InvalidJsonError for anything else.
        """
        data = object_of(value, location)
        return cls(
            _read_deal_key(data, location),
            _read_dealer(data, location),
            # Interned, because all lists in memory contain the same notations.
            tuple(
                intern(text_of(card, f"{location}: deck"))
                for card in _read_list(data, "deck", location)
            ),
            bytes_of(
                required_value(data, "server", f"{location}: "), 32, f"{location}: server"
            ).hex(),
            _read_entries(_read_list(data, "seats", location), f"{location}: seats"),
        )


def _write_entry(seat: int, entry: str) -> dict[str, object]:
    key, value = ("why", entry[1:]) if entry.startswith("-") else ("commitment", entry)
    return {"seat": seat, key: value}


def _read_list(data: Mapping[str, object], key: str, location: str) -> list[Any]:
    return list_of(required_value(data, key, f"{location}: "), f"{location}: {key}")


def _read_deal_key(data: Mapping[str, object], location: str) -> DealKey:
    match = text_of(required_value(data, "match", f"{location}: "), f"{location}: match")
    hand = integer_of(required_value(data, "hand", f"{location}: "), 1, f"{location}: hand")
    return DealKey(
        match,
        hand,
        integer_of(required_value(data, "attempt", f"{location}: "), 1, f"{location}: attempt"),
    )


def _read_dealer(data: Mapping[str, object], location: str) -> int | None:
    dealer = required_value(data, "dealer", f"{location}: ")
    return None if dealer is None else integer_of(dealer, 0, f"{location}: dealer")


def _read_entries(values: list[Any], location: str) -> tuple[tuple[int, str], ...]:
    entries = [_read_entry(object_of(value, location), location) for value in values]
    if len(dict(entries)) < len(entries):
        raise InvalidJsonError(f"{location}: a seat is listed twice")
    return tuple(entries)


def _read_entry(data: Mapping[str, object], location: str) -> tuple[int, str]:
    seat = integer_of(required_value(data, "seat", f"{location}: "), 0, f"{location}: seat")
    if "commitment" in data:
        return seat, bytes_of(data["commitment"], 32, f"{location}: seat {seat}").hex()
    why = text_of(required_value(data, "why", f"{location}: "), f"{location}: seat {seat}")
    if why not in _NO_SHARE:
        raise InvalidJsonError(
            f"{location}: seat {seat}: {why!r} is not one of {', '.join(_NO_SHARE)}"
        )
    return seat, _NO_SHARE[why]
