"""F21: bytes that reveal a hidden card to a client."""

import json
import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import queries, services, store
from games.models import Match
from games.rules.ruleset import rulesets
from tests.games.helpers import act, begin, make_match, seat_number, stack_deck
from tests.games.viewing import (
    ONE_MINUTE_DELAY,
    START,
    Clock,
    list_events,
    play_moves,
    render_viewer_json,
    strip_faces,
)
from tests.typed import sure

pytestmark = pytest.mark.django_db


def get_comparable_bytes(match: Match, seat: int | None, moment: datetime) -> bytes:
    """Return the bytes that a socket would send, without parts specific to the match."""
    live = store.load(match.pk)
    found = queries.shown_now(live, queries.stream_of(match, seat_number(seat)), moment)
    snapshot, stream = found.snapshot, found.stream
    shown = queries.table_view(
        snapshot, seat_number(seat), {}, found.now, controls=True, stream=stream
    )
    sent = {"view": shown, "events": queries.list_events(snapshot, seat_number(seat), 0)}
    text = strip_faces(json.dumps(sent, sort_keys=True))
    for hand in match.hands.all():
        text = text.replace(hand.commitment, "C" * 64)
    for number, one in enumerate(snapshot.seats):
        text = text.replace(f'"{one.name}', f'"Seat {number}').replace(
            f" {one.name}", f" Seat {number}"
        )
    return text.replace(match.public_id, "ID").encode()


def shuffle_unknown_cards(deck: list[str], known: list[str], seed: int) -> list[str]:
    rest = list(deck)
    for card in known:
        rest.remove(card)
    random.Random(seed).shuffle(rest)
    return rest


def list_plain_openings(deck: list[str]) -> list[tuple[str, str]]:
    """Return opening hands for seat 0, each with an opening card that has no effect."""
    if "AS" in deck:
        wild = "JK" if "JK" in deck else "8D"
        return [(f"4H {wild} 7S", "9H"), ("2S KD 3C", "10D")]
    return [("R1 W B7", "R3"), ("Y+2 G5 W+4", "G9")]


def strip_identity(match: Match, text: str) -> str:
    """Return the text without the parts that differ between any two matches."""
    text = strip_faces(text).replace(match.public_id, "ID")
    for hand in match.hands.all():
        text = text.replace(hand.commitment, "C" * 64)
    for seat in match.seats.all():
        text = text.replace(seat.name, f"Seat {seat.number}")
    return text


def test_only_the_drawing_seat_sees_its_cards() -> None:
    match = begin(["R8 R9", "R3 R4"], "B7", "G1")
    act(match, 0, {"draw": True})
    drew = list_events(match, 0, 1)[0]
    assert drew["private"] == {"cards": ["G1"]}
    for other in (1, None):
        assert list_events(match, other, 1)[0] == {k: v for k, v in drew.items() if k != "private"}


@settings(max_examples=20)
@given(
    seeds=st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)),
    opening=st.integers(0, 1),
    ruleset=st.sampled_from(sorted(rulesets.RULE_SETS)),
    viewers=st.sampled_from(["live", "delayed", "hand"]),
)
def test_hidden_cards_change_no_byte_sent_to_others(
    seeds: tuple[int, int], opening: int, ruleset: str, viewers: str
) -> None:
    """Compare deals that differ only in the hands of seats 1 and 2 and in the draw pile.

    Delayed viewers are compared at a time when they already see the deal.
    """
    late: dict[str, Any] = {"viewers": viewers, "viewer_delay_seconds": 40}
    # The dealer is not chosen by drawing cards, because these are public and would differ.
    options = {"hand_size": 3, "first_dealer": "random"}
    rules = rulesets.make(ruleset, options)
    deck = rules.pack.notations(rules.cards())
    known, top = list_plain_openings(deck)[opening]
    frames = []
    for seed in seeds:
        order = shuffle_unknown_cards(deck, [*known.split(), top], seed)
        match = make_match(ruleset, people=3, options=options, turn_seconds=100, **late)
        hands = [known, " ".join(order[:3]), " ".join(order[3:6])]
        services.start_match(stack_deck(match, hands, top, " ".join(order[6:])))
        stored = Match.objects.get(pk=match.pk)
        when = sure(stored.turn_until) - timedelta(seconds=50)
        frames.append([get_comparable_bytes(stored, seat, when) for seat in (0, None)])
    assert frames[0] == frames[1]


@pytest.mark.parametrize("seat", [0, None])
def test_draw_by_another_seat_sends_the_same_bytes_for_any_card(seat: int | None) -> None:
    frames = []
    for drawn in ("G1", "Y4"):
        match = begin(["R8 R9", "R3 R4"], "B7", f"R1 {drawn}")
        act(match, 0, {"draw": True})
        act(match, 1, {"draw": True})
        stored = Match.objects.get(pk=match.pk)
        frames.append(
            get_comparable_bytes(stored, seat, sure(stored.turn_until) - timedelta(seconds=5))
        )
    assert frames[0] == frames[1]


def test_byte_comparison_detects_a_leaked_card() -> None:
    frames = []
    for held in ("R3 R4", "R3 G4"):
        stored = Match.objects.get(pk=begin(["R8 R9", held], "B7").pk)
        frames.append(
            get_comparable_bytes(stored, 1, sure(stored.turn_until) - timedelta(seconds=5))
        )
    assert frames[0] != frames[1]


@pytest.mark.parametrize(
    "viewers", [ONE_MINUTE_DELAY, {"viewers": "hand"}], ids=["delayed", "hand"]
)
def test_no_byte_reveals_a_move_before_the_viewer_delay_ends(
    clock: Clock, viewers: dict[str, Any]
) -> None:
    frames = []
    ways: list[list[dict[str, Any]]] = [
        [{"play": "R1"}, {"play": "R3"}],
        [{"play": "W", "color": "G"}, {"draw": True}],
    ]
    for actions in ways:
        match = begin(["R1 R2 W", "R3 G9 Y9"], "R5", "B1 B2", **viewers)
        clock(0)
        Match.objects.filter(pk=match.pk).update(title="Same")
        match.hands.update(dealt_at=START)
        play_moves(match, clock, [(10 * n, n - 1, action) for n, action in enumerate(actions, 1)])
        frames.append(strip_identity(match, render_viewer_json(match, 69)))
    assert frames[0] == frames[1]


def test_no_byte_reveals_hidden_cards_after_the_viewer_delay(clock: Clock) -> None:
    frames = []
    for hidden, drawn in (("R3 G9 Y9", "B4"), ("R3 B8 W", "G6")):
        match = begin(["R1 R2 W", hidden], "R5", f"{drawn} B2", **ONE_MINUTE_DELAY)
        match.hands.update(dealt_at=START)
        play_moves(match, clock, [(10, 0, {"play": "R1"}), (20, 1, {"draw": True})])
        frames.append(strip_identity(match, render_viewer_json(match, 85)))
    assert frames[0] == frames[1]
