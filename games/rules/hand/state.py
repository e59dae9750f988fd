"""State of a hand, and the basic steps by which actions and effects change it.

Cards are represented by their kinds, and sets of kinds by bit masks.
"""

from __future__ import annotations

from games.rules import scoring
from games.rules.actions.codes import OVER, OWED, TURN
from games.rules.chance import Chance, SystemChance
from games.rules.deck.cards import BIT
from games.rules.hand.compiled import CompiledRules, compile_rules
from games.rules.hand.events import Cards, DrawnFor, Drew, Event
from games.rules.ruleset.rulesets import RuleSet

# Attributes of a hand, grouped by how they are copied and stored.
GIVEN = ("chance", "dealer", "draws_on", "menus", "rs", "seats", "slow", "tables")
STORED = (
    *("bluff", "direction", "keeps_turn", "over", "owed", "passes", "resume", "said"),
    *("source", "uncalled", "winner"),
)
STORED_LISTS = ("emptied", "points")
LISTS = ("declined", "discard", "draw", "gained", "masks")
PASSING = ("actor", "base", "chosen", "drawn", "fits", "hue", "now", "stage")
OTHER = (*PASSING, "hands", "log", "opened", "seen")


class HandState:
    """A hand in play.

    * ``draw``, ``discard``: the piles, which end with the top card.
    * ``hue``: the colour in force.
    * ``actor``, ``stage``: the seat whose turn it is, and the stage of its turn.
    * ``fits``: the kinds that this seat may play if it holds them.
    * ``base``: the kinds that fit on the top card.
    * ``owed``: the number of cards that this seat owes.
    * ``source``: the seat that caused the penalty, or -1.
    * ``resume``: the seat with which play continues after Shields, or -1.
    * ``emptied``: seats without cards, in order. They may still receive penalty cards.
    * ``uncalled``, ``said``: bit sets of the seats that can be caught or have called UNO.
    * ``opened``: for each seat that can be caught, the time of its play in seconds, if known.
    * ``seen``: the kinds that one seat was shown in another seat's hand, keyed by both seats.
    * ``log``: the list to which events are appended, or None.
    * ``declined``: for each seat, the colour and card on which it last drew instead of playing.
    * ``gained``: for each seat, the number of cards that it has received since then.

    Anyone who watches the table can know ``declined`` and ``gained``.
    """

    __slots__ = (*GIVEN, *STORED, *STORED_LISTS, *LISTS, *OTHER)

    def __init__(self, rs: RuleSet, seats: int, dealer: int, chance: Chance | None = None) -> None:
        tables: CompiledRules = compile_rules(rs)
        self.rs = rs
        self.tables = tables
        self.menus = tables.menus
        self.draws_on = rs.draw == "until-playable"
        self.slow = rs.wrong_catch_penalty > 0 or tables.swap_bit > 0
        self.chance: Chance = chance or SystemChance()
        self.seats = seats
        self.dealer = dealer
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.masks = [0] * seats
        self.declined: list[tuple[int, int] | None] = [None] * seats
        self.gained = [0] * seats
        self.draw: list[int] = []
        self.discard: list[int] = []
        self.hue = -1
        self.actor = self.source = self.resume = self.drawn = self.chosen = -1
        self.direction = 1
        self.stage = TURN
        self.fits = self.base = 0
        self.owed = self.passes = self.uncalled = self.said = 0
        self.keeps_turn = self.bluff = self.over = False
        self.emptied: list[int] = []
        self.seen: dict[tuple[int, int], list[int]] = {}
        self.opened: dict[int, float] = {}
        self.now: float | None = None
        self.log: list[Event] | None = None
        self.winner: int | None = None
        self.points = [0] * seats

    def copy_to(self, other: HandState) -> None:
        """Copy this state to another hand of the same rule set. They share no mutable values."""
        for name in (*GIVEN, *STORED, *PASSING):
            setattr(other, name, getattr(self, name))
        for name in (*STORED_LISTS, *LISTS):
            setattr(other, name, getattr(self, name)[:])
        other.hands = [held[:] for held in self.hands]
        other.seen = {pair: kinds[:] for pair, kinds in self.seen.items()}
        other.opened = self.opened.copy()
        other.log = None

    # --- visible facts

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is, or None when the hand is over."""
        return None if self.over else self.actor

    @property
    def color(self) -> str | None:
        """Letter of the colour in force, or None until the colour of an opening wild is chosen."""
        return self.rs.colors[self.hue] if self.hue >= 0 else None

    @property
    def top(self) -> str:
        """Notation of the top card."""
        return self.tables.notation[self.discard[-1]]

    @property
    def penalty(self) -> int:
        """Number of cards owed by the seat whose turn it is."""
        return self.owed

    @property
    def counts(self) -> list[int]:
        """Number of cards that each seat holds."""
        return [len(held) for held in self.hands]

    def cards(self, seat: int) -> list[str]:
        """Return a seat's cards in the order in which it received them."""
        return self.notations(self.hands[seat])

    def playable(self, seat: int) -> list[str]:
        """Return the cards that this seat may play now, in the order in which it received them.

        Each kind appears only once.
        """
        if seat != self.actor:
            return []
        fits = self.masks[seat] & self.fits
        return self.notations([k for k in dict.fromkeys(self.hands[seat]) if fits >> k & 1])

    def notations(self, kinds: list[int]) -> list[str]:
        """Return the notations of these kinds, in the same order."""
        return self.rs.pack.notations(kinds)

    # --- turns

    def seat_after(self, seat: int, steps: int = 1) -> int:
        """Return the seat that is ``steps`` seats further in the direction of play."""
        return (seat + self.direction * steps) % self.seats

    def seats_around(self, seat: int) -> list[int]:
        """Return all seats clockwise, from this seat's left neighbour to the seat itself."""
        return [(seat + step) % self.seats for step in range(1, self.seats + 1)]

    def are_partners(self, seat: int, other: int) -> bool:
        """Return whether the two seats are partners (001 "Sit across from your partner")."""
        return self.rs.partners and (seat - other) % 2 == 0

    def advance(self, seat: int, steps: int) -> None:
        """Give the turn to the seat ``steps`` further on, and skip the seats in between."""
        if steps > 1:
            if self.seats == 2:
                steps = 2  # with two players, the opponent loses one turn
            if self.log is not None:
                skipped = [self.seat_after(seat, step) for step in range(1, steps)]
                self.log += [{"event": "skipped", "seat": other} for other in skipped]
        self.begin_turn((seat + self.direction * steps) % self.seats)

    def begin_turn(self, seat: int) -> None:
        """Begin a normal turn of this seat."""
        self.actor = seat
        self.stage = TURN
        self.fits = self.base

    # --- penalties

    def add_penalty(self, seat: int, cards: int, skipped: int, answers: int) -> None:
        """Make the next seat owe the cards of a draw card, added to any penalty already owed.

        * ``seat``: the seat that played the draw card.
        * ``skipped``: 1 if the next seat is skipped and the one after it owes the cards, or 0.
        * ``answers``: the kinds that may be played instead of drawing.
        """
        if skipped and self.log is not None:
            self.log.append({"event": "skipped", "seat": self.seat_after(seat)})
        self.owed += cards
        self.source = seat
        self.impose_penalty(self.seat_after(seat, 1 + skipped), answers)

    def impose_penalty(self, seat: int, answers: int) -> None:
        """Make a seat owe the penalty.

        ``answers`` are the kinds that it may play instead of drawing.
        """
        self.actor = seat
        self.stage = OWED
        self.fits = answers
        if self.log is not None:
            self.log.append({"event": "penalty", "seat": seat, "cards": self.owed})

    def clear_penalty(self) -> int:
        """Clear the penalty, and return how many cards were owed."""
        owed, self.owed = self.owed, 0
        self.keeps_turn = False
        self.source = -1
        return owed

    def clear_resume(self) -> int:
        """Clear the seat with which play continues after Shields, and return it."""
        seat, self.resume = self.resume, -1
        return seat

    # --- cards

    @staticmethod
    def mask_of(kinds: list[int]) -> int:
        """Return the mask of these kinds, which may include duplicates."""
        mask = 0
        for kind in kinds:
            mask |= BIT[kind]
        return mask

    def set_top(self, top: int, color: int) -> None:
        """Set the top card and the colour in force. The colour is -1 until one is chosen."""
        self.hue = color
        self.base = self.tables.fits[color][top]

    def give(self, seat: int, cards: int, cause: DrawnFor) -> None:
        """Give a seat this number of cards from the draw pile, or fewer if the piles run out."""
        drawn: list[int] = []
        while len(drawn) < cards and (self.draw or self.refill()):
            kind = self.draw.pop()
            self.masks[seat] |= BIT[kind]
            drawn.append(kind)
        self.hands[seat] += drawn
        self.gained[seat] += len(drawn)
        if drawn and (self.uncalled or self.said):
            self.reset_uno_call(seat)
        if self.log is not None:
            self.log_draw(seat, drawn, cause)

    def log_draw(self, seat: int, kinds: list[int], cause: DrawnFor) -> None:
        """Log a draw. The number of cards is public, but the cards are private to the seat."""
        assert self.log is not None
        private: dict[str, Cards] = {str(seat): {"cards": self.notations(kinds)}}
        drew: Drew = {
            "event": "drew",
            "seat": seat,
            "cards": len(kinds),
            "why": cause,
            "private": private,
        }
        self.log.append(drew)

    def refill(self) -> bool:
        """Shuffle the cards below the top card into a new draw pile (000, 002).

        Returns False if there are none.
        """
        pile = self.discard[:-1]
        if not pile:
            return False
        del self.discard[:-1]
        self.passes = 0
        self.shuffle(pile)
        if self.log is not None:
            self.log.append({"event": "reshuffled", "cards": len(pile)})
        return True

    def shuffle(self, kinds: list[int]) -> None:
        """Shuffle these cards and make them the draw pile."""
        self.chance.shuffle(kinds)
        self.draw = kinds[::-1]

    def move_hands(self, sources: dict[int, int]) -> None:
        """Move hands between seats. ``sources`` maps each seat to the seat whose hand it gets."""
        moved = {to: (self.hands[of], self.masks[of]) for to, of in sources.items()}
        for seat, (held, mask) in moved.items():
            self.hands[seat] = held
            self.masks[seat] = mask
            self.declined[seat] = None
            self.reset_uno_call(seat)
        self.seen = {pair: kinds for pair, kinds in self.seen.items() if pair[1] not in sources}

    # --- revealed cards and UNO calls

    def record_seen_card(self, seat: int, other: int, kind: int) -> None:
        """Record that a seat was shown a card of this kind in another seat's hand."""
        known = self.seen.setdefault((seat, other), [])
        if kind not in known:
            known.append(kind)

    def forget_seen_card(self, seat: int, kind: int) -> None:
        """Remove a card that leaves this seat's hand from what other seats were shown."""
        for (_, other), known in self.seen.items():
            if other == seat and kind in known:
                known.remove(kind)

    def reset_uno_call(self, seat: int) -> None:
        """Close the UNO window of a seat that receives cards, and cancel its UNO call (004)."""
        self.close_window(seat)
        self.said &= ~(1 << seat)

    def cancel_early_call(self, seat: int) -> None:
        """Cancel a UNO call made with two cards, because the turn ended without a play (001)."""
        if len(self.hands[seat]) != 1:
            self.said &= ~(1 << seat)

    def can_call_uno(self, seat: int) -> bool:
        """Return whether this seat can call UNO, either now or with its next play."""
        return self.rs.uno_penalty > 0 and not self.said >> seat & 1

    def close_window(self, seat: int) -> None:
        """Close the seat's UNO window, so that the seat can no longer be caught."""
        self.uncalled &= ~(1 << seat)
        self.opened.pop(seat, None)

    # --- end of the hand

    def finish_if_out(self) -> None:
        """End the hand if a player is out. The first one without cards wins.

        A player whose last card is a Draw Two may have to wait until the penalty has been drawn
        (002). If the penalty returns to that player, they are not out.
        """
        out = [seat for seat in self.emptied if not self.hands[seat]]
        self.emptied = []
        if out:
            self.finish(out[0])

    def finish(self, winner: int | None) -> None:
        """End the hand. If ``winner`` is None, the hand is blocked, and no seat scores."""
        self.over = True
        self.stage = OVER
        self.winner = winner
        self.fits = self.owed = self.uncalled = 0
        self.points = scoring.hand_points(self.rs, self.hands, winner)
        if self.log is not None:
            points, blocked = self.points[:], winner is None
            self.log.append(
                {"event": "over", "winner": winner, "points": points, "blocked": blocked}
            )
