"""A shorthand for hands in tests: cards are strings, and each action is a line."""

from collections.abc import Iterable
from typing import Any

from games.rules.actions.actions import Action, IllegalActionError
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets

_WORDS = {"draw", "pass", "challenge", "call"}


class FixedOrder:
    """Source of randomness that does not shuffle, and always chooses the first option."""

    def shuffle(self, kinds: list[int]) -> None:
        pass

    def choice(self, n: int) -> int:
        return 0


def make_position(
    ruleset: str,
    hands: str,
    *,
    top: str,
    draw: str = "",
    color: str | None = None,
    turn: int = 0,
    direction: int = 1,
    **options: Any,
) -> Position:
    """Return a hand set up from strings.

    Hands are separated by `|`, and cards by spaces. `top` is the discard pile, oldest card first.
    """
    return Position.set_up(
        rulesets.make(ruleset, options),
        [held.split() for held in hands.split("|")],
        top.split(),
        draw.split(),
        turn=turn,
        direction=direction,
        color=color,
        chance=FixedOrder(),
    )


def deal_hand(
    ruleset: str, seats: int, dealer: int, hands: str, top: str, draw: str = "", **options: Any
) -> Position:
    """Deal a hand from a deck that is arranged so that the seats get these hands."""
    rs = rulesets.make(ruleset, options)
    held = [cards.split() for cards in hands.split("|")]
    order = [
        held[(dealer + 1 + n) % seats][row] for row in range(rs.hand_size) for n in range(seats)
    ]
    return Position.deal(rs, seats, dealer, [*order, *top.split(), *draw.split()], FixedOrder())


def parse_action(text: str) -> Action:
    """Parse an action in shorthand.

    Examples: `R5`, `W G` (chooses green), `R5 uno`, `BLANK R with 2`, `draw`, `choose G`, `catch
    2`.
    """
    first, *rest = text.split()
    if first in _WORDS:
        return Action(first)
    if first == "choose":
        return Action("choose", color=rest[0])
    if first == "catch":
        return Action("catch", seat=int(rest[0]))
    seat = int(rest[rest.index("with") + 1]) if "with" in rest else -1
    color = rest[0] if rest and len(rest[0]) == 1 and rest[0].isupper() else ""
    return Action.play(first, color, uno="uno" in rest, ocho="ocho" in rest, seat=seat)


def run_actions(hand: Position, *lines: str, now: float | None = None) -> list[dict[str, Any]]:
    """Apply actions written as `0: R5` in order, and return all their events."""
    events: list[dict[str, Any]] = []
    for line in lines:
        seat, text = line.split(":")
        events += [{**event} for event in hand.apply(int(seat), parse_action(text), now=now)]
    return events


def get_refusal_code(hand: Position, line: str, now: float | None = None) -> str:
    """Return the code of the refusal of an action, or "accepted" if it is legal.

    Checks that a refused action changes nothing. A legal action is carried out.
    """
    before = hand.to_json()
    seat, text = line.split(":")
    try:
        hand.apply(int(seat), parse_action(text), now=now)
    except IllegalActionError as refusal:
        assert hand.to_json() == before
        return refusal.code
    return "accepted"


def list_event_names(events: Iterable[dict[str, Any]]) -> list[str]:
    """Return the names of the events."""
    return [event["event"] for event in events]
