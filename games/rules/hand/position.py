"""The interface with which other packages play a hand. It represents cards by their notations.

position = Position.deal(rs, seats=4, dealer=0, deck=order)
events = position.apply(position.turn, Action.play("R5"))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

from games.rules.actions.actions import Action, IllegalActionError
from games.rules.actions.knowledge import PlayerView, PublicView
from games.rules.chance import Chance
from games.rules.hand import codec, refusals, storage, views
from games.rules.hand.engine import Engine
from games.rules.hand.events import Event
from games.rules.hand.opening import deal
from games.rules.ruleset.rulesets import RuleSet


class Position(Engine):
    """A hand at one moment.

    Only ``apply`` changes it. To try a move, apply it to a ``copy``.
    """

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
    ) -> Position:
        """Deal a shuffled deck and turn up the opening card.

        ``deck`` begins with the top card. The events of the opening are appended to ``events``.
        Raises OptionError if the number of seats or cards is not possible.
        """
        rs.check_seats(seats)
        hand = cls(rs, seats, dealer, chance)
        hand.log = events
        deal(hand, deck)
        hand.log = None
        return hand

    @classmethod
    def set_up(
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
    ) -> Position:
        """Set up a hand that is already in progress, as in a hand record.

        ``discard`` begins with the oldest card, and ``draw`` with the next card to draw. ``color``
        may be omitted if the top card has a colour. No cards are owed, even if the top card is a
        draw card, and no player can be caught.
        """
        hand = cls(rs, len(hands), dealer, chance)
        color = color or rs.pack.color_letter(rs.card(discard[-1]).color) or None
        storage.place_cards(hand, hands, discard, draw, color)
        hand.direction = direction
        hand.begin_turn(turn)
        return hand

    @classmethod
    def from_json(
        cls, rs: RuleSet, data: Mapping[str, Any], chance: Chance | None = None
    ) -> Position:
        """Load a hand stored by ``to_json``."""
        hand = cls(rs, data["seats"], data["dealer"], chance)
        storage.load(hand, data)
        return hand

    def to_json(self) -> dict[str, object]:
        """Return the whole state as JSON for the database.

        The result contains secrets and must never reach a player.
        """
        return storage.dump(self)

    def copy(self) -> Position:
        """Return an independent copy."""
        other = Position(self.rs, self.seats, self.dealer, self.chance)
        self.copy_to(other)
        return other

    def delay(self, seconds: float) -> Position:
        """Return a copy in which each respectful pause ends ``seconds`` later."""
        other = self.copy()
        other.opened = {seat: at + seconds for seat, at in self.opened.items()}
        return other

    @overload
    def view(
        self, seat: int, now: float | None = None, *, with_reasons: bool = True
    ) -> PlayerView: ...

    @overload
    def view(
        self, seat: None, now: float | None = None, *, with_reasons: bool = True
    ) -> PublicView: ...

    def view(
        self, seat: int | None, now: float | None = None, *, with_reasons: bool = True
    ) -> PublicView:
        """Return what a seat knows and may do, or the public view if ``seat`` is None.

        ``now`` is the time in seconds. If it is given, catches are illegal during the respectful
        pause. Without ``with_reasons``, the view does not explain why cards cannot be played.
        """
        if seat is None:
            return views.public_view(self)
        return views.player_view(self, seat, self.codes(seat, now), with_reasons=with_reasons)

    # --- actions

    def apply(
        self, seat: int, action: Action, chance: Chance | None = None, now: float | None = None
    ) -> list[Event]:
        """Carry out an action, and return its events.

        ``now`` is the time in seconds. If it is given, catches are illegal during the respectful
        pause.

        Raises IllegalActionError if the action is illegal. The hand is then unchanged.
        """
        code = codec.encode(self, seat, action)
        if code not in self.codes(seat, now):
            raise refusals.explain(self, seat, action)
        self.now = now
        if chance is not None:
            self.chance = chance
        return self._log_action(seat, code, action)

    def _log_action(self, seat: int, code: int, action: Action) -> list[Event]:
        events: list[Event] = []
        self.log = events
        try:
            if seat == self.actor:
                self.apply_code(code)
            else:
                self.apply_call_or_catch(seat, code)
        finally:
            self.log = None
        if action.ocho and self.rs.card(action.card).ocho:
            events.insert(1, {"event": "said_ocho", "seat": seat})
        return events

    def refusal(
        self, seat: int, action: Action, now: float | None = None
    ) -> IllegalActionError | None:
        """Return the refusal of this action, or None if the action is legal."""
        if codec.encode(self, seat, action) in self.codes(seat, now):
            return None
        return refusals.explain(self, seat, action)

    def legal_actions(self, seat: int, now: float | None = None) -> list[Action]:
        """Return all legal actions of a seat, even if it is another seat's turn."""
        return [codec.decode(self, code) for code in self.codes(seat, now)]
