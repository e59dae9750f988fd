"""Legal actions of a hand and their effects, for live play, playouts and records.

Actions are integer codes, which playouts and simulations use directly. ``Position`` adds notation,
refusals and views.
"""

from __future__ import annotations

from games.rules.actions.codes import (
    CALL,
    CATCH,
    CHALLENGE,
    CHOOSE,
    DRAW,
    DRAWN,
    EMPTY,
    KEEP,
    KIND_MASK,
    LAST,
    MANY,
    PASS,
    PLAYS,
    SWAP,
    SWAP_SHIFT,
    TURN,
    TWO,
)
from games.rules.chance import Chance
from games.rules.deck.cards import BIT
from games.rules.hand.bound import bind_effects
from games.rules.hand.events import Cards, DrawnFor, Played
from games.rules.hand.state import HandState
from games.rules.ruleset.rulesets import FAILED_CHALLENGE, RuleSet


class Engine(HandState):
    """A hand, with the legal codes of each seat and the effects of these codes."""

    __slots__ = ("bound", "plays")

    def __init__(self, rs: RuleSet, seats: int, dealer: int, chance: Chance | None = None) -> None:
        super().__init__(rs, seats, dealer, chance)
        self.bound = bind_effects(rs)
        self.plays = self.bound.plays

    # --- legal codes

    def legal_codes(self, now: float | None = None) -> tuple[int, ...]:
        """Return all legal codes of the seat whose turn it is. After the hand, there are none.

        ``now`` is the time in seconds. If it is given, catches are illegal during the respectful
        pause.
        """
        seat = self.actor
        size = len(self.hands[seat])
        if size < 3 or self.uncalled or self.slow:
            return self._list_rare_codes(seat, size, now)
        playable = self.masks[seat] & self.fits
        codes = self.menus[self.stage][MANY].get(playable)
        if codes is None:
            return self.tables.menu(self.stage, MANY, playable)
        return codes

    def codes(self, seat: int, now: float | None = None) -> tuple[int, ...]:
        """Return all legal codes of this seat. A seat that does not exist has none."""
        if not 0 <= seat < self.seats:
            return ()
        if seat == self.actor and not self.over:
            return self.legal_codes(now)
        return (*self._list_call_codes(seat), *self._list_catch_codes(seat, now))

    def _list_rare_codes(self, seat: int, size: int, now: float | None) -> tuple[int, ...]:
        if self.over:
            return ()
        playable = self.masks[seat] & self.fits
        menu = self._choose_menu_size(seat, size)
        codes = self.menus[self.stage][menu].get(playable)
        if codes is None:
            codes = self.tables.menu(self.stage, menu, playable)
        if playable & self.tables.swap_bit and size > 1:
            codes = self._expand_swaps(seat, codes)
        if self.uncalled or self.slow:
            codes += (*self._list_call_codes(seat), *self._list_catch_codes(seat, now))
        return codes

    def _choose_menu_size(self, seat: int, size: int) -> int:
        if size == 1:
            return LAST
        return TWO if size == 2 and self.can_call_uno(seat) else MANY

    def _expand_swaps(self, seat: int, codes: tuple[int, ...]) -> tuple[int, ...]:
        """Replace the play of a blank that swaps hands by one play for each other seat."""
        expanded: list[int] = []
        for code in codes:
            if code < PLAYS and BIT[code & KIND_MASK] == self.tables.swap_bit:
                others = [other for other in range(self.seats) if other != seat]
                expanded += [code | other + 1 << SWAP_SHIFT for other in others]
            else:
                expanded.append(code)
        return tuple(expanded)

    def _list_call_codes(self, seat: int) -> list[int]:
        return [CALL] if self.uncalled >> seat & 1 else []

    def _list_catch_codes(self, seat: int, now: float | None) -> list[int]:
        return [CATCH + of for of in range(self.seats) if self.can_catch(seat, of, now)]

    def can_catch(self, seat: int, of: int, now: float | None = None) -> bool:
        """Return whether ``seat`` may catch ``of``, even if the catch would be penalized."""
        if (
            seat == of
            or self.over
            or not self.rs.uno_penalty
            or (self.are_partners(seat, of) and not self.rs.partner_catches)
        ):
            return False
        if self.uncalled >> of & 1:
            return not self.is_protected_by_pause(of, now)
        return self.rs.wrong_catch_penalty > 0

    def is_protected_by_pause(self, of: int, now: float | None) -> bool:
        """Return whether the respectful pause still protects this seat from being caught (002).

        If ``now`` is None, there is no pause.
        """
        if now is None or of not in self.opened:
            return False
        return now < self.opened[of] + self.rs.catch_pause

    # --- applying codes

    def apply_code(self, code: int) -> None:
        """Carry out a code of the seat whose turn it is.

        The code must be legal, which is not checked.
        """
        seat = self.actor
        if code >= PLAYS:
            if code == DRAW and self.stage == TURN:
                self._draw_at_turn(seat)
            else:
                self._apply_secondary_effect(seat, code)
            return
        kind, bit, color, fits, effect, uno = self.plays[code]
        held = self.hands[seat]
        held.remove(kind)
        if kind not in held:
            self.masks[seat] ^= bit
        before = self.hue
        self.hue = color
        self.base = fits
        self.discard.append(kind)
        if self.log is not None:
            self._log_play(seat, kind, color, uno)
        if self.uncalled:
            self._close_windows(seat, True)
        if self.seen:
            self.forget_seen_card(seat, kind)
        if len(held) < 2 and self._handle_nearly_out(seat, held, uno):
            return
        if effect is None:
            self.actor = (seat + self.direction) % self.seats
            self.stage = TURN
            self.fits = fits
        else:
            effect(self, seat, before, 0)

    def _apply_secondary_effect(self, seat: int, code: int) -> None:
        if code == DRAW:
            self._draw_penalty(seat)
        elif code == PASS:
            self._pass_turn(seat)
        elif code >= SWAP:
            self.chosen = (code >> SWAP_SHIFT) - 1
            self.apply_code(code & SWAP - 1)
        elif code == CHALLENGE:
            self._resolve_challenge(seat)
        elif code >= CATCH or code == CALL:
            self.apply_call_or_catch(seat, code)
        else:
            self._choose_color(seat, code - CHOOSE)

    def _log_play(self, seat: int, kind: int, color: int, uno: bool) -> None:
        card = self.tables.notation[kind]
        event: Played = {"event": "played", "seat": seat, "card": card, "uno": uno}
        if BIT[kind] & self.tables.wildlike and color >= 0:
            event["color"] = self.rs.colors[color]
        assert self.log is not None
        self.log.append(event)

    def _handle_nearly_out(self, seat: int, cards: list[int], uno: bool) -> bool:
        """Handle a play that leaves one card or none, and return whether the hand is over."""
        if cards:
            if uno or self.said >> seat & 1:
                self.said |= 1 << seat
            elif self.rs.uno_penalty:
                self.uncalled |= 1 << seat
                if self.now is not None and self.rs.catch_pause:
                    self.opened[seat] = self.now
            return False
        kind = self.discard[-1]
        if BIT[kind] & self.tables.waiting:
            self.emptied.append(seat)
            return False
        last = self.bound.last[kind]
        if last is not None:
            last(self, seat)
        self.emptied.append(seat)
        self.finish_if_out()
        return True

    def _draw_at_turn(self, seat: int) -> None:
        if self.uncalled:
            self._close_windows(seat, False)
        if not self.draw and not self.refill():
            self._draw_from_empty_piles(seat)
            return
        self.declined[seat] = self.hue, self.discard[-1]
        self.gained[seat] = 0
        kind = self.draw.pop()
        held = self.hands[seat]
        held.append(kind)
        bit = BIT[kind]
        self.masks[seat] |= bit
        drawn = 1
        if not bit & self.base and self.draws_on:
            drawn, kind = self._draw_until_playable(seat)
        if self.said or self.uncalled:
            self.reset_uno_call(seat)
        if self.log is not None:
            self.log_draw(seat, held[-drawn:], "turn")
        if BIT[kind] & self.base:
            self._offer_drawn_card(seat, kind)
        else:
            if self.uncalled:
                self._close_windows(seat, True)
            self.actor = (seat + self.direction) % self.seats

    def _draw_until_playable(self, seat: int) -> tuple[int, int]:
        """Continue drawing after the first card, until a card fits (002) or the piles are empty.

        Returns the number of cards drawn, including the first one, and the last card drawn.
        """
        drawn = 1
        while self.draw or self.refill():
            kind = self.draw.pop()
            self.hands[seat].append(kind)
            self.masks[seat] |= BIT[kind]
            drawn += 1
            if BIT[kind] & self.base:
                break
        return drawn, self.hands[seat][-1]

    def _draw_from_empty_piles(self, seat: int) -> None:
        """Log a draw of no cards from two empty piles. The player can then only pass."""
        self.stage = EMPTY
        self.fits = 0
        if self.log is not None:
            self.log_draw(seat, [], "turn")

    def _offer_drawn_card(self, seat: int, kind: int) -> None:
        self.drawn = kind
        self.fits = BIT[kind]
        self.stage = DRAWN
        if BIT[kind] & self.tables.fours:
            # Players may keep a card that would be a bluff, even if drawn cards must be played.
            self.stage = KEEP if self.tables.is_bluff(self.masks[seat], self.hue) else DRAWN

    def _draw_penalty(self, seat: int) -> None:
        opening = self.source < 0
        keeps = self.keeps_turn if opening else not self.rs.penalty_ends_turn
        why: DrawnFor = "opening" if opening else "penalty"
        self.give(seat, self.clear_penalty(), why)
        if not keeps:
            self.cancel_early_call(seat)
        if self.resume >= 0:
            self.begin_turn(self.clear_resume())
        elif keeps:
            self.begin_turn(seat)
        else:
            self.advance(seat, 1)
        self.finish_if_out()

    def _pass_turn(self, seat: int) -> None:
        if self.uncalled:
            self._close_windows(seat, True)
        self.cancel_early_call(seat)
        if self.log is not None:
            self.log.append({"event": "passed", "seat": seat})
        if self.stage == EMPTY:
            self.passes += 1
            if self.passes == self.seats:
                self.finish(None)
                return
        self.advance(seat, 1)

    def _resolve_challenge(self, seat: int) -> None:
        accused, guilty = self.source, self.bluff
        if self.rs.uno_window == "own-turn":
            self.close_window(seat)
        shown = self.hands[accused]
        self.seen[seat, accused] = shown[:]
        if self.log is not None:
            self._log_challenge(seat, accused, guilty)
        cards_owed = self.clear_penalty()
        if guilty:
            self.give(accused, cards_owed, "challenge")
            self.begin_turn(seat)
        else:
            self.give(seat, cards_owed + FAILED_CHALLENGE, "challenge")
            self.cancel_early_call(seat)
            self.advance(seat, 1)
        self.finish_if_out()

    def _log_challenge(self, seat: int, accused: int, guilty: bool) -> None:
        """Log the verdict for all players, and the revealed hand for the challenger only."""
        assert self.log is not None
        private: dict[str, Cards] = {str(seat): {"cards": self.cards(accused)}}
        self.log.append(
            {
                "event": "challenged",
                "seat": seat,
                "of": accused,
                "guilty": guilty,
                "private": private,
            }
        )

    def _choose_color(self, seat: int, color: int) -> None:
        self.set_top(self.discard[-1], color)
        if self.log is not None:
            self.log.append({"event": "chose", "seat": seat, "color": self.rs.colors[color]})
        self.begin_turn(seat)

    # --- UNO

    def apply_call_or_catch(self, seat: int, code: int) -> None:
        """Carry out a call or a catch by any seat."""
        if code == CALL:
            self.close_window(seat)
            self.said |= 1 << seat
            if self.log is not None:
                self.log.append({"event": "called", "seat": seat})
            return
        of = code - CATCH
        if self.uncalled >> of & 1:
            n, penalized = self.rs.uno_penalty, of
        else:
            n, penalized = self.rs.wrong_catch_penalty, seat
        if self.log is not None:
            self._log_catch(seat, of, penalized, n)
        self.give(penalized, n, "uno" if penalized == of else "wrong_catch")
        if penalized == of:
            self.close_window(of)
        elif penalized == self.actor and self.stage in (DRAWN, KEEP):
            # With the new cards in hand, the drawn card may be a bluff.
            self._offer_drawn_card(seat, self.drawn)

    def _log_catch(self, seat: int, of: int, penalized: int, cards: int) -> None:
        """Log a catch of ``of`` by ``seat``.

        If the catch was wrong, ``penalized`` is the catcher, and otherwise the seat caught.
        """
        assert self.log is not None
        if penalized == of:
            self.log.append({"event": "caught", "seat": of, "by": seat, "cards": cards})
        else:
            self.log.append({"event": "wrong_catch", "seat": seat, "of": of, "cards": cards})

    def _close_windows(self, seat: int, ended: bool) -> None:
        """Close the UNO windows that end because a turn begins or ends.

        A UNO window is the time in which a seat can be caught. Playing a Shield out of turn
        (``resume``) does not count as a turn, so the seat that played the first Shield can still be
        caught.
        """
        window = self.rs.uno_window
        if window == "own-turn":
            self.close_window(seat)
        elif self.resume < 0 and (ended or window == "next-begins"):
            self.uncalled = 0
