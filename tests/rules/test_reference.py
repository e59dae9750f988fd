"""Test that compares the engine with the reference implementation on random hands and options."""

from random import Random
from typing import Any

import pytest

from games.rules.actions.actions import Action, IllegalActionError
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from tests.rules.reference import ReferenceHand
from tests.rules.reference_cards import get_role
from tests.rules.table import FixedOrder

HAND_COUNT = 60
PUT_BACK_ROLES = {"four", "shield", "x-ray", "blank"}
# Values that lead to short hands with many special situations. Values chosen uniformly at random
# would rarely do so.
OPTION_VALUES: dict[str, list[Any]] = {
    "hand_size": [1, 2, 2, 3, 5],
    "hand_size_two": [0, 1],
    "uno_penalty": [0, 1, 2, 4],
    "wrong_catch_penalty": [0, 0, 1, 2],
    "blanks": [0, 0, 4],
    "blank_rule": ["draw-one", "swap", "pass-hands", "skip-everybody"],
    "blank_points": [0, 50],
    "scoring": ["winner-takes", "lowest"],
    "partners": [False],
    "target": [500],
}


def choose_options(key: str, seats: int, random: Random) -> dict[str, Any]:
    often = random.choice([0, 0.15, 0.6])
    options = {"hand_size": random.choice(OPTION_VALUES["hand_size"])}
    for name, option in rulesets.OPTIONS.items():
        values = OPTION_VALUES.get(name) or list(option.values)
        if name not in ("deck", "blank_card", "blank_name") and random.random() < often:
            options[name] = random.choice(values)
    if seats == 4 and random.random() < 0.3:
        options["partners"] = True
    return options


def make_deck(rs: rulesets.RuleSet, seats: int, random: Random) -> list[str]:
    """Return a shuffled deck whose opening card is not put back.

    Special cards are often near the top.
    """
    deck = rs.pack.notations(rs.cards())
    random.shuffle(deck)
    if random.random() < 0.6:
        deck.sort(key=lambda card: random.random() * (1 if get_role(card, rs.deck) else 2))
    never = PUT_BACK_ROLES | ({"wild"} if rs.opening_wild == "redraw" else set())
    place = seats * rs.cards_per_hand(seats)
    stays = next(n for n in range(place, len(deck)) if get_role(deck[n], rs.deck) not in never)
    deck[place], deck[stays] = deck[stays], deck[place]
    return deck


def deal_random_hand(key: str, random: Random) -> tuple[Position, ReferenceHand]:
    seats = random.choice([2, 2, 3, 3, 4, 5])
    rs = rulesets.make(key, choose_options(key, seats, random))
    deck, dealer = make_deck(rs, seats, random), random.randrange(seats)
    hand = Position.deal(rs, seats, dealer, deck, FixedOrder())
    reference = ReferenceHand(rs.options(), [hand.cards(seat) for seat in range(seats)], dealer)
    left = deck[seats * rs.cards_per_hand(seats) + 1 :]
    if random.random() < 0.5:  # a short pile soon runs out
        left = left[: random.randrange(8)]
        hand.draw[:] = rs.kinds(reversed(left))
    reference.turn_up(hand.top, left)
    return hand, reference


def choose_action(reference: ReferenceHand, colors: str, random: Random) -> tuple[int, Action]:
    seat, anybody = reference.turn, random.randrange(reference.seats)
    if random.random() < 0.25:
        other = random.randrange(reference.seats)
        return anybody, random.choice([Action("call"), Action("catch", seat=other)])
    if reference.stage == "choose":
        return seat, Action("choose", color=random.choice(colors))
    others = [Action("draw"), Action("pass"), Action("challenge")]
    plays = [choose_play(reference, card, colors, random) for card in reference.playable(seat)]
    held = [choose_play(reference, card, colors, random) for card in reference.hands[seat][:1]]
    return seat, random.choice([*plays * 4, *held, *others])


def choose_play(reference: ReferenceHand, card: str, colors: str, random: Random) -> Action:
    named = reference.names_color(card) if random.random() < 0.95 else random.random() < 0.5
    color = random.choice(colors) if named else ""
    swaps = card == "BLANK" and reference.options["blank_rule"] == "swap"
    other = random.randrange(reference.seats) if swaps else -1
    return Action.play(card, color, uno=random.random() < 0.4, seat=other)


def is_legal(reference: ReferenceHand, seat: int, action: Action) -> bool:
    if action.verb == "call":
        return reference.can_call_uno(seat)
    if action.verb == "catch":
        return reference.can_catch(seat, action.seat)
    if action.verb == "choose" or reference.stage == "choose":
        return action.verb == "choose" and reference.stage == "choose"
    if action.verb != "play":
        return reference.find_legal_verbs()[action.verb]
    last = len(reference.hands[seat]) == 1
    named = bool(action.color) == reference.names_color(action.card) or (last and not action.color)
    return named and action.card in reference.playable(seat) and (last or action.seat != seat)


def apply_to_reference(reference: ReferenceHand, seat: int, action: Action) -> None:
    if action.verb == "play":
        reference.play(seat, action.card, action.color, action.uno, action.seat)
    elif action.verb == "catch":
        reference.catch(seat, action.seat)
    elif action.verb == "choose":
        reference.choose(seat, action.color)
    else:
        name = {"draw": "draw_or_take_penalty", "pass": "pass_turn"}.get(action.verb, action.verb)
        getattr(reference, name)(seat)


def get_hand_state(hand: Position) -> dict[str, Any]:
    state = {
        "over": hand.over,
        "hands": [hand.cards(seat) for seat in range(hand.seats)],
        "top": hand.top,
        "color": hand.color or "",
        "piles": (len(hand.draw), len(hand.discard)),
        "owed": hand.penalty,
        "result": (hand.winner, hand.points),
    }
    if hand.turn is None:
        return state
    view = hand.view(hand.turn)
    may = {name: view["may"][name] for name in ("draw", "pass", "challenge")}
    everybody = [hand.view(seat)["may"] for seat in range(hand.seats)]
    return state | {
        "turn": (hand.turn, hand.direction),
        "playable": sorted(view["playable"]),
        "may": may,
        "call": [each["call"] for each in everybody],
        "catch": [each["catch"] for each in everybody],
    }


def get_reference_state(reference: ReferenceHand) -> dict[str, Any]:
    state = {
        "over": reference.stage == "over",
        "hands": reference.hands,
        "top": reference.discard[-1],
        "color": reference.color,
        "piles": (len(reference.draw), len(reference.discard)),
        "owed": reference.owed,
        "result": (reference.winner, reference.points),
    }
    if reference.stage == "over":
        return state
    seats = range(reference.seats)
    return state | {
        "turn": (reference.turn, reference.direction),
        "playable": reference.playable(reference.turn),
        "may": reference.find_legal_verbs(),
        "call": [reference.can_call_uno(seat) for seat in seats],
        "catch": [[of for of in seats if reference.can_catch(seat, of)] for seat in seats],
    }


def apply_if_legal(hand: Position, seat: int, action: Action) -> bool:
    try:
        hand.apply(seat, action)
    except IllegalActionError:
        return False
    return True


LONG_MARKS = [pytest.mark.slow, pytest.mark.patient]


@pytest.mark.parametrize("key", rulesets.RULE_SETS)
@pytest.mark.parametrize("part", [0, *(pytest.param(n, marks=LONG_MARKS) for n in (1, 2, 3))])
def test_engine_agrees_with_the_reference_implementation(key: str, part: int) -> None:
    for number in range(HAND_COUNT // 4):
        random = Random(f"{key} {part} {number}")  # the seed identifies the hand
        hand, reference = deal_random_hand(key, random)
        found: list[object] = [hand.rs.changed_options()]
        for _ in range(150):
            assert get_hand_state(hand) == get_reference_state(reference), found
            if hand.over:
                break
            seat, action = choose_action(reference, hand.rs.colors, random)
            found.append((seat, action.to_json()))
            right = is_legal(reference, seat, action)
            assert apply_if_legal(hand, seat, action) == right, found
            if right:
                apply_to_reference(reference, seat, action)
