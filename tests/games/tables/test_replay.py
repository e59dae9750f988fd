"""Tests of replays and records, which reproduce a hand from its deck, log and chance."""

import json
import re
from typing import Any

import pytest

from games import queries, services
from games.models import Hand, Match
from games.rules import record
from games.rules.actions.actions import IllegalActionError
from games.rules.hand.position import Position
from games.seats import SeatNumber
from games.tables.playback import positions
from tests.games.helpers import act, begin, get_time_after_due, make_match, stack_deck
from tests.typed import sure

pytestmark = pytest.mark.django_db

# Unusual options, so that every kind of log entry occurs.
MATCHES = [
    ("ocho", 4, {}),
    ("ocho", 10, {}),
    ("uno-500", 4, {"partners": True}),
    ("uno-500", 3, {"scoring": "elimination", "target": 60}),
    ("uno-500", 3, {"blanks": 4, "blank_rule": "swap", "wrong_catch_penalty": 1}),
    ("uno-500", 4, {"blanks": 4, "blank_rule": "pass-hands"}),
    ("ocho-cards", 4, {}),
    ("ocho-cards", 5, {"deck": "original-54"}),
    ("uno-400", 2, {"scoring": "lowest"}),
    ("uno-assignment", 9, {}),
    ("crazy-eights", 4, {}),
]


def get_last_position(hand: Hand) -> Position:
    *_, (_, position) = positions(hand)
    return position


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "seats", "options"), MATCHES)
def test_every_log_replays_to_its_stored_state(
    ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    options = {"target": 80} | options
    match = services.start_match(make_match(ruleset, people=0, bots=seats, options=options))
    match = services.play_out(match)
    for hand in match.hands.filter(dealt_at__isnull=False):
        assert get_last_position(hand).to_json() == hand.final
        assert record.check(queries.hand_record(hand)) is None
    stored = Match.objects.get(pk=match.pk).state.position
    assert stored == sure(match.hands.filter(dealt_at__isnull=False).last()).final


def test_hand_in_play_replays_to_the_match_state() -> None:
    match = begin(["R1 R2 W+4", "R3 R4 G1", "R6 R8 R9"], "R7")
    act(match, 0, {"play": "W+4", "color": "G"})
    act(match, 1, {"challenge": True})
    act(match, 1, {"play": "G1"})
    stored = Match.objects.get(pk=match.pk)
    assert get_last_position(match.hands.get()).to_json() == stored.state.position


def test_tampered_log_does_not_replay() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5")
    act(match, 0, {"play": "R1"})
    match.hands.get().actions.update(action={"play": "R2", "uno": True})
    hand = match.hands.get()
    assert get_last_position(hand).to_json() != Match.objects.get(pk=match.pk).state.position
    hand.deck[2] = "G4"
    with pytest.raises(IllegalActionError):
        get_last_position(hand)


@pytest.mark.parametrize(
    ("replays", "after_a_hand", "cards"),
    [("hand", True, True), ("over", False, True), ("never", False, False)],
)
def test_replay_setting_decides_when_a_replay_is_available(
    replays: str, after_a_hand: bool, cards: bool
) -> None:
    match = services.start_match(make_match(people=0, bots=2, replays=replays, hand_limit=2))
    assert not queries.is_replay_open(match, match.hands.get())
    match = services.play_out(match, hands=1)
    first, second = match.hands.all()
    assert queries.is_replay_open(match, first) is after_a_hand
    match = services.play_out(match)
    second.refresh_from_db()
    assert queries.is_replay_open(match, first)
    assert queries.is_replay_open(match, second)
    assert queries.shows_cards(match) is cards


def test_players_see_only_their_own_cards_if_cards_are_hidden() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1, replays="never")
    act(match, 0, {"play": "R1", "uno": True})
    services.abandon_match(match, "Looked at.")
    hand = Hand.objects.get(match=match)
    viewer, own = queries.replay(hand), queries.replay(hand, SeatNumber(1))
    assert [step["cards"] for step in viewer] == [{}, {}]
    assert [step["cards"] for step in own] == [{"1": ["R3", "G9"]}] * 2
    assert [step["counts"] for step in viewer] == [{"0": 2, "1": 2}, {"0": 1, "1": 2}]
    assert [step["could"]["cards"] for step in viewer] == [[], []]
    assert [step["could"]["cards"] for step in own] == [[], ["R3"]]


def test_replay_does_not_depend_on_hidden_cards() -> None:
    pages = []
    for hidden, drawn in (("R3 G9 Y9", "B4"), ("R3 B8 W", "G6")):
        match = begin(["R1 R2 W", hidden], "R5", f"{drawn} B2", hand_limit=1, replays="never")
        act(match, 0, {"play": "R1"})
        act(match, 1, {"draw": True})
        services.abandon_match(match, "Looked at.")
        snapshot = queries.match_for_seat(Match.objects.get(pk=match.pk), None).snapshot
        text = json.dumps(
            queries.replay_page(snapshot, Hand.objects.get(match=match), SeatNumber(0))
        )
        for seat in match.seats.all():
            text = text.replace(seat.name, f"Seat {seat.number}")
        text = text.replace(match.hands.get().commitment, "C")
        text = re.sub(r'"face": {[^}]*}', "", text)
        pages.append(re.sub(r'"at": "[^"]*"', "", text))
    assert pages[0] == pages[1]


def test_record_contains_deck_nonce_names_actions_and_result() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    hand = Hand.objects.get(match=match)
    exported = json.loads(json.dumps(queries.hand_record(hand)))
    assert exported["format"] == "hand-record/1"
    assert exported["deck"] == hand.deck
    assert exported["nonce"] == hand.nonce
    assert exported["names"] == [seat.name for seat in match.seats.order_by("number")]
    assert exported["log"][-1]["expect"]["points"] == [9, 0]
    assert [entry.get("play") for entry in exported["log"][:-1]] == ["R1", "R3", "R2"]


def test_changed_deck_does_not_match_its_commitment() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5")
    services.abandon_match(match, "Looked at.")
    hand = Hand.objects.get(match=match)
    assert record.check(queries.hand_record(hand)) is None
    hand.deck[5:] = hand.deck[:4:-1]  # changes only cards that have not been drawn yet
    assert "commitment" in sure(record.check(queries.hand_record(hand)))


def test_replay_shows_every_step_with_all_cards_open() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    steps = queries.replay(Hand.objects.get(match=match))
    assert [step["step"] for step in steps] == [0, 1, 2, 3]
    assert steps[0]["cards"] == {"0": ["R1", "R2"], "1": ["R3", "G9"]}
    assert steps[1]["cards"] == {"0": ["R2"], "1": ["R3", "G9"]}
    assert [step["top"] for step in steps] == ["R5", "R1", "R3", "R2"]
    assert [step["seat"] for step in steps] == [None, 0, 1, 0]
    name = match.seats.get(number=0).name
    assert steps[1]["texts"] == [f"{name} plays Red 1 and says UNO."]
    assert steps[3]["over"]


def make_match_in_second_hand() -> Match:
    """Create a match in its second hand. Seat 1 was eliminated in the first."""
    options = {"scoring": "elimination", "target": 20}
    match = begin(["R1 R2", "R3 GS", "R4 G2"], "R5", options=options, between_seconds=1)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 2, {"play": "R4", "uno": True})
    act(match, 0, {"play": "R2"})
    stack_deck(match, ["Y1 Y2", "Y3 W"], "Y5", dealer=0)
    services.tick(get_time_after_due(match, 1))
    return match


def test_replay_step_uses_seat_numbers_instead_of_player_indices() -> None:
    match = make_match_in_second_hand()
    act(match, 2, {"play": "Y3"})
    act(match, 0, {"catch": 2})
    services.abandon_match(match, "Looked at.")
    hand = match.hands.get(number=2)
    assert sure(hand.actions.last()).action == {"catch": 1}
    step = queries.replay(hand)[-1]
    assert (step["seat"], step["action"]) == (0, {"catch": 2})


def test_replay_uses_the_seating_at_the_time_of_the_deal() -> None:
    match = make_match_in_second_hand()
    act(match, 2, {"play": "Y3", "uno": True})
    services.abandon_match(match, "Looked at.")
    snapshot = queries.match_for_seat(Match.objects.get(pk=match.pk), None).snapshot
    first, second = (
        queries.replay_page(snapshot, hand, SeatNumber(2))
        for hand in match.hands.order_by("number")
    )
    assert (second["you"], second["scoring"]) == (2, "elimination")
    found = [(one["score"], one["out"], one["playing"], one["dealer"]) for one in second["seats"]]
    assert found == [(0, False, True, True), (20, True, False, False), (2, False, True, False)]
    assert [one["score"] for one in first["seats"]] == [0, 0, 0]
    assert [one["team"] for one in first["seats"]] == [None, None, None]


def test_replay_shows_the_partnerships() -> None:
    match = begin(["R1 R2"] * 2 + ["G1 G2"] * 2, "R5", options={"partners": True})
    services.abandon_match(match, "Looked at.")
    snapshot = queries.match_for_seat(Match.objects.get(pk=match.pk), None).snapshot
    seats = queries.replay_page(snapshot, match.hands.get(), None)["seats"]
    assert [one["team"] for one in seats] == [0, 1, 0, 1]


def test_replay_step_lists_the_playable_cards() -> None:
    match = begin(["R1 R2 G4", "R3 G9 Y8"], "R5", "Y9 G1", hand_limit=1)
    act(match, 0, {"draw": True})
    act(match, 1, {"play": "R3"})
    services.abandon_match(match, "Looked at.")
    could = [step["could"] for step in queries.replay(Hand.objects.get(match=match))]
    first, second = (seat.name for seat in match.seats.order_by("number"))
    assert could == [
        {"cards": ["R1", "R2"], "text": f"{first} could have played Red 1 or Red 2 at this point."},
        {"cards": ["R3"], "text": f"{second} could have played Red 3 at this point."},
        {"cards": ["R1", "R2"], "text": f"{first} could have played Red 1 or Red 2 at this point."},
    ]


def test_no_playable_card_is_listed_if_none_fits_or_the_hand_is_over() -> None:
    match = begin(["G1", "G9"], "R5", "R9 R8", hand_limit=1)
    act(match, 0, {"draw": True})
    act(match, 0, {"play": "R9"})
    act(match, 1, {"draw": True})
    act(match, 1, {"play": "R8"})
    services.abandon_match(match, "Looked at.")
    could = [step["could"] for step in queries.replay(Hand.objects.get(match=match))]
    first = match.seats.get(number=0).name
    assert could[0] == {"cards": [], "text": f"{first} couldn’t play any card at this point."}
    assert could[1]["cards"] == ["R9"]
