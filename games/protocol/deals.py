"""Data about a deal: the part shown at the table, and the part for the page that checks it."""

from typing import Literal, NotRequired, TypedDict

DealStep = Literal["commit", "open", "dealt"]
FairState = Literal["open", "hidden", "void", "unused"]
# Needed because some types have a key `list` that hides the built-in name inside them.
Seats = list[int]


class Receipt(TypedDict):
    """The site's key and a signature made with it, in hex (games/rules/fair/receipts.py)."""

    key: str
    signature: str


class ListedSeat(TypedDict):
    """A player of the hand, with a commitment or the reason for its absence."""

    seat: int
    commitment: NotRequired[str]
    why: NotRequired[Literal["bot", "none", "failed", "before"]]


class DealList(TypedDict):
    """The list, fixed before any share is opened (games/rules/fair/commitments.py)."""

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

    Its list is null if it was never closed. `let_go` are seats whose accepted commitment was
    dropped before that, because their player left.
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
