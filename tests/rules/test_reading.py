"""Tests of the engine against a plain implementation, on random hands and options."""

from random import Random
from typing import Any

import pytest

from games.rules.actions.actions import Action, IllegalActionError
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from tests.rules.reading import Reading
from tests.rules.reading_cards import get_role
from tests.rules.table import FixedOrder

HAND_COUNT = 60
NEVER_TURNED_UP = {"four", "shield", "x-ray", "blank"}
# Option values that give interesting hands, which a uniform random choice would rarely or never
# produce.
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
    """Return a shuffled deck with a card to turn up that may stay.

    Often the special cards are near the top.
    """
    deck = rs.pack.notations(rs.cards())
    random.shuffle(deck)
    if random.random() < 0.6:
        deck.sort(key=lambda card: random.random() * (1 if get_role(card, rs.deck) else 2))
    never = NEVER_TURNED_UP | ({"wild"} if rs.opening_wild == "redraw" else set())
    place = seats * rs.cards_per_hand(seats)
    stays = next(n for n in range(place, len(deck)) if get_role(deck[n], rs.deck) not in never)
    deck[place], deck[stays] = deck[stays], deck[place]
    return deck


def deal_random_hand(key: str, random: Random) -> tuple[Position, Reading]:
    seats = random.choice([2, 2, 3, 3, 4, 5])
    rs = rulesets.make(key, choose_options(key, seats, random))
    deck, dealer = make_deck(rs, seats, random), random.randrange(seats)
    hand = Position.deal(rs, seats, dealer, deck, FixedOrder())
    reading = Reading(rs.options(), [hand.cards(seat) for seat in range(seats)], dealer)
    left = deck[seats * rs.cards_per_hand(seats) + 1 :]
    if random.random() < 0.5:  # a short pile, which will run out
        left = left[: random.randrange(8)]
        hand.draw[:] = rs.kinds(reversed(left))
    reading.turn_up(hand.top, left)
    return hand, reading


def choose_action(reading: Reading, colors: str, random: Random) -> tuple[int, Action]:
    seat, anybody = reading.turn, random.randrange(reading.seats)
    if random.random() < 0.25:
        other = random.randrange(reading.seats)
        return anybody, random.choice([Action("call"), Action("catch", seat=other)])
    if reading.stage == "choose":
        return seat, Action("choose", color=random.choice(colors))
    others = [Action("draw"), Action("pass"), Action("challenge")]
    plays = [choose_play(reading, card, colors, random) for card in reading.playable(seat)]
    stray = [choose_play(reading, card, colors, random) for card in reading.hands[seat][:1]]
    return seat, random.choice([*plays * 4, *stray, *others])


def choose_play(reading: Reading, card: str, colors: str, random: Random) -> Action:
    named = reading.wild(card) if random.random() < 0.95 else random.random() < 0.5
    color = random.choice(colors) if named else ""
    swaps = card == "BLANK" and reading.options["blank_rule"] == "swap"
    other = random.randrange(reading.seats) if swaps else -1
    return Action.play(card, color, uno=random.random() < 0.4, seat=other)


def is_legal(reading: Reading, seat: int, action: Action) -> bool:
    if action.verb == "call":
        return reading.may_call(seat)
    if action.verb == "catch":
        return reading.may_catch(seat, action.seat)
    if action.verb == "choose" or reading.stage == "choose":
        return action.verb == "choose" and reading.stage == "choose"
    if action.verb != "play":
        return reading.may()[action.verb]
    last = len(reading.hands[seat]) == 1
    named = bool(action.color) == reading.wild(action.card) or (last and not action.color)
    return named and action.card in reading.playable(seat) and (last or action.seat != seat)


def apply_to_reading(reading: Reading, seat: int, action: Action) -> None:
    if action.verb == "play":
        reading.play(seat, action.card, action.color, action.uno, action.seat)
    elif action.verb == "catch":
        reading.catch(seat, action.seat)
    elif action.verb == "choose":
        reading.choose(seat, action.color)
    else:
        named = {"draw": "take", "pass": "keep"}.get(action.verb, action.verb)
        getattr(reading, named)(seat)


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


def get_reading_state(reading: Reading) -> dict[str, Any]:
    state = {
        "over": reading.stage == "over",
        "hands": reading.hands,
        "top": reading.discard[-1],
        "color": reading.color,
        "piles": (len(reading.draw), len(reading.discard)),
        "owed": reading.owed,
        "result": (reading.winner, reading.points),
    }
    if reading.stage == "over":
        return state
    seats = range(reading.seats)
    return state | {
        "turn": (reading.turn, reading.direction),
        "playable": reading.playable(reading.turn),
        "may": reading.may(),
        "call": [reading.may_call(seat) for seat in seats],
        "catch": [[of for of in seats if reading.may_catch(seat, of)] for seat in seats],
    }


def is_accepted(hand: Position, seat: int, action: Action) -> bool:
    try:
        hand.apply(seat, action)
    except IllegalActionError:
        return False
    return True


LONG_MARKS = [pytest.mark.slow, pytest.mark.patient]


@pytest.mark.parametrize("key", rulesets.RULE_SETS)
@pytest.mark.parametrize("part", [0, *(pytest.param(n, marks=LONG_MARKS) for n in (1, 2, 3))])
def test_engine_agrees_with_the_reference_reading(key: str, part: int) -> None:
    for number in range(HAND_COUNT // 4):
        random = Random(f"{key} {part} {number}")  # the seed identifies the hand
        hand, reading = deal_random_hand(key, random)
        found: list[object] = [hand.rs.changed_options()]
        for _ in range(150):
            assert get_hand_state(hand) == get_reading_state(reading), found
            if hand.over:
                break
            seat, action = choose_action(reading, hand.rs.colors, random)
            found.append((seat, action.to_json()))
            right = is_legal(reading, seat, action)
            assert is_accepted(hand, seat, action) == right, found
            if right:
                apply_to_reading(reading, seat, action)
