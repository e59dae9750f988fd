"""What a window shows: all that its seat may know, in words, and nothing else."""

import json
import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from games import queries, services, store
from games.clocks.presence import Person
from games.models import Match
from games.rules import rulesets
from tests.factories import make_user
from tests.games.helpers import act, begin, make_match, seat_number, stack
from tests.protocol import valid
from tests.typed import sure

pytestmark = pytest.mark.django_db


def view(match: Match, seat: int | None = None, **changes: Any) -> dict[str, Any]:
    snapshot = store.load(match.pk)
    arguments: dict[str, Any] = {"people": {}, "now": timezone.now(), "controls": True} | changes
    known = queries.table_view(snapshot, seat_number(seat), **arguments)
    shown: dict[str, Any] = valid("TableView", known)
    return shown


def events(match: Match, seat: int | None, since: int) -> list[dict[str, Any]]:
    told = queries.events_since(store.load(match.pk), seat_number(seat), since)
    return [valid("Event", event) for event in told]


def test_a_waiting_match_shows_its_seats_and_its_commitment() -> None:
    match = make_match(title="Round 1, table 3", people=2, bots=1)
    shown = view(match, 0)
    assert shown["match"]["phase"] == "waiting"
    assert shown["match"]["commitment"] == match.hands.get().commitment
    assert [seat["name"] for seat in shown["seats"]][2] == "Bot 0"
    assert (shown["turn"], shown["cards"], shown["actions"]) == (None, [], [])
    assert shown["prompt"] == "The match has not begun yet. The organizer starts it."


def test_the_seat_to_act_sees_its_cards_and_what_it_may_do() -> None:
    match = begin(["R1 G1 W", "R4 R5 R6"], "R7", title="Final", turn_seconds=20)
    shown = view(match, 0)
    assert (shown["you"], shown["turn"], shown["top"], shown["color"]) == (0, 0, "R7", "R")
    assert [(card["card"], card["playable"]) for card in shown["cards"]] == [
        ("R1", True),
        ("G1", False),
        ("W", True),
    ]
    assert shown["cards"][1]["why"] == "Green 1 does not fit: red, or a 7, or a wild."
    assert shown["may"]["draw"] is True
    assert {"play": "R1"} in shown["actions"]
    assert shown["draw_label"] == "Draw"
    assert shown["prompt"].startswith("Your turn: play red, a 7 or a wild")
    assert shown["clock"]["seat"] == 0
    assert 19_000 < shown["clock"]["left_ms"] <= 20_000
    assert shown["clock"]["total_ms"] == 20_000
    assert [color["name"] for color in shown["colors"]] == ["red", "yellow", "green", "blue"]


def test_others_see_the_same_table_without_it() -> None:
    match = begin(["R1 G1 W", "R4 R5 R6"], "R7")
    other, viewer = view(match, 1), view(match)
    assert [card["card"] for card in other["cards"]] == ["R4", "R5", "R6"]
    assert not any(card["playable"] for card in other["cards"])
    assert other["cards"][0]["why"] == "It is not your turn."
    assert (viewer["you"], viewer["controls"], viewer["cards"]) == (None, False, [])
    assert viewer["prompt"] == f"It is {match.seats.get(number=0).name}'s turn."
    assert [seat["count"] for seat in viewer["seats"]] == [3, 3]


def test_cards_keep_their_handles_while_others_come_and_go() -> None:
    match = begin(["R1 R1 G4", "R4 R5 R6"], "R7", "B1 Y1")
    before = {card["id"]: card["card"] for card in view(match, 0)["cards"]}
    assert list(before.values()) == ["R1", "R1", "G4"]
    assert len(before) == 3
    act(match, 0, {"play": "R1"})
    act(match, 1, {"play": "R4"})
    act(match, 0, {"draw": True})
    after = {card["id"]: card["card"] for card in view(match, 0)["cards"]}
    assert list(after.values()) == ["R1", "G4", "B1"]
    assert {name: before[name] for name in before if name in after} == dict(list(after.items())[:2])


def test_the_drawn_card_is_named_by_its_handle() -> None:
    match = begin(["R8 G1", "R4 R5"], "B7", "B1")
    act(match, 0, {"draw": True})
    shown = view(match, 0)
    drawn = next(card for card in shown["cards"] if card["id"] == shown["drawn"])
    assert (drawn["card"], drawn["playable"]) == ("B1", True)
    assert shown["may"]["pass"] is True
    assert shown["prompt"] == "You drew Blue 1: play it, or keep it."


def test_an_owed_penalty_names_its_payer_and_labels_the_button() -> None:
    match = begin(["R+2 R1 R2", "R4 R5 R6"], "R7")
    act(match, 0, {"play": "R+2"})
    shown = view(match, 1)
    assert shown["penalty"] == {"cards": 2, "seat": 1}
    assert shown["draw_label"] == "Draw 2"
    assert view(match, 0)["draw_label"] == "Draw"


def test_uno_is_offered_with_the_play_that_leaves_one_card() -> None:
    match = begin(["R1 R2", "R4 R5"], "R7")
    assert view(match, 0)["may"]["uno"] is True
    assert view(match, 1)["may"]["uno"] is False
    act(match, 0, {"play": "R1"})
    assert view(match, 0)["may"]["call"] is True
    assert view(match, 1)["may"]["catch"] == [0]


def test_the_catch_is_offered_when_the_respectful_pause_is_over() -> None:
    match = begin(["4H 5H", "6H 7H", "8H 9H"], "10H", ruleset="ocho-cards")
    now = timezone.now()
    act(match, 0, {"play": "4H"}, now=now)
    snapshot = store.load(match.pk)
    assert view(match, 2, now=now + timedelta(seconds=1))["may"]["catch"] == []
    assert view(match, 2, now=now + timedelta(seconds=1.5))["may"]["catch"] == [0]
    wait = queries.changes_by_itself(snapshot, now + timedelta(seconds=1))
    assert wait == pytest.approx(0.5, abs=0.01)
    assert queries.changes_by_itself(snapshot, now + timedelta(seconds=2)) is None


def test_a_paused_table_allows_nothing_and_its_clock_stands_still() -> None:
    match = begin(["R1 R2", "R4 R5"], "R7", turn_seconds=20)
    services.pause_match(match)
    shown = view(match, 0, now=timezone.now() + timedelta(seconds=60))
    assert shown["match"]["paused"] is True
    assert shown["actions"] == []
    assert not any(card["playable"] for card in shown["cards"])
    assert not any(shown["may"][word] for word in ("draw", "pass", "call", "challenge", "choose"))
    assert shown["clock"]["left_ms"] > 19_000
    assert shown["prompt"] == "The organizer has paused this table. No time is lost."
    assert {card["why"] for card in shown["cards"]} == {shown["prompt"]}


def test_nobody_is_to_act_in_a_match_that_ended_in_the_middle_of_a_hand() -> None:
    match = begin(["R+2 R2", "R4 R5"], "R7")
    act(match, 0, {"play": "R+2"})
    asha, ben = (seat["name"] for seat in view(match, 0)["seats"])
    assert view(match, 0)["last"] == f"{asha} plays Red Draw Two: {ben} owes 2 cards."
    services.abandon_match(match, "Fire alarm.")
    shown = view(match, 1)
    assert (shown["turn"], shown["penalty"], shown["clock"]) == (None, None, None)


def test_before_any_action_the_last_thing_told_is_the_card_turned_up() -> None:
    assert view(begin(["R1 R2", "R4 R5"], "R7"), 0)["last"] == "Red 7 is turned up."
    assert view(make_match(people=2), 0)["last"] == ""


def test_the_sheet_shows_points_totals_and_cards_left() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", between_seconds=9)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    first, second = match.hands.order_by("number")
    sheet = view(match, 1, now=first.ended_at)["sheet"]
    names = [seat.name for seat in match.seats.order_by("number")]
    assert sheet["rows"] == [
        {"seat": 0, "name": names[0], "points": 9, "total": 9, "cards_left": []},
        {"seat": 1, "name": names[1], "points": 0, "total": 0, "cards_left": ["G9"]},
    ]
    assert (sheet["hand"], sheet["winner"], sheet["winner_name"]) == (1, 0, names[0])
    assert (sheet["next_ms"], sheet["over"], sheet["winners"]) == (9000, False, [])
    assert (sheet["commitment"], sheet["next_commitment"]) == (
        first.commitment,
        second.commitment,
    )
    assert sheet["links"] == {"replay": None, "record": None, "replays": []}


def test_at_the_end_the_sheet_names_the_winners_and_links_the_replays() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    sheet = view(match, 1)["sheet"]
    assert (sheet["over"], sheet["winners"], sheet["hands"]) == (True, [0], [[9, 0]])
    assert sheet["ended_text"] == "The one hand has been played."
    assert sheet["links"]["replay"] == f"/m/{match.public_id}/hands/1/"
    assert sheet["links"]["replays"] == [sheet["links"]["replay"]]


def test_presence_is_told_per_seat() -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", bots=1)
    now = timezone.now()
    people = {
        0: Person(1, now - timedelta(seconds=2), "a"),
        1: Person(2, now - timedelta(seconds=15), "b"),
    }
    shown = view(match, people=people, now=now)["seats"]
    assert [(seat["present"], seat["gone_seconds"]) for seat in shown] == [
        (True, None),
        (False, 15),
        (True, None),
    ]


def test_a_page_finds_the_seat_of_its_reader() -> None:
    match = begin(["R1 R2", "R3 R4"], "R7")
    seat = match.seats.get(number=1)
    assert queries.match_view(match, seat.user)["you"] == 1
    assert queries.match_view(match, make_user())["you"] is None


def test_events_come_since_the_version_that_the_client_has() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R7")
    act(match, 0, {"play": "R1"})
    act(match, 1, {"play": "R3"})
    assert events(match, 0, -1) == []
    assert events(match, 0, 3) == []
    assert [event["card"] for event in events(match, 0, 2)] == ["R3"]
    everything = events(match, 0, 0)
    assert [event["event"] for event in everything] == ["dealt", "opening", "played", "played"]


def test_what_somebody_draws_only_that_seat_is_told() -> None:
    match = begin(["R8 R9", "R3 R4"], "B7", "G1")
    act(match, 0, {"draw": True})
    drew = events(match, 0, 1)[0]
    assert drew["private"] == {"cards": ["G1"]}
    for other in (1, None):
        assert events(match, other, 1)[0] == {k: v for k, v in drew.items() if k != "private"}


# Non-interference: whoever may not know a card gets the same bytes whatever the card is.

PEOPLE = {"people": {}, "controls": True}


def frame(match: Match, seat: int | None, when: datetime) -> bytes:
    """Everything that a socket would send, as the bytes that differ between matches taken out."""
    live = store.load(match.pk)
    found = queries.look(live, queries.stream_of(match, seat_number(seat)), when)
    snapshot, stream = found.snapshot, found.stream
    shown = queries.table_view(
        snapshot, seat_number(seat), {}, found.now, controls=True, stream=stream
    )
    sent = {"view": shown, "events": queries.events_since(snapshot, seat_number(seat), 0)}
    text = json.dumps(sent, sort_keys=True)
    for hand in match.hands.all():
        text = text.replace(hand.commitment, "C" * 64)
    for number, one in enumerate(snapshot.seats):
        text = text.replace(f'"{one.name}', f'"Seat {number}').replace(
            f" {one.name}", f" Seat {number}"
        )
    return text.replace(match.public_id, "ID").encode()


@settings(max_examples=20)
@given(
    seeds=st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)),
    opening=st.integers(0, 1),
    ruleset=st.sampled_from(sorted(rulesets.RULE_SETS)),
    viewers=st.sampled_from(["live", "delayed", "hand"]),
)
def test_hidden_cards_change_no_byte_for_who_may_not_know_them(
    seeds: tuple[int, int], opening: int, ruleset: str, viewers: str
) -> None:
    """Two deals that differ in the hands of seats 1 and 2 and in the draw pile alone.

    The viewer looks when a delayed table has come to the deal.
    """
    late: dict[str, Any] = {"viewers": viewers, "viewer_delay_seconds": 40}
    # The cards drawn for the deal are public, and would differ.
    options = {"hand_size": 3, "first_dealer": "random"}
    rules = rulesets.make(ruleset, options)
    deck = rules.pack.notations(rules.cards())
    known, top = plain_openings(deck)[opening]
    frames = []
    for seed in seeds:
        order = shuffled_rest(deck, [*known.split(), top], seed)
        match = make_match(ruleset, people=3, options=options, turn_seconds=100, **late)
        hands = [known, " ".join(order[:3]), " ".join(order[3:6])]
        services.start_match(stack(match, hands, top, " ".join(order[6:])))
        stored = Match.objects.get(pk=match.pk)
        when = sure(stored.turn_until) - timedelta(seconds=50)
        frames.append([frame(stored, seat, when) for seat in (0, None)])
    assert frames[0] == frames[1]


def shuffled_rest(deck: list[str], known: list[str], seed: int) -> list[str]:
    rest = list(deck)
    for card in known:
        rest.remove(card)
    random.Random(seed).shuffle(rest)
    return rest


def plain_openings(deck: list[str]) -> list[tuple[str, str]]:
    """A hand for seat 0 and a card that simply lies there when turned up."""
    if "AS" in deck:
        wild = "JK" if "JK" in deck else "8D"
        return [(f"4H {wild} 7S", "9H"), ("2S KD 3C", "10D")]
    return [("R1 W B7", "R3"), ("Y+2 G5 W+4", "G9")]


@pytest.mark.parametrize("seat", [0, None])
def test_a_draw_by_another_seat_changes_no_byte_whatever_is_drawn(seat: int | None) -> None:
    frames = []
    for drawn in ("G1", "Y4"):
        match = begin(["R8 R9", "R3 R4"], "B7", f"R1 {drawn}")
        act(match, 0, {"draw": True})
        act(match, 1, {"draw": True})
        stored = Match.objects.get(pk=match.pk)
        frames.append(frame(stored, seat, sure(stored.turn_until) - timedelta(seconds=5)))
    assert frames[0] == frames[1]


def test_the_byte_test_would_notice_a_card() -> None:
    frames = []
    for held in ("R3 R4", "R3 G4"):
        stored = Match.objects.get(pk=begin(["R8 R9", held], "B7").pk)
        frames.append(frame(stored, 1, sure(stored.turn_until) - timedelta(seconds=5)))
    assert frames[0] != frames[1]


def test_a_right_to_left_name_does_not_turn_the_words_around_it() -> None:
    match = begin(["R1 R2", "R4 R5"], "R7")
    match.seats.filter(number=0).update(name="ليلى")
    store.forget(match.pk)
    act(match, 0, {"play": "R1"})
    shown = view(match, 1)
    assert shown["seats"][0]["name"] == "\u2068ليلى\u2069"
    assert shown["last"] == "\u2068ليلى\u2069 plays Red 1."
    assert shown["log"][-1]["text"] == shown["last"]


def test_a_void_hand_is_not_counted_and_keeps_its_number() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1)
    services.redo_hand(match, "A card fell.")
    match.refresh_from_db()
    over = services.play_out(match)
    sheet = view(over)["sheet"]
    assert (sheet["hand"], sheet["numbers"], len(sheet["hands"])) == (2, [2], 1)
    assert sheet["links"]["replays"] == [f"/m/{match.public_id}/hands/2/"]
