"""One hand, as the rest of the site sees it: notation in, events and views out.

hand = Hand.deal(rs, seats=4, dealer=0, deck=order)
events = hand.apply(hand.turn, Action.play("R5"))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules import cards, refusals, storage, views
from games.rules.actions import Action, Refusal
from games.rules.cards import CARDS, KIND, NOTATION
from games.rules.chance import Chance
from games.rules.codes import (
    CALL,
    CATCH,
    CHALLENGE,
    CHOOSE,
    DRAW,
    KIND_MASK,
    PASS,
    PLAYS,
    SWAP,
    UNO_BIT,
    play_code,
)
from games.rules.engine import Engine
from games.rules.opening import deal
from games.rules.rulesets import RuleSet
from games.rules.state import Event

_PLAIN_CODES = {"draw": DRAW, "pass": PASS, "challenge": CHALLENGE, "call": CALL}
_PLAIN_ACTIONS = {code: Action(verb) for verb, code in _PLAIN_CODES.items()}
_IMPOSSIBLE = -1


class Hand(Engine):
    """One hand (one deal). Changed in place by ``apply``; ``copy`` where that must not be."""

    __slots__ = ()

    @classmethod
    def deal(
        cls,
        rs: RuleSet,
        seats: int,
        dealer: int,
        deck: Sequence[str] | Sequence[int],
        chance: Chance | None = None,
        events: list[Event] | None = None,
    ) -> Hand:
        """Deal a whole shuffled deck, first element on top; the first card is turned up.

        ``events`` collects what the card turned up did. Raises OptionError if the number of seats
        or of cards does not do.
        """
        rs.check_seats(seats)
        hand = cls(rs, seats, dealer, chance)
        hand.log = events
        deal(hand, deck)
        hand.log = None
        return hand

    @classmethod
    def position(
        cls,
        rs: RuleSet,
        hands: Sequence[Sequence[str]],
        discard: Sequence[str],
        draw: Sequence[str],
        *,
        turn: int,
        direction: int = 1,
        color: str | None = None,
        dealer: int = 0,
        chance: Chance | None = None,
    ) -> Hand:
        """A hand in the middle, as in a hand record: ``discard`` oldest first, ``draw`` next first.

        ``color`` may be left out where the top card has one. A draw card on top owes nothing, and
        nobody can be caught.
        """
        hand = cls(rs, len(hands), dealer, chance)
        storage.place(hand, hands, discard, draw, color or _own_color(rs, discard[-1]))
        hand.direction = direction
        hand.begin(turn)
        return hand

    @classmethod
    def from_json(cls, rs: RuleSet, data: Mapping[str, Any], chance: Chance | None = None) -> Hand:
        """The hand that ``to_json`` stored."""
        hand = cls(rs, data["seats"], data["dealer"], chance)
        storage.load(hand, data)
        return hand

    def to_json(self) -> dict[str, Any]:
        """All of the state, with secrets, for the database: never for a player."""
        return storage.dump(self)

    def copy(self) -> Hand:
        """A hand that can be played on without touching this one."""
        hand = Hand.__new__(Hand)
        self.copy_to(hand)
        return hand

    # --- what can be seen of it

    @property
    def turn(self) -> int | None:
        """The seat to act; None when the hand is over."""
        return None if self.over else self.actor

    @property
    def color(self) -> str | None:
        """The letter of the current colour; None before an opening wild's colour is chosen."""
        return self.rs.colors[self.hue] if self.hue >= 0 else None

    @property
    def top(self) -> str:
        """The top card."""
        return NOTATION[self.discard[-1]]

    @property
    def penalty(self) -> int:
        """How many cards the seat to act owes."""
        return self.owed

    @property
    def counts(self) -> list[int]:
        """How many cards each seat holds."""
        return [len(held) for held in self.hands]

    def cards(self, seat: int) -> list[str]:
        """A seat's cards in the order of their arrival."""
        return cards.notations(self.hands[seat])

    def playable(self, seat: int) -> list[str]:
        """The cards that this seat may play now, each once, in the order of their arrival."""
        if seat != self.actor:
            return []
        fits = self.masks[seat] & self.fits
        return [NOTATION[kind] for kind in dict.fromkeys(self.hands[seat]) if fits >> kind & 1]

    def view(self, seat: int | None, now: float | None = None) -> dict[str, Any]:
        """What this seat may know and do; for ``None``, what any viewer may know."""
        self.now = now
        return views.view(self, seat)

    # --- actions

    def apply(
        self, seat: int, action: Action, chance: Chance | None = None, now: float | None = None
    ) -> list[Event]:
        """Do it and say what happened; raises Refusal, and then nothing has changed.

        ``now`` in seconds is the clock of the respectful pause; without it there is none.
        """
        self.now = now
        code = self.code(seat, action)
        if code not in self.codes(seat):
            raise refusals.explain(self, seat, action)
        if chance is not None:
            self.chance = chance
        return self._log(seat, code, action)

    def _log(self, seat: int, code: int, action: Action) -> list[Event]:
        events: list[Event] = []
        self.log = events
        try:
            if seat == self.actor:
                self.apply_code(code)
            else:
                self.speak(seat, code)
        finally:
            self.log = None
        if action.ocho and is_eight(action.card):
            events.insert(1, {"event": "said_ocho", "seat": seat})
        return events

    def refusal(self, seat: int, action: Action, now: float | None = None) -> Refusal | None:
        """Why this would be refused, or None if it is legal."""
        self.now = now
        if self.code(seat, action) in self.codes(seat):
            return None
        return refusals.explain(self, seat, action)

    def legal_actions(self, seat: int, now: float | None = None) -> list[Action]:
        """Every legal action of a seat, turn or not."""
        self.now = now
        return [self.action(code) for code in self.codes(seat)]

    def codes(self, seat: int) -> tuple[int, ...]:
        """Every legal code of any seat; none of a seat that does not exist."""
        return super().codes(seat) if 0 <= seat < self.seats else ()

    def action(self, code: int) -> Action:
        """The action that a code stands for."""
        if code in _PLAIN_ACTIONS:
            return _PLAIN_ACTIONS[code]
        if code < PLAYS or code >= SWAP:
            return self._play_action(code)
        if code >= CATCH:
            return Action("catch", seat=code - CATCH)
        return Action("choose", color=self.rs.colors[code - CHOOSE])

    def _play_action(self, code: int) -> Action:
        swap, play = divmod(code, SWAP)
        color = (play >> 7 & 7) - 1
        return Action.play(
            NOTATION[play & KIND_MASK],
            self.rs.colors[color] if color >= 0 else "",
            uno=bool(play & UNO_BIT),
            seat=swap - 1,
        )

    def code(self, seat: int, action: Action) -> int:
        """The code that an action stands for; one that is never legal if it is impossible."""
        if action.verb in _PLAIN_CODES:
            return _PLAIN_CODES[action.verb]
        if action.verb == "catch":
            return CATCH + action.seat if 0 <= action.seat < self.seats else _IMPOSSIBLE
        color = self.rs.colors.find(action.color) if action.color else -1
        if action.color and color < 0:
            return _IMPOSSIBLE
        if action.verb == "choose":
            return CHOOSE + color
        return self._play_code(seat, action, color)

    def _play_code(self, seat: int, action: Action, color: int) -> int:
        held = len(self.hands[seat]) if 0 <= seat < self.seats else 0
        # UNO with a play that leaves more than one card has no effect, nor has UNO said twice.
        uno = action.uno and held == 2 and self.speaks(seat)
        swap = action.seat if held > 1 else -1
        return play_code(self.rs.kind(action.card), color, uno, swap)


def _own_color(rs: RuleSet, notation: str) -> str | None:
    color = CARDS[rs.kind(notation)].color
    return rs.colors[color] if color >= 0 else None


def is_eight(notation: str) -> bool:
    """Whether it is encouraged to say "Ocho!" with this card (002 "When an eight is played")."""
    return KIND[notation] >= KIND["AS"] and CARDS[KIND[notation]].face == "8"
