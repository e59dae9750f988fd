"""A whole table as one window shows it.

Times are in whole milliseconds. Seat numbers are those of the match.
"""

from typing import Literal, NotRequired, TypedDict

from games.protocol.deals import DealFacts
from games.protocol.faces import Face
from games.rules.actions import knowledge
from games.rules.actions.knowledge import OwedPenalty
from games.rules.actions.moves import Move
from games.rules.words.words import Color

Phase = Literal["waiting", "playing", "between", "over"]
Ended = Literal["", "target", "hand-limit", "time", "abandoned"]
Mode = Literal["live", "delayed", "hand"]
Auto = Literal["", "timeout", "away", "bot"]
Scoring = Literal["winner-takes", "lowest", "elimination"]


class MatchLinks(TypedDict):
    rules: str
    result: str
    fair: str
    event: str | None


class MatchFacts(TypedDict):
    id: str
    title: str
    ruleset: str
    rules_name: str
    target: int
    scoring: Scoring
    uno: bool
    phase: Phase
    paused: bool
    hand: int | None
    hand_limit: int | None
    practice: bool
    commitment: str | None
    commentary: str
    links: MatchLinks


class Viewer(TypedDict):
    mode: Mode
    seconds: int
    curtain: bool
    text: str


class Presence(TypedDict):
    """Presence of a seat's player. Bots are always present.

    `coming_ms` is the time for which the player still counts as on the way.
    """

    seat: int
    present: bool
    gone_seconds: int | None
    away_left_ms: int | None
    coming_ms: NotRequired[int]


class SeatAtTable(Presence):
    name: str
    face: Face
    score: int
    count: int | None
    bot: str
    said_uno: bool
    team: int | None
    out: bool
    playing: bool
    dealer: bool


class Piles(TypedDict):
    """The piles on the table, and other public facts about the hand."""

    turn: int | None
    direction: int
    color: str | None
    top: str | None
    discard: list[str]
    draw_pile: int
    discard_pile: int
    penalty: OwedPenalty | None


class HeldCard(TypedDict):
    id: str
    card: str
    playable: bool
    why: str


class UnoWindow(TypedDict):
    """A UNO that a seat forgot to call, with the time left in its current phase.

    The times are null if there is no time limit.
    """

    seat: int
    left_ms: int | None
    total_ms: int | None


class May(knowledge.May):
    """Actions that a seat may take now.

    * `uno`: true if the seat may say UNO.
    * `ocho`: the cards that require saying "Ocho!".
    * `windows`: the seat's own forgotten UNO, and those that it can catch without risk.
    """

    uno: bool
    ocho: list[str]
    windows: list[UnoWindow]


class Own(TypedDict):
    """A seat's cards, knowledge and possible actions, and the prompt for its player."""

    cards: list[HeldCard]
    seen: dict[str, list[str]]
    drawn: str | None
    may: May
    actions: list[Move]
    draw_label: str
    prompt: str


class Clock(TypedDict):
    seat: int
    left_ms: int
    total_ms: int
    bank_ms: int
    bank_total_ms: int
    in_bank: bool


class LogLine(TypedDict):
    n: int
    seat: int | None
    text: str
    auto: Auto
    more: bool
    card: NotRequired[str]
    color: NotRequired[str]


class CoachStep(TypedDict):
    key: str
    title: str
    text: str
    hint: str
    due: bool


class OpenHand(TypedDict):
    seat: int
    cards: list[str]


class SheetRow(TypedDict):
    seat: int
    name: str
    points: int
    total: int
    place: int | None
    before: int | None
    cards_left: list[str]


class SheetLinks(TypedDict):
    replay: str | None
    record: str | None
    replays: list[str]
    review: str | None


class SheetView(TypedDict):
    hand: int | None
    winner: int | None
    winner_name: str | None
    blocked: bool
    story: str
    rows: list[SheetRow]
    next_ms: int | None
    next_hand: int | None
    waits_for: list[int]
    ready: list[int]
    over: bool
    ended: Ended
    ended_text: str
    winners: list[int]
    picture: bool
    start: list[int]
    hands: list[list[int]]
    numbers: list[int]
    links: SheetLinks
    commitment: str | None
    next_commitment: str | None


class Shared(Piles):
    """Part of a view that is the same for everyone who sees the match at that moment."""

    match: MatchFacts
    seats: list[SeatAtTable]
    colors: list[Color]
    clock: Clock | None
    log: list[LogLine]
    last: str
    sheet: SheetView | None


class PersonalPart(Own):
    """Part of a view that differs between windows."""

    you: int | None
    controls: bool
    viewer: Viewer | None
    own_lines: dict[str, str]
    own_last: str | None
    deal: DealFacts | None
    coach: list[CoachStep]


class TableView(Shared, PersonalPart):
    """The whole table as one window may see it."""


class CommentaryView(TableView):
    """View of a commentator: a viewer's table, with all players' cards."""

    open: list[OpenHand]


WindowView = TableView | CommentaryView
