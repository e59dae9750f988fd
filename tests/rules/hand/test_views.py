"""Tests that seats and viewers see only what they may know."""

from tests.rules.table import make_position, run_actions

PUBLIC_KEYS = [
    "seats",
    "dealer",
    "turn",
    "direction",
    "color",
    "top",
    "counts",
    "penalty",
    "draw_pile",
    "discard_pile",
    "said_uno",
    "over",
    "winner",
    "points",
    "watched",
]
OWN_KEYS = ["seat", "cards", "seen", "drawn", "playable", "why", "may", "actions"]


def test_viewer_sees_only_the_public_table() -> None:
    hand = make_position("uno-400", "R3 G5|R1 B2|G1 G2", top="R5", draw="Y1 Y2")
    assert hand.view(None) == {
        "seats": 3,
        "dealer": 0,
        "turn": 0,
        "direction": 1,
        "color": "R",
        "top": "R5",
        "counts": [2, 2, 2],
        "penalty": None,
        "draw_pile": 2,
        "discard_pile": 1,
        "said_uno": [],
        "over": False,
        "winner": None,
        "points": [0, 0, 0],
        "watched": {
            "discards": ["R5"],
            "source": -1,
            "resume": -1,
            "keeps_turn": False,
            "emptied": [],
            "declined": [None, None, None],
        },
    }


def test_seat_sees_its_cards_and_legal_actions() -> None:
    hand = make_position("uno-400", "R3 G4 W|R1 B2|G1 G2", top="R5", draw="Y1 Y2")
    view = hand.view(0)
    assert list(view) == PUBLIC_KEYS + OWN_KEYS
    assert {key: value for key, value in view.items() if key in OWN_KEYS} == {
        "seat": 0,
        "cards": ["R3", "G4", "W"],
        "seen": {},
        "drawn": None,
        "playable": ["R3", "W"],
        "why": {"G4": "You can’t play Green 4: you need red, a 5 or a wild."},
        "may": {
            "draw": True,
            "pass": False,
            "challenge": False,
            "call": False,
            "choose": False,
            "catch": [],
            "colors": ["R", "Y", "G", "B"],
        },
        "actions": [
            {"play": "R3"},
            {"play": "W", "color": "R"},
            {"play": "W", "color": "Y"},
            {"play": "W", "color": "G"},
            {"play": "W", "color": "B"},
            {"draw": True},
        ],
    }


def test_player_has_no_legal_actions_at_another_players_turn() -> None:
    hand = make_position("uno-400", "R3 G4 W|R1 B2|G1 G2", top="R5", draw="Y1 Y2")
    view = hand.view(1)
    assert (view["playable"], view["actions"]) == ([], [])
    assert view["why"] == dict.fromkeys(["R1", "B2"], "It’s not your turn.")


def test_each_play_from_two_cards_is_offered_with_uno() -> None:
    hand = make_position("uno-500", "R3 G5|R1 B2", top="R5", draw="Y1 Y2")
    assert hand.view(0)["actions"] == [
        {"play": "R3"},
        {"play": "R3", "uno": True},
        {"play": "G5"},
        {"play": "G5", "uno": True},
        {"call": True},
        {"draw": True},
    ]
    run_actions(hand, "0: call")
    assert hand.view(0)["actions"] == [{"play": "R3"}, {"play": "G5"}, {"draw": True}]


def test_cards_are_in_the_order_received() -> None:
    hand = make_position("uno-400", "Y9 R3 B1 R3|R1 B2", top="R5", draw="G5 B2")
    run_actions(hand, "0: R3")
    assert hand.view(0)["cards"] == ["Y9", "B1", "R3"]
    run_actions(hand, "1: draw")
    assert hand.view(1)["cards"] == ["R1", "B2", "G5"]


def test_drawn_card_is_shown_only_to_its_seat() -> None:
    hand = make_position("uno-400", "Y9 B1|R1 B2", top="R5", draw="G5 B2")
    run_actions(hand, "0: draw")
    assert [hand.view(seat)["drawn"] for seat in (0, 1)] == ["G5", None]
    run_actions(hand, "0: pass")
    assert [hand.view(seat)["drawn"] for seat in (0, 1)] == [None, None]


def test_penalty_is_public() -> None:
    hand = make_position("uno-400", "W+4 R1 G1|Y1 Y2 G4", top="R5", draw="Y3 Y4 Y6 Y7")
    run_actions(hand, "0: W+4 G")
    assert hand.view(None)["penalty"] == {"cards": 4, "seat": 1}
    assert (hand.view(1)["may"]["challenge"], hand.view(0)["may"]["challenge"]) == (True, False)


def test_catches_and_calls_are_offered_only_when_legal() -> None:
    hand = make_position("uno-400", "R3 G5|R1 B2|G1 G2", top="R5", draw="Y1 Y2 Y3")
    run_actions(hand, "0: R3")
    assert [hand.view(seat)["may"]["catch"] for seat in range(3)] == [[], [0], [0]]
    assert [hand.view(seat)["may"]["call"] for seat in range(3)] == [True, False, False]
    assert hand.view(2)["actions"] == [{"catch": 0}]
    assert {"catch": 0} in hand.view(1)["actions"]


def test_view_shares_no_objects_with_the_hand() -> None:
    hand = make_position("uno-400", "R3 G5|R1 B2", top="R5", draw="Y1 Y2 Y3")
    before = hand.to_json()
    view = hand.view(0)
    for key in ("cards", "counts", "points", "playable"):
        view[key].clear()
    assert hand.to_json() == before


def test_view_does_not_depend_on_other_players_cards() -> None:
    one = make_position("ocho", "R3 G5 W|R1 B2|G1 G2", top="R5", draw="Y1 Y2 Y3")
    two = make_position("ocho", "R3 G5 W|SH XR|W+4 Y9", top="R5", draw="B9 DR BB")
    for seat in (0, None):
        assert one.view(seat) == two.view(seat)


def test_view_shows_the_last_declined_turn_of_each_player() -> None:
    hand = make_position("ocho", "R7 G5|Y1 B2|G1 G2", top="R5", draw="B1 R+2 Y2 Y3 Y4")
    run_actions(hand, "0: draw", "1: draw", "1: R+2", "2: draw")
    assert hand.view(None)["watched"]["declined"] == [("R5", "R", 0), ("R5", "R", 0), None]
    run_actions(hand, "0: R7", "1: draw")
    assert hand.view(None)["watched"] == {
        "discards": ["R5", "R+2", "R7"],
        "source": -1,
        "resume": -1,
        "keeps_turn": False,
        "emptied": [],
        "declined": [("R5", "R", 0), ("R7", "R", 0), None],
    }


def test_view_shows_who_caused_a_penalty() -> None:
    hand = make_position("ocho", "B7 G5|R+2 B2 B3|G1 G2", top="R5", draw="B1 Y1 Y2 Y3 Y4")
    run_actions(hand, "0: draw", "1: R+2")
    assert hand.view(None)["watched"]["source"] == 1
    run_actions(hand, "2: draw", "0: draw", "1: draw")
    assert hand.view(None)["watched"]["declined"][0] == ("R+2", "R", 0)
