"""A seat that changes hands: who sits there now plays it, and who sat there sees no more of it."""

from datetime import timedelta
from typing import Any

import pytest

from games import queries, services
from games.json_values.seat_history import Sitter, Sitters
from games.models import Match, Seat
from games.rules import record
from games.rules.fair.deal import DealKey
from games.seats import SeatNumber
from tests.factories import make_user
from tests.games.dealing import check_record, commit, commitment, deal_first_hand
from tests.games.helpers import act, after_due, begin, create_match, fresh, log, make_match
from tests.signing import ed25519_device
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

BEN = SeatNumber(1)
EMPTY = services.SeatSpec("Ben", bot=services.EMPTY)


def change(match: Match, who: services.SeatSpec, seat: SeatNumber = BEN) -> Match:
    return services.change_seat(match, seat, who)


def newcomer(name: str = "Chitra") -> services.SeatSpec:
    return services.SeatSpec(name, user=make_user())


def expect_change_refusal(match: Match, who: services.SeatSpec, seat: int = 1) -> str:
    with pytest.raises(services.RefusedError) as refusal:
        services.change_seat(match, SeatNumber(seat), who)
    return refusal.value.code


def seat(match: Match, number: int = 1) -> Seat:
    return match.seats.get(number=number)


def three(**fields: Any) -> Match:
    return begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4", **fields)


def test_a_substitute_has_the_seats_cards_and_who_sat_there_has_none() -> None:
    match = three()
    before, who = seat(match).user, newcomer()
    change(match, who)
    act(match, 0, {"play": "R1"})
    shown = queries.match_view(fresh(match), who.user)
    assert [card["card"] for card in shown["cards"]] == ["R3", "R4"]
    assert queries.match_view(fresh(match), before)["cards"] == []
    act(match, 1, {"play": "R3"})
    assert seat(match).name == "Chitra"


def test_a_substitute_by_the_name_of_another_at_the_table_gets_a_number() -> None:
    match = three()
    match.seats.filter(number=0).update(name="Chitra")
    change(match, newcomer("chitra"))
    assert [each.name for each in match.seats.all()][:2] == ["Chitra", "chitra 2"]
    change(match, services.SeatSpec("Chitra", bot="plain"))
    assert seat(match).name == "Chitra 2"
    change(match, newcomer("Ben"))
    assert seat(match).name == "Ben"


def test_everybody_at_the_table_is_told_who_sits_down_for_whom() -> None:
    match = three()
    change(match, newcomer())
    view = queries.match_view(fresh(match), make_user())
    assert view["last"] == "Chitra is now playing in seat 2."


def test_a_substitute_in_turn_begins_with_a_full_turn_and_a_full_bank() -> None:
    match = three(bank_seconds=30)
    change(match, newcomer(), SeatNumber(0))
    began = fresh(match)
    assert sure(began.turn_until) > sure(match.turn_until)
    assert began.state.banks == {}


def test_at_a_paused_table_a_turn_is_full_when_play_goes_on() -> None:
    match = services.pause_match(three())
    change(match, newcomer(), SeatNumber(0))
    paused = fresh(match)
    assert sure(paused.turn_until) - sure(paused.paused_at) == timedelta(seconds=match.turn_seconds)


def test_a_bot_plays_by_itself_in_the_place_of_a_person() -> None:
    match = three()
    change(match, services.SeatSpec("Bot", bot="plain"), SeatNumber(0))
    services.tick(after_due(match, 0))
    assert log(match)[0][2] == "bot"


def test_a_seat_given_up_draws_and_passes() -> None:
    match = three()
    name = seat(match, 0).said
    change(match, services.SeatSpec(name, bot=services.EMPTY), SeatNumber(0))
    services.tick(after_due(match, 0))
    services.tick(after_due(match, 0))
    assert next(move for player, move, _auto in log(match) if player == 0) == {"draw": True}
    lines = [line["text"] for line in queries.match_view(fresh(match), make_user())["log"]]
    assert f"{name} is no longer playing. The site draws and passes for them." in lines


def test_a_seat_given_up_is_dealt_in_no_more_where_enough_play_on() -> None:
    match = three()
    change(match, EMPTY)
    services.play_out(fresh(match), hands=1)
    assert [hand.players for hand in match.hands.order_by("number")] == [[0, 1, 2], [0, 2]]


def test_of_two_the_other_plays_on_against_an_empty_seat() -> None:
    match = begin(["R1 R2", "R3 R4"], "R7")
    change(match, EMPTY)
    services.play_out(fresh(match), hands=1)
    assert sure(match.hands.last()).players == [0, 1]


def test_who_has_given_up_comes_last_and_does_not_win() -> None:
    match = three(hand_limit=1)
    services.play_out(match)
    won = queries.score(fresh(match)).winners[0]
    Seat.objects.filter(match=match, number=won).update(bot=services.EMPTY, user=None)
    score = queries.score(fresh(match))
    assert score.places[won] == 3
    assert won not in score.winners
    assert score.winners


def test_nobody_wins_where_all_have_given_up() -> None:
    match = three(hand_limit=1)
    services.play_out(match)
    match.seats.update(bot=services.EMPTY, user=None)
    assert queries.score(fresh(match)).winners == []


def test_who_played_which_hand_is_kept_and_shown() -> None:
    match = three()
    first = seat(match)
    act(match, 0, {"play": "R1"})
    change(match, newcomer())
    rows = queries.result_page(queries.match_for_seat(fresh(match), None).snapshot)["seats"]
    first_part = f"From hand 1: {first.name}."
    assert rows[1]["sat"] == f"{first_part} From hand 1, after move 1: Chitra."
    assert rows[0]["sat"] == ""


def test_the_log_names_who_did_it() -> None:
    match = three()
    first = seat(match)
    act(match, 0, {"play": "R1"})
    act(match, 1, {"play": "R3"})
    change(match, newcomer())
    lines = [line["text"] for line in queries.match_view(fresh(match), make_user())["log"]]
    assert [line for line in lines if line.startswith(first.said)] == [f"{first.said} plays Red 3."]


def test_a_record_says_who_sat_down_in_mid_hand_and_is_right() -> None:
    match = three()
    first = seat(match).name
    act(match, 0, {"play": "R1"})
    change(match, newcomer())
    services.play_out(fresh(match), hands=1)
    hand = match.hands.get(number=1)
    written = queries.hand_record(hand)
    assert written["names"][1] == first
    assert written["sitters"] == [{"seat": 1, "name": "Chitra", "from": 1}]
    assert record.check(written) is None


def test_a_seat_given_back_after_a_click_too_much_leaves_no_trace_of_nothing() -> None:
    match = three()
    first = seat(match)
    change(match, EMPTY)
    change(match, services.SeatSpec(first.name, user=first.user))
    assert not seat(match).sitters


def test_a_share_that_was_committed_to_goes_with_who_leaves() -> None:
    match = make_match(share_seconds=5)
    services.start_match(match)
    commit(match, 1)
    change(match, newcomer())
    current = match.hands.get().deals.current
    assert (current.commitments, current.let_go) == ({}, (BEN,))


def test_who_sits_down_has_no_signature_of_who_left() -> None:
    """Check that an unsigned commitment has no device's signature.

    The record says which seat's signature was let go.
    """
    match = make_match(hand_limit=1)
    signed = ed25519_device()(DealKey(match.public_id, 1, 1), BEN, commitment(match, BEN))
    commit(match, BEN, signed=signed)
    change(match, newcomer())
    deal_first_hand(match, "a5" * 32)
    services.play_out(fresh(match))
    exported = check_record(match.hands.get())
    assert (exported["format"], exported["fair"]["let_go"]) == ("hand-record/2", [BEN])


def test_seats_are_changed_only_where_that_makes_sense() -> None:
    match = three()
    other, mine = seat(match, 0), seat(match)
    assert expect_change_refusal(match, services.SeatSpec(mine.name, user=mine.user)) == "same"
    assert expect_change_refusal(match, services.SeatSpec(other.name, user=other.user)) == "seated"
    assert expect_change_refusal(match, newcomer(), seat=3) == "unknown-seat"
    with pytest.raises(KeyError):
        change(match, services.SeatSpec("Bot", bot="genius"))
    services.abandon_match(match, "The hall is closed.")
    assert expect_change_refusal(match, newcomer()) == "over"


def test_a_match_that_nobody_left_says_nothing_of_sitters() -> None:
    match = create_match(ruleset="uno-400", options={}, seats=[newcomer("A"), newcomer("B")])
    assert not seat(match).sitters
    assert seat(match).sitters.to_json() == {}


def test_sitters_are_read_as_they_were_written() -> None:
    first = Sitters((Sitter("Asha", "", 1, 0),))
    sitters = first.add(Sitter("Ben", "plain", 2, 3))
    assert Sitters.from_json(sitters.to_json()) == sitters
    assert [sitters.find_at(*moment) for moment in ((1, 5), (2, 2), (2, 3), (4, 0))] == [
        sitters.ever[0],
        sitters.ever[0],
        sitters.ever[1],
        sitters.ever[1],
    ]
    with pytest.raises(ValueError, match="version 9"):
        Sitters.from_json({"version": 9})


def test_after_the_match_who_had_given_up_may_have_the_result_again() -> None:
    match = three(hand_limit=1)
    first = seat(match)
    change(match, EMPTY)
    services.play_out(fresh(match))
    change(match, services.SeatSpec(first.name, user=first.user))
    assert (seat(match).user, seat(match).bot) == (first.user, "")
    assert [one.bot for one in seat(match).sitters.ever] == [services.EMPTY]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("caution", "The referee cautioned {name}."),
        ("warning", "The referee warned {name}."),
        ("points", "The referee deducted 20 points from {name}."),
    ],
)
def test_a_ruling_is_told_at_the_table(code: str, told: str) -> None:
    match = three()
    services.note_ruling(match, BEN, code, 20)
    view = queries.match_view(fresh(match), make_user())
    assert view["last"] == told.format(name=seat(match).said)


def test_a_ruling_after_the_match_leaves_it_as_it_is() -> None:
    match = services.abandon_match(three(), "The hall is closed.")
    assert services.note_ruling(match, BEN, "caution", 0).version == match.version
