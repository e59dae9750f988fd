"""Tests of a window's view, which contains only what its seat may see."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import queries, services, store
from games.clocks.presence import PresentPlayer
from tests.factories import make_user
from tests.games.helpers import act, begin, make_match
from tests.games.viewing import (
    get_view,
    list_events,
)
from tests.typed import sure

pytestmark = pytest.mark.django_db


def test_waiting_match_shows_its_seats_and_commitment() -> None:
    match = make_match(title="Round 1, table 3", people=2, bots=1)
    shown = get_view(match, 0)
    assert shown["match"]["phase"] == "waiting"
    assert shown["match"]["commitment"] == match.hands.get().commitment
    assert [seat["name"] for seat in shown["seats"]][2] == "Bot 0"
    assert (shown["turn"], shown["cards"], shown["actions"]) == (None, [], [])
    assert shown["prompt"] == "The match hasn’t started yet. An organizer will start it."


def test_seat_to_act_sees_its_cards_and_legal_actions() -> None:
    match = begin(["R1 G1 W", "R4 R5 R6"], "R7", title="Final", turn_seconds=20)
    shown = get_view(match, 0)
    assert (shown["you"], shown["turn"], shown["top"], shown["color"]) == (0, 0, "R7", "R")
    assert [(card["card"], card["playable"]) for card in shown["cards"]] == [
        ("R1", True),
        ("G1", False),
        ("W", True),
    ]
    assert shown["cards"][1]["why"] == "You can’t play Green 1: you need red, a 7 or a wild."
    assert shown["may"]["draw"] is True
    assert {"play": "R1"} in shown["actions"]
    assert shown["draw_label"] == "Draw"
    assert shown["prompt"].startswith("Your turn: play red, a 7 or a wild")
    assert shown["clock"]["seat"] == 0
    assert 19_000 < shown["clock"]["left_ms"] <= 20_000
    assert shown["clock"]["total_ms"] == 20_000
    assert [color["name"] for color in shown["colors"]] == ["red", "yellow", "green", "blue"]


def test_others_see_the_same_table_without_private_data() -> None:
    match = begin(["R1 G1 W", "R4 R5 R6"], "R7")
    other, viewer = get_view(match, 1), get_view(match)
    assert [card["card"] for card in other["cards"]] == ["R4", "R5", "R6"]
    assert not any(card["playable"] for card in other["cards"])
    assert other["cards"][0]["why"] == "It’s not your turn."
    assert (viewer["you"], viewer["controls"], viewer["cards"]) == (None, False, [])
    assert viewer["prompt"] == f"It’s {match.seats.get(number=0).name}’s turn."
    assert [seat["count"] for seat in viewer["seats"]] == [3, 3]


def test_drawn_card_is_identified_by_its_handle() -> None:
    match = begin(["R8 G1", "R4 R5"], "B7", "B1")
    act(match, 0, {"draw": True})
    shown = get_view(match, 0)
    drawn = next(card for card in shown["cards"] if card["id"] == shown["drawn"])
    assert (drawn["card"], drawn["playable"]) == ("B1", True)
    assert shown["may"]["pass"] is True
    assert shown["prompt"] == "You drew Blue 1: play it, or keep it."


def test_penalty_names_the_seat_that_owes_it_and_labels_the_button() -> None:
    match = begin(["R+2 R1 R2", "R4 R5 R6"], "R7")
    act(match, 0, {"play": "R+2"})
    shown = get_view(match, 1)
    assert shown["penalty"] == {"cards": 2, "seat": 1}
    assert shown["draw_label"] == "Draw 2"
    assert get_view(match, 0)["draw_label"] == "Draw"


def test_uno_is_offered_with_the_play_that_leaves_one_card() -> None:
    match = begin(["R1 R2", "R4 R5"], "R7")
    assert get_view(match, 0)["may"]["uno"] is True
    assert get_view(match, 1)["may"]["uno"] is False
    act(match, 0, {"play": "R1"})
    assert get_view(match, 0)["may"]["call"] is True
    assert get_view(match, 1)["may"]["catch"] == [0]


def test_forgotten_uno_shows_a_window_to_the_player_and_all_others() -> None:
    match = begin(["R1 R2", "R4 R5", "R6 R7"], "R7", turn_seconds=20)
    now = timezone.now()
    assert get_view(match, 0, now=now)["may"]["windows"] == []
    act(match, 0, {"play": "R1"}, now=now)
    later = now + timedelta(seconds=5)
    window = {"seat": 0, "left_ms": 15_000, "total_ms": 20_000}
    assert [get_view(match, seat, now=later)["may"]["windows"] for seat in range(3)] == [
        [window]
    ] * 3
    assert get_view(match, 0, now=later)["prompt"] == "Say UNO!"
    act(match, 0, {"call": True}, now=later)
    assert get_view(match, 1, now=later)["may"]["windows"] == []


def test_respectful_pause_is_shown_only_to_the_player_who_must_call_uno() -> None:
    match = begin(["4H 5H", "6H 7H", "8H 9H"], "10H", ruleset="ocho-cards")
    now = timezone.now()
    act(match, 0, {"play": "4H"}, now=now)
    soon, later = now + timedelta(seconds=1), now + timedelta(seconds=2)
    assert get_view(match, 0, now=soon)["may"]["windows"] == [
        {"seat": 0, "left_ms": 500, "total_ms": 1500}
    ]
    assert get_view(match, 2, now=soon)["may"]["windows"] == []
    unlimited = {"seat": 0, "left_ms": None, "total_ms": None}
    assert get_view(match, 0, now=later)["may"]["windows"] == [unlimited]
    assert get_view(match, 2, now=later)["may"]["windows"] == [unlimited]


def test_player_is_prompted_for_uno_while_a_catch_is_possible() -> None:
    match = begin(["4H 5H", "6H 7H"], "10H", ruleset="ocho-cards", turn_seconds=20)
    now = timezone.now()
    act(match, 0, {"play": "4H"}, now=now)
    act(match, 1, {"play": "6H", "uno": True}, now=now + timedelta(seconds=2))
    later = now + timedelta(seconds=7)
    shown = get_view(match, 0, now=later)
    assert shown["may"]["windows"] == [{"seat": 0, "left_ms": 15_000, "total_ms": 20_000}]
    assert shown["prompt"] == "Say UNO first!"


def test_early_uno_call_opens_no_window_while_another_player_can_be_caught() -> None:
    match = begin(["R1 R2", "R4 R5", "R6 R7"], "R7", ruleset="uno-500")
    act(match, 0, {"play": "R1"})
    may = get_view(match, 1)["may"]
    assert (may["call"], [one["seat"] for one in may["windows"]]) == (True, [0])
    assert get_view(match, 1)["prompt"][:11] == "Your turn: "


def test_windows_of_other_players_are_hidden_if_wrong_catches_are_penalized() -> None:
    match = begin(["R1 R2", "R4 R5"], "R7", options={"wrong_catch_penalty": 2})
    act(match, 0, {"play": "R1"})
    assert [one["seat"] for one in get_view(match, 0)["may"]["windows"]] == [0]
    assert get_view(match, 1)["may"]["catch"] == [0]
    assert get_view(match, 1)["may"]["windows"] == []


def test_catch_is_offered_after_the_respectful_pause() -> None:
    match = begin(["4H 5H", "6H 7H", "8H 9H"], "10H", ruleset="ocho-cards")
    now = timezone.now()
    act(match, 0, {"play": "4H"}, now=now)
    snapshot = store.load(match.pk)
    assert get_view(match, 2, now=now + timedelta(seconds=1))["may"]["catch"] == []
    assert get_view(match, 2, now=now + timedelta(seconds=1.5))["may"]["catch"] == [0]
    wait = queries.seconds_until_change(snapshot, now + timedelta(seconds=1))
    assert wait == pytest.approx(0.5, abs=0.01)
    assert queries.seconds_until_change(snapshot, now + timedelta(seconds=2)) is None


def test_paused_table_allows_no_action_and_stops_the_clock() -> None:
    match = begin(["R1 R2", "R4 R5"], "R7", turn_seconds=20)
    services.pause_match(match)
    shown = get_view(match, 0, now=timezone.now() + timedelta(seconds=60))
    assert shown["match"]["paused"] is True
    assert shown["actions"] == []
    assert not any(card["playable"] for card in shown["cards"])
    assert not any(shown["may"][word] for word in ("draw", "pass", "call", "challenge", "choose"))
    assert shown["clock"]["left_ms"] > 19_000
    assert shown["prompt"] == "An organizer has paused this table. No one loses any time."
    assert {card["why"] for card in shown["cards"]} == {shown["prompt"]}


def test_no_seat_is_to_act_in_a_match_ended_mid_hand() -> None:
    match = begin(["R+2 R2", "R4 R5"], "R7")
    act(match, 0, {"play": "R+2"})
    asha, ben = (seat["name"] for seat in get_view(match, 0)["seats"])
    assert get_view(match, None)["last"] == f"{asha} plays Red Draw Two: {ben} has 2 cards to draw."
    assert get_view(match, None)["own_last"] is None
    assert get_view(match, 0)["own_last"] == f"You play Red Draw Two: {ben} has 2 cards to draw."
    assert get_view(match, 1)["own_last"] == f"{asha} plays Red Draw Two: you have 2 cards to draw."
    assert list(get_view(match, 0)["own_lines"].values()) == [
        "You play Red Draw Two.",
        f"{ben} has 2 cards to draw.",
    ]
    services.abandon_match(match, "Fire alarm.")
    shown = get_view(match, 1)
    assert (shown["turn"], shown["penalty"], shown["clock"]) == (None, None, None)


def test_card_turned_up_is_the_latest_line_before_any_action() -> None:
    assert get_view(begin(["R1 R2", "R4 R5"], "R7"), 0)["last"] == "Red 7 is turned up."
    assert get_view(make_match(people=2), 0)["last"] == ""


def test_sheet_shows_points_totals_and_cards_left() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", between_seconds=9)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    first, second = match.hands.order_by("number")
    sheet = get_view(match, 1, now=first.ended_at)["sheet"]
    names = [seat.name for seat in match.seats.order_by("number")]
    assert sheet["rows"] == [
        {
            "seat": 0,
            "name": names[0],
            "points": 9,
            "total": 9,
            "place": 1,
            "before": None,
            "cards_left": [],
        },
        {
            "seat": 1,
            "name": names[1],
            "points": 0,
            "total": 0,
            "place": 2,
            "before": None,
            "cards_left": ["G9"],
        },
    ]
    assert (sheet["hand"], sheet["winner"], sheet["winner_name"]) == (1, 0, names[0])
    assert (sheet["next_ms"], sheet["over"], sheet["winners"]) == (9000, False, [])
    assert (sheet["commitment"], sheet["next_commitment"]) == (
        first.commitment,
        second.commitment,
    )
    assert sheet["links"] == {"replay": None, "record": None, "replays": [], "review": None}


def test_final_sheet_names_the_winners_and_links_the_replays() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    sheet = get_view(match, 1)["sheet"]
    assert (sheet["over"], sheet["winners"], sheet["hands"]) == (True, [0], [[9, 0]])
    assert sheet["ended_text"] == "The only hand has been played."
    assert sheet["links"]["replay"] == f"/m/{match.public_id}/hands/1/"
    assert sheet["links"]["replays"] == [sheet["links"]["replay"]]


def test_presence_is_shown_per_seat() -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", bots=1)
    now = timezone.now()
    people = {
        0: PresentPlayer(1, now - timedelta(seconds=2), "a"),
        1: PresentPlayer(2, now - timedelta(seconds=15), "b"),
    }
    shown = get_view(match, people=people, now=now)["seats"]
    assert [(seat["present"], seat["gone_seconds"]) for seat in shown] == [
        (True, None),
        (False, 15),
        (True, None),
    ]


def test_missing_player_counts_as_arriving_for_a_minute() -> None:
    match = begin(["R1 R2", "R3 R4"], "R7", bots=1)
    people = {0: PresentPlayer(1, None, "")}

    def list_remaining_arrival_ms(seconds: int) -> list[int | None]:
        now = sure(match.started_at) + timedelta(seconds=seconds)
        return [seat.get("coming_ms") for seat in get_view(match, people=people, now=now)["seats"]]

    assert list_remaining_arrival_ms(12) == [48_000, None]
    assert list_remaining_arrival_ms(60) == [None, None]


def test_page_shows_the_view_of_the_readers_seat() -> None:
    match = begin(["R1 R2", "R3 R4"], "R7")
    seat = match.seats.get(number=1)
    assert queries.match_view(match, seat.user)["you"] == 1
    assert queries.match_view(match, make_user())["you"] is None


def test_events_since_the_clients_version_are_listed() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R7")
    act(match, 0, {"play": "R1"})
    act(match, 1, {"play": "R3"})
    assert list_events(match, 0, -1) == []
    assert list_events(match, 0, 3) == []
    assert [event["card"] for event in list_events(match, 0, 2)] == ["R3"]
    everything = list_events(match, 0, 0)
    assert [event["event"] for event in everything] == ["dealt", "opening", "played", "played"]


def test_void_hand_is_not_counted_and_keeps_its_number() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1)
    services.redo_hand(match, "A card fell.")
    match.refresh_from_db()
    over = services.play_out(match)
    sheet = get_view(over)["sheet"]
    assert (sheet["hand"], sheet["numbers"], len(sheet["hands"])) == (2, [2], 1)
    assert sheet["links"]["replays"] == [f"/m/{match.public_id}/hands/2/"]
