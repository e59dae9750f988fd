"""Reference implementation of the rules, with which tests compare the engine.

It is simple and slow, represents cards by their notations, and shares nothing with the engine
except the options. It has no events, views or texts. It computes the state of a hand after each
action, and the actions that are legal in this state.
"""

from collections.abc import Iterable
from typing import Any

from tests.rules.reference_cards import get_color, get_face, get_points, get_role


class ReferenceHand:
    """A hand of the reference implementation.

    ``stage`` is "turn", "drawn", "empty" (no card left to draw), "owed", "choose" or "over".
    """

    def __init__(self, options: dict[str, Any], hands: list[list[str]], dealer: int) -> None:
        self.options = options
        self.hands = [list(held) for held in hands]
        self.seats = len(hands)
        self.dealer = dealer
        self.draw: list[str] = []
        self.discard: list[str] = []
        self.color = ""
        self.turn = (dealer + 1) % self.seats
        self.direction = 1
        self.stage = "turn"
        self.owed = 0
        self.opening = False  # true if the opening card caused the penalty
        self.source = -1  # the player who caused the penalty, with a draw card or a Shield
        self.shielded = False
        self.resume = -1  # the player with whom play continues after Shields
        self.accused: tuple[int, bool] | None = None
        self.drawn = ""
        self.missed: set[int] = set()
        self.said: set[int] = set()
        self.passes = 0
        self.emptied: list[int] = []
        self.winner: int | None = None
        self.points = [0] * self.seats

    # --- the opening card

    def turn_up(self, top: str, draw: list[str]) -> None:
        """Turn up the opening card. Cards that would be put back are not supported."""
        self.discard, self.draw = [top], list(draw)
        self.color = get_color(top)
        role = self.role(top)
        if role == "wild" and self.options["opening_wild"] == "choose":
            self.color, self.stage = "", "choose"
        elif role == "two" and self.options["opening_draw_two"] != "plain":
            self.owed, self.opening, self.stage = 2, True, "owed"
        elif role == "skip":
            self.turn = self._find_opening_seat()
        elif role == "reverse" and self.options["opening_reverse"] != "plain":
            self.direction = -1
            dealer = self.options["opening_reverse"] == "dealer"
            self.turn = self.dealer if dealer else self.seat_after(self.dealer)

    def _find_opening_seat(self) -> int:
        begins = {"plain": self.turn, "skip": self.seat_after(self.turn), "dealer": self.dealer}
        return begins[self.options["opening_skip"]]

    def role(self, card: str) -> str:
        """Return the card's effect in this deck."""
        return get_role(card, self.options["deck"])

    def points_of(self, card: str) -> int:
        """Return the card's points."""
        return get_points(card, self.options["blank_points"], self.options["deck"])

    # --- permitted actions

    def names_color(self, card: str) -> bool:
        """Return whether a player names a colour with the card."""
        return get_color(card) == "" or self.role(card) == "wild"

    def always_fits(self, card: str) -> bool:
        """Return whether the card can be played on any card."""
        return get_color(card) == "" or (
            self.role(card) == "wild" and self.options["face_wilds"] == "anytime"
        )

    def fits(self, card: str) -> bool:
        """Return whether the card fits on the top card."""
        if self.always_fits(card) or not self.color:
            return True
        return get_color(card) == self.color or get_face(card) == get_face(self.discard[-1])

    def can_answer_with(self, card: str) -> bool:
        """Return whether the card may be played instead of drawing the penalty."""
        role, stacking = self.role(card), self.options["stacking"]
        if role == "shield" or self.shielded:
            return role == "shield"
        if stacking == "draw-two":
            return role == "two" == self.role(self.discard[-1])
        return stacking == "any-draw" and role in ("two", "four")

    def playable(self, seat: int) -> list[str]:
        """Return the cards that the seat may play now, without duplicates."""
        if seat != self.turn or self.stage in ("empty", "choose", "over"):
            return []
        if self.stage == "drawn":
            return [self.drawn]
        test = self.can_answer_with if self.stage == "owed" else self.fits
        return sorted({card for card in self.hands[seat] if test(card)})

    def find_legal_verbs(self) -> dict[str, bool]:
        """Map draw, pass and challenge to whether the seat whose turn it is may do them."""
        may_draw = self.options["renege"] or not self.playable(self.turn)
        keeps = self.options["drawn_card"] == "may" or self._is_drawn_card_a_bluff()
        return {
            "draw": self.stage == "owed" or (self.stage == "turn" and may_draw),
            "pass": self.stage == "empty" or (self.stage == "drawn" and keeps),
            "challenge": self.stage == "owed" and self.accused is not None,
        }

    def _is_drawn_card_a_bluff(self) -> bool:
        four = self.stage == "drawn" and self.role(self.drawn) == "four"
        return four and self.is_bluff(self.hands[self.turn], self.color)

    def is_bluff(self, cards: Iterable[str], color: str) -> bool:
        """Return whether playing a Wild Draw Four from a hand with these cards is a bluff."""
        if self.options["wild_draw_four"] == "anytime" or not color:
            return False
        return any(get_color(card) == color and not self.always_fits(card) for card in cards)

    def can_call_uno(self, seat: int) -> bool:
        """Return whether the seat may call UNO without playing a card."""
        if self.stage == "over" or not self.options["uno_penalty"] or seat in self.said:
            return False
        before = self.options["uno_before_play"] and len(self.hands[seat]) == 2
        return seat in self.missed or bool(before and self.playable(seat))

    def can_catch(self, seat: int, of: int) -> bool:
        """Return whether the seat may catch the other one, even if the catch is penalized."""
        if self.stage == "over" or not self.options["uno_penalty"] or seat == of:
            return False
        if self.options["partners"] and seat % 2 == of % 2 and not self.options["partner_catches"]:
            return False
        return of in self.missed or self.options["wrong_catch_penalty"] > 0

    # --- basic steps

    def seat_after(self, seat: int, steps: int = 1) -> int:
        """Return the seat `steps` turns after `seat`."""
        return (seat + steps * self.direction) % self.seats

    def list_other_seats(self, seat: int) -> list[int]:
        """Return all other seats, starting with the left neighbour."""
        return [(seat + step) % self.seats for step in range(1, self.seats)]

    def give(self, seat: int, cards: int) -> int:
        """Give a seat up to this number of cards, and return the number that it received."""
        for drawn in range(cards):
            if not self.draw and len(self.discard) > 1:
                self.draw, self.discard = self.discard[:-1], self.discard[-1:]
                self.passes = 0
            if not self.draw:
                return drawn
            self.hands[seat].append(self.draw.pop(0))
            self._reset_uno_call(seat)
        return cards

    def _reset_uno_call(self, seat: int) -> None:
        self.missed.discard(seat)
        self.said.discard(seat)

    def _cancel_early_call(self, seat: int) -> None:
        if len(self.hands[seat]) > 1:
            self.said.discard(seat)

    def _give_turn_to(self, seat: int) -> None:
        self.turn, self.stage = seat, "turn"
        self.shielded, self.accused, self.drawn = False, None, ""

    def _close_windows_at_turn_start(self, seat: int) -> None:
        if self.options["uno_window"] == "own-turn":
            self.missed.discard(seat)
        elif self.options["uno_window"] == "next-begins" and not self.shielded:
            self.missed.clear()

    def _close_windows_at_turn_end(self, seat: int) -> None:
        self._close_windows_at_turn_start(seat)
        if self.options["uno_window"] == "next-ends" and not self.shielded:
            self.missed.clear()

    # --- actions

    def choose(self, seat: int, color: str) -> None:
        """Choose the colour of the wild card that was turned up."""
        self.color = color
        self._give_turn_to(seat)

    def call(self, seat: int) -> None:
        """Call UNO."""
        self.missed.discard(seat)
        self.said.add(seat)

    def catch(self, seat: int, of: int) -> None:
        """Catch a seat that missed its call, or draw the penalty for a wrong catch."""
        if of not in self.missed:
            self.give(seat, self.options["wrong_catch_penalty"])
            return
        self.missed.discard(of)
        self.give(of, self.options["uno_penalty"])

    def draw_or_take_penalty(self, seat: int) -> None:
        """Draw at a turn, or draw the cards that are owed."""
        if self.stage == "owed":
            self._draw_penalty(seat)
            return
        self._close_windows_at_turn_start(seat)
        found = self._draw_at_turn(seat)
        if not found:
            self.stage = "empty"
        elif self.fits(self.hands[seat][-1]):
            self.stage, self.drawn = "drawn", self.hands[seat][-1]
        else:
            self._close_windows_at_turn_end(seat)
            self._give_turn_to(self.seat_after(seat))

    def _draw_at_turn(self, seat: int) -> int:
        found = self.give(seat, 1)
        if self.options["draw"] == "until-playable":
            while found and not self.fits(self.hands[seat][-1]) and self.give(seat, 1):
                found += 1
        return found

    def _draw_penalty(self, seat: int) -> None:
        keeps = not self.options["penalty_ends_turn"]
        if self.opening:
            keeps = self.options["opening_draw_two"] == "draw"
        self.give(seat, self._clear_penalty())
        if not keeps:
            self._cancel_early_call(seat)
        next_seat = seat if keeps else self.seat_after(seat)
        self._give_turn_to(self.resume if self.resume >= 0 else next_seat)
        self.resume = -1
        self._finish_if_out()

    def _clear_penalty(self) -> int:
        owed, self.owed, self.opening = self.owed, 0, False
        return owed

    def pass_turn(self, seat: int) -> None:
        """Pass after drawing."""
        self._close_windows_at_turn_end(seat)
        self._cancel_early_call(seat)
        if self.stage == "empty":
            self.passes += 1
            if self.passes == self.seats:
                self.stage = "over"
                return
        self._give_turn_to(self.seat_after(seat))

    def challenge(self, seat: int) -> None:
        """Challenge the Wild Draw Four that was just played."""
        assert self.accused
        player, guilty = self.accused
        if guilty and self.options["uno_window"] == "own-turn":
            self.missed.discard(seat)
        owed = self._clear_penalty()
        if guilty:
            self.give(player, owed)
            self._give_turn_to(seat)
        else:
            self.give(seat, owed + 2)
            self._cancel_early_call(seat)
            self._give_turn_to(self.seat_after(seat))
        self._finish_if_out()

    def play(self, seat: int, card: str, color: str, uno: bool, other: int) -> None:
        """Play a card."""
        self.hands[seat].remove(card)
        self._close_windows_at_turn_end(seat)
        before, below = self.color, self.discard[-1]
        self.discard.append(card)
        self.color = color if self.names_color(card) else get_color(card)
        self._update_uno_call(seat, uno)
        same = card == below and get_color(card) != "" and self.options["identical_skips"]
        waits = self.role(card) == "two" and self.options["last_draw_two"] == "after-stack"
        if not self.hands[seat]:
            self.emptied.append(seat)
        if self.hands[seat] or waits:
            self._apply_effect(seat, self.role(card), before, int(same), other)
        else:
            self._play_last_card(seat, self.role(card), int(same))
            self._finish_if_out()

    def _update_uno_call(self, seat: int, uno: bool) -> None:
        if len(self.hands[seat]) != 1:
            self.said.discard(seat)
        elif uno or seat in self.said:
            self.said.add(seat)
        elif self.options["uno_penalty"]:
            self.missed.add(seat)

    # --- effects of cards

    def _apply_effect(self, seat: int, role: str, before: str, skips: int, other: int) -> None:
        if role in ("two", "four"):
            self._add_penalty(seat, role, before, skips)
        elif role == "shield" and self.owed:
            self._apply_shield(seat)
        else:
            self._make_affected_seats_draw(seat, role, [*self.list_other_seats(seat), seat])
            steps = self._apply_turn_effect(seat, role, other) + skips
            # With two players, the opponent never loses more than one turn.
            self._give_turn_to(self.seat_after(seat, min(steps, 2) if self.seats == 2 else steps))

    def _add_penalty(self, seat: int, role: str, before: str, skips: int) -> None:
        self.owed += 2 if role == "two" else 4
        self.opening, self.source = False, seat
        self._give_turn_to(self.seat_after(seat, 1 + skips))
        self.stage = "owed"
        if role == "four" and self.options["challenge"]:
            self.accused = seat, self.is_bluff(self.hands[seat], before)

    def _apply_shield(self, seat: int) -> None:
        next_seat = self.resume if self.resume >= 0 else self.seat_after(seat)
        if self.opening:
            self._clear_penalty()
            self._give_turn_to(next_seat)
            return
        target, self.source, self.resume = self.source, seat, next_seat
        self._give_turn_to(target)
        self.stage, self.shielded = "owed", True

    def _make_affected_seats_draw(self, seat: int, role: str, hit: list[int]) -> None:
        """Make seats draw that a Dead Red, Boo Blue or blank card affects.

        `hit` are the seats that may be affected.
        """
        if role == "dead red":
            spared = [seat] if self.options["dead_red_spares_player"] else []
            reds = [other for other in hit if "R" in map(get_color, self.hands[other])]
            self._make_all_draw([other for other in hit if other not in [*reds, *spared]], 2)
        elif role == "boo blue":
            fewest = min(len(self.hands[other]) for other in hit)
            hit = [other for other in hit if len(self.hands[other]) == fewest]
            if len(hit) == 1 or self.options["boo_blue_ties"] == "all":
                self._make_all_draw(hit, 2)
        elif role == "blank" and self.options["blank_rule"] == "draw-one":
            self._make_all_draw([other for other in hit if other != seat], 1)

    def _make_all_draw(self, seats: list[int], cards: int) -> None:
        for seat in seats:
            self.give(seat, cards)

    def _apply_turn_effect(self, seat: int, role: str, other: int) -> int:
        if role == "reverse" and self.seats > 2:
            self.direction = -self.direction
        if role == "blank":
            return self._apply_house_rule(seat, other)
        return 2 if role == "skip" or (role == "reverse" and self.seats == 2) else 1

    def _apply_house_rule(self, seat: int, other: int) -> int:
        rule = self.options["blank_rule"]
        if rule == "swap":
            self._move_hands({seat: other, other: seat})
        elif rule == "pass-hands":
            self._move_hands({self.seat_after(giver): giver for giver in range(self.seats)})
        return self.seats if rule == "skip-everybody" else 1

    def _move_hands(self, givers: dict[int, int]) -> None:
        old = list(self.hands)
        for seat, giver in givers.items():
            self.hands[seat] = old[giver]
            self._reset_uno_call(seat)

    def _play_last_card(self, seat: int, role: str, skips: int) -> None:
        victim = self.seat_after(seat, 1 + skips)
        if role in ("two", "four") and victim != seat:
            self.give(victim, self.owed + (2 if role == "two" else 4))
        elif role == "shield" and self.owed and not self.opening:
            self.give(self.source, self.owed)
        else:
            self._make_affected_seats_draw(seat, role, self.list_other_seats(seat))
        self.owed = 0

    # --- end of the hand

    def _finish_if_out(self) -> None:
        out = [seat for seat in self.emptied if not self.hands[seat]]
        self.emptied = []
        if out:
            self.winner, self.stage = out[0], "over"
            self._set_points(out[0])

    def _set_points(self, winner: int) -> None:
        caught = [sum(self.points_of(card) for card in held) for held in self.hands]
        takes = self.options["scoring"] == "winner-takes"
        if self.options["partners"]:
            losers = sum(caught[(winner + side) % 4] for side in (1, 3))
            scorers = [seat for seat in range(4) if ((seat - winner) % 2 == 0) == takes]
            self.points = [losers if seat in scorers else 0 for seat in range(4)]
        elif takes:
            self.points[winner] = sum(caught)
        else:
            self.points = caught
