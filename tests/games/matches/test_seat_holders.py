"""Tests of seats that pass to a substitute, to a bot or to no one."""

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
from tests.games.dealing import check_record, commit_to_share, deal_first_hand, make_commitment
from tests.games.helpers import (
    act,
    begin,
    create_match,
    get_time_after_due,
    list_log,
    make_match,
    reload,
)
from tests.signing import make_ed25519_device
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

BEN = SeatNumber(1)
EMPTY_SEAT = services.SeatSpec("Ben", bot=services.EMPTY)


def change_seat(match: Match, seat_spec: services.SeatSpec, seat: SeatNumber = BEN) -> Match:
    return services.change_seat(match, seat, seat_spec)


def make_newcomer(name: str = "Chitra") -> services.SeatSpec:
    return services.SeatSpec(name, user=make_user())


def expect_change_refusal(match: Match, seat_spec: services.SeatSpec, seat: int = 1) -> str:
    with pytest.raises(services.RefusedError) as refusal:
        services.change_seat(match, SeatNumber(seat), seat_spec)
    return refusal.value.code


def get_seat(match: Match, number: int = 1) -> Seat:
    return match.seats.get(number=number)


def begin_three_player_match(**fields: Any) -> Match:
    return begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4", **fields)


def test_substitute_gets_the_cards_and_the_former_player_loses_them() -> None:
    match = begin_three_player_match()
    before, who = get_seat(match).user, make_newcomer()
    change_seat(match, who)
    act(match, 0, {"play": "R1"})
    shown = queries.match_view(reload(match), who.user)
    assert [card["card"] for card in shown["cards"]] == ["R3", "R4"]
    assert queries.match_view(reload(match), before)["cards"] == []
    act(match, 1, {"play": "R3"})
    assert get_seat(match).name == "Chitra"


def test_substitute_with_a_duplicate_name_gets_a_number() -> None:
    match = begin_three_player_match()
    match.seats.filter(number=0).update(name="Chitra")
    change_seat(match, make_newcomer("chitra"))
    assert [seat.name for seat in match.seats.all()][:2] == ["Chitra", "chitra 2"]
    change_seat(match, services.SeatSpec("Chitra", bot="plain"))
    assert get_seat(match).name == "Chitra 2"
    change_seat(match, make_newcomer("Ben"))
    assert get_seat(match).name == "Ben"


def test_table_announces_the_substitute_and_the_replaced_player() -> None:
    match = begin_three_player_match()
    change_seat(match, make_newcomer())
    view = queries.match_view(reload(match), make_user())
    assert view["last"] == "Chitra is now playing in seat 2."


def test_substitute_to_act_starts_with_a_full_turn_and_bank() -> None:
    match = begin_three_player_match(bank_seconds=30)
    change_seat(match, make_newcomer(), SeatNumber(0))
    began = reload(match)
    assert sure(began.turn_until) > sure(match.turn_until)
    assert began.state.banks == {}


def test_substitute_at_a_paused_table_gets_a_full_turn_on_resume() -> None:
    match = services.pause_match(begin_three_player_match())
    change_seat(match, make_newcomer(), SeatNumber(0))
    paused = reload(match)
    assert sure(paused.turn_until) - sure(paused.paused_at) == timedelta(seconds=match.turn_seconds)


def test_bot_plays_automatically_for_a_replaced_player() -> None:
    match = begin_three_player_match()
    change_seat(match, services.SeatSpec("Bot", bot="plain"), SeatNumber(0))
    services.tick(get_time_after_due(match, 0))
    assert list_log(match)[0][2] == "bot"


def test_empty_seat_draws_and_passes() -> None:
    match = begin_three_player_match()
    name = get_seat(match, 0).said
    change_seat(match, services.SeatSpec(name, bot=services.EMPTY), SeatNumber(0))
    services.tick(get_time_after_due(match, 0))
    services.tick(get_time_after_due(match, 0))
    assert next(move for player, move, _auto in list_log(match) if player == 0) == {"draw": True}
    lines = [line["text"] for line in queries.match_view(reload(match), make_user())["log"]]
    assert f"{name} is no longer playing. The site draws and passes for them." in lines


def test_empty_seat_is_not_dealt_in_while_enough_players_remain() -> None:
    match = begin_three_player_match()
    change_seat(match, EMPTY_SEAT)
    services.play_out(reload(match), hands=1)
    assert [hand.players for hand in match.hands.order_by("number")] == [[0, 1, 2], [0, 2]]


def test_last_player_plays_on_against_an_empty_seat() -> None:
    match = begin(["R1 R2", "R3 R4"], "R7")
    change_seat(match, EMPTY_SEAT)
    services.play_out(reload(match), hands=1)
    assert sure(match.hands.last()).players == [0, 1]


def test_player_who_gave_up_finishes_last() -> None:
    match = begin_three_player_match(hand_limit=1)
    services.play_out(match)
    won = queries.score(reload(match)).winners[0]
    Seat.objects.filter(match=match, number=won).update(bot=services.EMPTY, user=None)
    score = queries.score(reload(match))
    assert score.places[won] == 3
    assert won not in score.winners
    assert score.winners


def test_match_has_no_winner_if_all_players_gave_up() -> None:
    match = begin_three_player_match(hand_limit=1)
    services.play_out(match)
    match.seats.update(bot=services.EMPTY, user=None)
    assert queries.score(reload(match)).winners == []


def test_players_of_each_hand_are_stored_and_shown() -> None:
    match = begin_three_player_match()
    first = get_seat(match)
    act(match, 0, {"play": "R1"})
    change_seat(match, make_newcomer())
    rows = queries.result_page(queries.match_for_seat(reload(match), None).snapshot)["seats"]
    first_part = f"From hand 1: {first.name}."
    assert rows[1]["sat"] == f"{first_part} From hand 1, after move 1: Chitra."
    assert rows[0]["sat"] == ""


def test_log_names_the_player_who_acted() -> None:
    match = begin_three_player_match()
    first = get_seat(match)
    act(match, 0, {"play": "R1"})
    act(match, 1, {"play": "R3"})
    change_seat(match, make_newcomer())
    lines = [line["text"] for line in queries.match_view(reload(match), make_user())["log"]]
    assert [line for line in lines if line.startswith(first.said)] == [f"{first.said} plays Red 3."]


def test_record_names_a_substitute_during_a_hand_and_stays_valid() -> None:
    match = begin_three_player_match()
    first = get_seat(match).name
    act(match, 0, {"play": "R1"})
    change_seat(match, make_newcomer())
    services.play_out(reload(match), hands=1)
    hand = match.hands.get(number=1)
    written = queries.hand_record(hand)
    assert written["names"][1] == first
    assert written["sitters"] == [{"seat": 1, "name": "Chitra", "from": 1}]
    assert record.check(written) is None


def test_seat_given_back_immediately_has_no_history() -> None:
    match = begin_three_player_match()
    first = get_seat(match)
    change_seat(match, EMPTY_SEAT)
    change_seat(match, services.SeatSpec(first.name, user=first.user))
    assert not get_seat(match).sitters


def test_commitment_is_dropped_when_its_player_leaves() -> None:
    match = make_match(share_seconds=5)
    services.start_match(match)
    commit_to_share(match, 1)
    change_seat(match, make_newcomer())
    current = match.hands.get().deals.current
    assert (current.commitments, current.let_go) == ({}, (BEN,))


def test_substitute_does_not_inherit_the_signature() -> None:
    """Check that a substitute's unsigned commitment has no signature.

    The record lists the seat whose earlier commitment was removed.
    """
    match = make_match(hand_limit=1)
    signed = make_ed25519_device()(DealKey(match.public_id, 1, 1), BEN, make_commitment(match, BEN))
    commit_to_share(match, BEN, signed=signed)
    change_seat(match, make_newcomer())
    deal_first_hand(match, "a5" * 32)
    services.play_out(reload(match))
    exported = check_record(match.hands.get())
    assert (exported["format"], exported["fair"]["let_go"]) == ("hand-record/2", [BEN])


def test_invalid_seat_changes_are_refused() -> None:
    match = begin_three_player_match()
    other, mine = get_seat(match, 0), get_seat(match)
    assert expect_change_refusal(match, services.SeatSpec(mine.name, user=mine.user)) == "same"
    assert expect_change_refusal(match, services.SeatSpec(other.name, user=other.user)) == "seated"
    assert expect_change_refusal(match, make_newcomer(), seat=3) == "unknown-seat"
    with pytest.raises(KeyError):
        change_seat(match, services.SeatSpec("Bot", bot="genius"))
    services.abandon_match(match, "The hall is closed.")
    assert expect_change_refusal(match, make_newcomer()) == "over"


def test_seat_without_substitutions_has_no_history() -> None:
    match = create_match(
        ruleset="uno-400", options={}, seats=[make_newcomer("A"), make_newcomer("B")]
    )
    assert not get_seat(match).sitters
    assert get_seat(match).sitters.to_json() == {}


def test_sitters_are_unchanged_after_a_json_round_trip() -> None:
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


def test_player_who_gave_up_can_regain_the_result_after_the_match() -> None:
    match = begin_three_player_match(hand_limit=1)
    first = get_seat(match)
    change_seat(match, EMPTY_SEAT)
    services.play_out(reload(match))
    change_seat(match, services.SeatSpec(first.name, user=first.user))
    assert (get_seat(match).user, get_seat(match).bot) == (first.user, "")
    assert [one.bot for one in get_seat(match).sitters.ever] == [services.EMPTY]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("caution", "The referee cautioned {name}."),
        ("warning", "The referee warned {name}."),
        ("points", "The referee deducted 20 points from {name}."),
    ],
)
def test_ruling_is_announced_at_the_table(code: str, expected: str) -> None:
    match = begin_three_player_match()
    services.note_ruling(match, BEN, code, 20)
    view = queries.match_view(reload(match), make_user())
    assert view["last"] == expected.format(name=get_seat(match).said)


def test_ruling_after_the_match_does_not_change_it() -> None:
    match = services.abandon_match(begin_three_player_match(), "The hall is closed.")
    assert services.note_ruling(match, BEN, "caution", 0).version == match.version
