"""Data in a replay's page, for its script. Seat numbers are those of the match."""

from typing import TypedDict

from games.protocol.faces import Face
from games.protocol.table import Auto, Scoring
from games.rules.actions.knowledge import OwedPenalty
from games.rules.actions.moves import Move
from games.rules.words.words import Color, DeckFacts


class ReplaySeat(TypedDict):
    """Facts about a seat that do not change during the hand."""

    seat: int
    name: str
    face: Face
    score: int
    team: int | None
    out: bool
    playing: bool
    dealer: bool


class Could(TypedDict):
    cards: list[str]
    text: str


class StepFacts(TypedDict):
    """Public facts at one step."""

    seat: int | None
    auto: Auto
    at: str
    action: Move | None
    counts: dict[str, int]
    turn: int | None
    direction: int
    color: str | None
    top: str | None
    discard: list[str]
    discard_pile: int
    draw_pile: int
    penalty: OwedPenalty | None
    said_uno: list[int]
    over: bool


class ReplayStep(StepFacts):
    step: int
    cards: dict[str, list[str]]
    could: Could
    texts: list[str]


class StepLuck(TypedDict):
    """Each player's chance of winning at a step, in percent by seat.

    `text` describes the chances. `better` describes a better move than the one that was played.
    """

    chances: dict[str, int]
    text: str
    better: str


class ReplayPage(TypedDict):
    hand: int
    hands: int
    before: int | None
    after: int | None
    you: int | None
    scoring: Scoring
    seats: list[ReplaySeat]
    dealer: int
    points: list[int] | None
    winner: int | None
    void: bool
    commitment: str
    colors: list[Color]
    deck: DeckFacts
    records: bool
    steps: list[ReplayStep]
    luck: list[StepLuck]
