"""Data about a deal, for the table and for the page that verifies the deal."""

from typing import Literal, NotRequired, TypedDict

DealStep = Literal["commit", "open", "dealt"]
FairState = Literal["open", "hidden", "void", "unused"]
# Defined here, because classes with a key `list` cannot use the built-in name.
Seats = list[int]


class Receipt(TypedDict):
    """The site's key and a signature made with it, in hex (games/rules/fair/receipts.py)."""

    key: str
    signature: str


class ListedSeat(TypedDict):
    """A player's entry in the list: a commitment, or the reason why there is none."""

    seat: int
    commitment: NotRequired[str]
    why: NotRequired[Literal["bot", "none", "failed", "before"]]


class DealList(TypedDict):
    """The list of a deal, closed before any share is opened (games/rules/fair/commitments.py)."""

    match: str
    hand: int
    attempt: int
    dealer: int | None
    deck: list[str]
    server: str
    seats: list[ListedSeat]


class VoidAttempt(TypedDict):
    attempt: int
    list: DealList
    secret: str
    shares: dict[str, str]


VoidAttempts = list[VoidAttempt]


class DealFacts(TypedDict):
    hand: int
    attempt: int
    step: DealStep
    server: str
    list: DealList | None
    digest: str | None
    receipt: Receipt | None
    shares: dict[str, str]
    mine: str | None
    opened: Seats
    void: VoidAttempts


class OpenAttempt(TypedDict):
    """An attempt to deal a hand that was never dealt.

    `list` is null if the list was never closed. `let_go` contains the seats whose commitments were
    removed because another player took the seat.
    """

    attempt: int
    server: str
    list: DealList | None
    secret: str
    shares: dict[str, str]
    let_go: NotRequired[Seats]


class FairHand(TypedDict):
    number: int
    state: FairState
    record: str | None
    attempts: list[OpenAttempt]


class FairPage(TypedDict):
    match: str
    you: int | None
    hands: list[FairHand]
    keys: list[str]
