"""A seat changes hands: its new player plays it, and its former player sees no more of it."""

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
from tests.signing import make_ed25519_device
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

BEN = SeatNumber(1)
EMPTY = services.SeatSpec("Ben", bot=services.EMPTY)


def change(match: Match, seat_spec: services.SeatSpec, seat: SeatNumber = BEN) -> Match:
    return services.change_seat(match, seat, seat_spec)


def newcomer(name: str = "Chitra") -> services.SeatSpec:
    return services.SeatSpec(name, user=make_user())


def expect_change_refusal(match: Match, seat_spec: services.SeatSpec, seat: int = 1) -> str:
    with pytest.raises(services.RefusedError) as refusal:
        services.change_seat(match, SeatNumber(seat), seat_spec)
    return refusal.value.code


def seat(match: Match, number: int = 1) -> Seat:
    return match.seats.get(number=number)


def three(**fields: Any) -> Match:
    return begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4", **fields)


def test_substitute_gets_the_cards_and_the_former_player_has_none() -> None:
    match = three()
    before, who = seat(match).user, newcomer()
    change(match, who)
    act(match, 0, {"play": "R1"})
    shown = queries.match_view(fresh(match), who.user)
    assert [card["card"] for card in shown["cards"]] == ["R3", "R4"]
    assert queries.match_view(fresh(match), before)["cards"] == []
    act(match, 1, {"play": "R3"})
    assert seat(match).name == "Chitra"


def test_substitute_with_a_duplicate_name_gets_a_number() -> None:
    match = three()
    match.seats.filter(number=0).update(name="Chitra")
    change(match, newcomer("chitra"))
    assert [each.name for each in match.seats.all()][:2] == ["Chitra", "chitra 2"]
    change(match, services.SeatSpec("Chitra", bot="plain"))
    assert seat(match).name == "Chitra 2"
    change(match, newcomer("Ben"))
    assert seat(match).name == "Ben"


def test_table_announces_the_substitute_and_the_replaced_player() -> None:
    match = three()
    change(match, newcomer())
    view = queries.match_view(fresh(match), make_user())
    assert view["last"] == "Chitra is now playing in seat 2."


def test_substitute_to_act_starts_with_a_full_turn_and_bank() -> None:
    match = three(bank_seconds=30)
    change(match, newcomer(), SeatNumber(0))
    began = fresh(match)
    assert sure(began.turn_until) > sure(match.turn_until)
    assert began.state.banks == {}


def test_substitute_at_a_paused_table_gets_a_full_turn_on_resume() -> None:
    match = services.pause_match(three())
    change(match, newcomer(), SeatNumber(0))
    paused = fresh(match)
    assert sure(paused.turn_until) - sure(paused.paused_at) == timedelta(seconds=match.turn_seconds)


def test_bot_plays_automatically_for_a_replaced_player() -> None:
    match = three()
    change(match, services.SeatSpec("Bot", bot="plain"), SeatNumber(0))
    services.tick(after_due(match, 0))
    assert log(match)[0][2] == "bot"


def test_abandoned_seat_draws_and_passes() -> None:
    match = three()
    name = seat(match, 0).said
    change(match, services.SeatSpec(name, bot=services.EMPTY), SeatNumber(0))
    services.tick(after_due(match, 0))
    services.tick(after_due(match, 0))
    assert next(move for player, move, _auto in log(match) if player == 0) == {"draw": True}
    lines = [line["text"] for line in queries.match_view(fresh(match), make_user())["log"]]
    assert f"{name} is no longer playing. The site draws and passes for them." in lines


def test_abandoned_seat_is_dealt_out_while_enough_players_remain() -> None:
    match = three()
    change(match, EMPTY)
    services.play_out(fresh(match), hands=1)
    assert [hand.players for hand in match.hands.order_by("number")] == [[0, 1, 2], [0, 2]]


def test_last_player_plays_on_against_an_empty_seat() -> None:
    match = begin(["R1 R2", "R3 R4"], "R7")
    change(match, EMPTY)
    services.play_out(fresh(match), hands=1)
    assert sure(match.hands.last()).players == [0, 1]


def test_player_who_gave_up_finishes_last() -> None:
    match = three(hand_limit=1)
    services.play_out(match)
    won = queries.score(fresh(match)).winners[0]
    Seat.objects.filter(match=match, number=won).update(bot=services.EMPTY, user=None)
    score = queries.score(fresh(match))
    assert score.places[won] == 3
    assert won not in score.winners
    assert score.winners


def test_match_has_no_winner_if_all_players_gave_up() -> None:
    match = three(hand_limit=1)
    services.play_out(match)
    match.seats.update(bot=services.EMPTY, user=None)
    assert queries.score(fresh(match)).winners == []


def test_players_of_each_hand_are_stored_and_shown() -> None:
    match = three()
    first = seat(match)
    act(match, 0, {"play": "R1"})
    change(match, newcomer())
    rows = queries.result_page(queries.match_for_seat(fresh(match), None).snapshot)["seats"]
    first_part = f"From hand 1: {first.name}."
    assert rows[1]["sat"] == f"{first_part} From hand 1, after move 1: Chitra."
    assert rows[0]["sat"] == ""


def test_log_names_the_player_who_acted() -> None:
    match = three()
    first = seat(match)
    act(match, 0, {"play": "R1"})
    act(match, 1, {"play": "R3"})
    change(match, newcomer())
    lines = [line["text"] for line in queries.match_view(fresh(match), make_user())["log"]]
    assert [line for line in lines if line.startswith(first.said)] == [f"{first.said} plays Red 3."]


def test_record_names_a_substitute_during_a_hand_and_stays_valid() -> None:
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


def test_seat_returned_after_a_mistaken_click_leaves_no_history() -> None:
    match = three()
    first = seat(match)
    change(match, EMPTY)
    change(match, services.SeatSpec(first.name, user=first.user))
    assert not seat(match).sitters


def test_commitment_is_dropped_when_its_player_leaves() -> None:
    match = make_match(share_seconds=5)
    services.start_match(match)
    commit(match, 1)
    change(match, newcomer())
    current = match.hands.get().deals.current
    assert (current.commitments, current.let_go) == ({}, (BEN,))


def test_substitute_does_not_inherit_the_signature() -> None:
    """Check that a substitute's unsigned commitment carries no device signature.

    The record says which seat's signature was let go.
    """
    match = make_match(hand_limit=1)
    signed = make_ed25519_device()(DealKey(match.public_id, 1, 1), BEN, commitment(match, BEN))
    commit(match, BEN, signed=signed)
    change(match, newcomer())
    deal_first_hand(match, "a5" * 32)
    services.play_out(fresh(match))
    exported = check_record(match.hands.get())
    assert (exported["format"], exported["fair"]["let_go"]) == ("hand-record/2", [BEN])


def test_invalid_seat_changes_are_refused() -> None:
    match = three()
    other, mine = seat(match, 0), seat(match)
    assert expect_change_refusal(match, services.SeatSpec(mine.name, user=mine.user)) == "same"
    assert expect_change_refusal(match, services.SeatSpec(other.name, user=other.user)) == "seated"
    assert expect_change_refusal(match, newcomer(), seat=3) == "unknown-seat"
    with pytest.raises(KeyError):
        change(match, services.SeatSpec("Bot", bot="genius"))
    services.abandon_match(match, "The hall is closed.")
    assert expect_change_refusal(match, newcomer()) == "over"


def test_match_without_substitutions_mentions_no_sitters() -> None:
    match = create_match(ruleset="uno-400", options={}, seats=[newcomer("A"), newcomer("B")])
    assert not seat(match).sitters
    assert seat(match).sitters.to_json() == {}


def test_sitters_are_read_as_written() -> None:
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
    match = three(hand_limit=1)
    first = seat(match)
    change(match, EMPTY)
    services.play_out(fresh(match))
    change(match, services.SeatSpec(first.name, user=first.user))
    assert (seat(match).user, seat(match).bot) == (first.user, "")
    assert [one.bot for one in seat(match).sitters.ever] == [services.EMPTY]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("caution", "The referee cautioned {name}."),
        ("warning", "The referee warned {name}."),
        ("points", "The referee deducted 20 points from {name}."),
    ],
)
def test_ruling_is_announced_at_the_table(code: str, expected: str) -> None:
    match = three()
    services.note_ruling(match, BEN, code, 20)
    view = queries.match_view(fresh(match), make_user())
    assert view["last"] == expected.format(name=seat(match).said)


def test_ruling_after_the_match_does_not_change_it() -> None:
    match = services.abandon_match(three(), "The hall is closed.")
    assert services.note_ruling(match, BEN, "caution", 0).version == match.version
