"""`Hand.deals`: the attempts to deal a hand, with secrets, commitments and shares.

An attempt collects commitments, then closes its list, then collects the shares. docs/fair-deal.md
explains which parts are secret, and for how long. This module is pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Self

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator

from games.json_values.codec import JsonValue, WithOwnCodec
from games.rules.fair import attempts
from games.rules.fair.deal import DealIngredients, ShareList
from games.rules.fair.signatures import P256_BYTES, DeviceSignature
from games.rules.untrusted_json import bytes_of, text_of
from games.seats import SeatNumber

# Outcomes of an attempt. An attempt in progress has an empty string instead.
DEALT, VOID, UNUSED = "dealt", "void", "unused"

# Commitments or shares in hex, by seat.
BySeat = Mapping[SeatNumber, str]


def _read_secret(digits: object) -> bytes:
    return bytes.fromhex(text_of(digits, "secret"))


def _check_site_key(key: str) -> str:
    """Validate the site's public key, and return it in canonical form.

    The key is empty in attempts that were stored before there were receipts.
    """
    return bytes_of(key, P256_BYTES, "site").hex() if key else ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to deal a hand. Attempts are numbered from 1.

    * `commitment`: the server's commitment to its `secret`.
    * `dealer`: None if this attempt draws the dealer.
    * `commitments`, `shares`: in hex, by seat. Shares are opened once the list is closed.
    * `agreed`: the closed list, or None.
    * `signed`: the signatures that players' devices made for their commitments, by seat.
    * `site`: the site's public key for receipts, in hex. Empty in the oldest attempts.
    * `let_go`: seats whose commitment was removed because another player took the seat.
    """

    number: int
    secret: Annotated[bytes, PlainValidator(_read_secret), PlainSerializer(bytes.hex)]
    commitment: str
    dealer: SeatNumber | None
    commitments: BySeat = field(default_factory=dict)
    agreed: Annotated[WithOwnCodec[ShareList] | None, Field(alias="list")] = None
    shares: BySeat = field(default_factory=dict)
    outcome: str = ""
    signed: Mapping[int, WithOwnCodec[DeviceSignature]] = field(default_factory=dict)
    site: Annotated[str, AfterValidator(_check_site_key)] = ""
    let_go: tuple[Annotated[SeatNumber, Field(ge=0)], ...] = ()

    @property
    def missing(self) -> tuple[SeatNumber, ...]:
        """Seats on the closed list that have not opened their shares yet.

        Empty until the list is closed.
        """
        listed = self.agreed.listed if self.agreed else ()
        return tuple(SeatNumber(seat) for seat in listed if seat not in self.shares)

    @property
    def opened(self) -> DealIngredients:
        """Ingredients of the deal, once the list is closed."""
        assert self.agreed is not None
        shares = {int(seat): bytes.fromhex(share) for seat, share in self.shares.items()}
        signed = {seat: self.signed[seat] for seat in self.agreed.listed if seat in self.signed}
        return DealIngredients(self.agreed, self.secret, shares, signed, self.let_go)

    def add_commitment(
        self, seat: SeatNumber, commitment: str, signed: DeviceSignature | None = None
    ) -> Self:
        """Return the attempt with this seat's commitment added.

        An existing commitment and its signature are not replaced.
        """
        if seat in self.commitments:
            return self
        signatures = self.signed if signed is None else {**self.signed, seat: signed}
        return replace(self, commitments={**self.commitments, seat: commitment}, signed=signatures)

    def remove_commitment(self, seat: SeatNumber) -> Self:
        """Return the attempt without this seat's commitment and signature.

        Call this when a seat gets a new player, who does not know the share.
        """
        if seat not in self.commitments:
            return self
        return replace(
            self,
            commitments={key: value for key, value in self.commitments.items() if key != seat},
            signed={key: value for key, value in self.signed.items() if key != seat},
            let_go=tuple(sorted({*self.let_go, seat})),
        )

    def add_share(self, seat: SeatNumber, share: str) -> Self:
        return replace(self, shares={**self.shares, seat: share})


@dataclass(frozen=True, slots=True)
class Deals(JsonValue):
    """All attempts to deal a hand. Empty for old hands, whose cards were shuffled in advance."""

    version: int = field(default=1, init=False, repr=False, compare=False)
    attempts: tuple[Attempt, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.attempts)

    @property
    def current(self) -> Attempt:
        """The latest attempt. There must be at least one."""
        return self.attempts[-1]

    @property
    def dealt(self) -> Attempt | None:
        """The attempt that dealt the hand, or None."""
        return self.current if self.attempts and self.current.outcome == DEALT else None

    @property
    def closed(self) -> bool:
        """True if any attempt has closed its list."""
        return any(attempt.agreed is not None for attempt in self.attempts)

    @property
    def void(self) -> tuple[Attempt, ...]:
        return tuple(attempt for attempt in self.attempts if attempt.outcome == VOID)

    def count_failures(self, seat: SeatNumber) -> int:
        """Return the number of void attempts in which this seat did not open its listed share."""
        return sum(seat in attempt.missing for attempt in self.void)

    def replace_attempt(self, attempt: Attempt) -> Self:
        """Return the deals with this attempt in place of the current one."""
        return replace(self, attempts=(*self.attempts[:-1], attempt))

    def add_attempt(self, attempt: Attempt) -> Self:
        """Return the deals with this attempt added."""
        return replace(self, attempts=(*self.attempts, attempt))

    def end_attempt(self, outcome: str) -> Self:
        """Return the deals with this outcome set for the current attempt."""
        return (
            self.replace_attempt(replace(self.current, outcome=outcome)) if self.attempts else self
        )


def is_left_out(before: Sequence[Deals], seat: SeatNumber) -> bool:
    """Return whether the seat is left out of the next shuffle because it delayed earlier deals.

    `before` contains the deals of the earlier hands.
    """
    return attempts.is_left_out([deals.count_failures(seat) > 0 for deals in before])


def encode_keys(values: BySeat) -> dict[str, str]:
    """Convert the keys to strings, as JSON objects require."""
    return {str(seat): value for seat, value in values.items()}
