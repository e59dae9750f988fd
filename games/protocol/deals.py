"""Data about a deal: those shown at the table, and those for the page that checks the deal."""

from typing import Literal, NotRequired, TypedDict

DealStep = Literal["commit", "open", "dealt"]
FairState = Literal["open", "hidden", "void", "unused"]
# Some classes have a key `list`, which hides the built-in name inside the class.
Seats = list[int]


class Receipt(TypedDict):
    """The site's key and a signature made with it, in hex (games/rules/fair/receipts.py)."""

    key: str
    signature: str


class ListedSeat(TypedDict):
    """A player of the hand, with a commitment or the reason why there is none."""

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

    `list` is null if the list was never closed. `let_go` are seats whose commitment was removed
    before that, because their player left.
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
