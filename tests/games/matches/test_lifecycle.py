"""Tests of the lifecycle of a match and of organizers' actions."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import queries, services
from games.models import Hand, Match, Seat, new_public_id
from games.rules.fair import deal as fair
from games.rules.ruleset import rulesets
from games.rules.ruleset.options import OptionError
from tests.games.helpers import (
    act,
    begin,
    create_match,
    get_time_after_due,
    list_log,
    make_match,
    stack_deck,
)
from tests.typed import sure

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("remove_grace_period"),
    pytest.mark.sql,
]


def expect_refusal(code: str, call: Callable[..., object], *arguments: object) -> None:
    with pytest.raises(services.RefusedError) as info:
        call(*arguments)
    assert info.value.code == code


def test_new_match_has_a_committed_first_hand_and_no_deck() -> None:
    match = make_match("ocho", people=1, bots=2)
    hand = match.hands.get()
    assert (match.phase, match.version, match.due) == ("waiting", 0, None)
    assert hand.dealt_at is None
    assert (hand.deck, hand.dealer) == ([], None)
    secret = hand.deals.current.secret
    assert hand.commitment == fair.secret_commitment(fair.DealKey(match.public_id, 1, 1), secret)
    assert hand.players == [0, 1, 2]


def test_match_stores_all_options_including_defaults() -> None:
    match = make_match(options={"target": 120})
    expected = rulesets.make("uno-400", {"target": 120}).options()
    assert match.options == expected


def test_public_ids_are_long_and_unique() -> None:
    ids = {make_match().public_id for _ in range(20)}
    assert len(ids) == 20
    assert min(len(one) for one in ids) * 6 >= 128


def test_public_id_never_starts_with_a_hyphen() -> None:
    assert "-" not in {new_public_id()[0] for _ in range(2000)}


def test_unplayable_rules_are_refused_and_nothing_is_stored() -> None:
    with pytest.raises(OptionError):
        make_match(people=3, options={"partners": True})
    with pytest.raises(OptionError):
        make_match(options={"no-such-option": 1})
    seats = [services.SeatSpec("A"), services.SeatSpec("B", bot="clairvoyant")]
    with pytest.raises(KeyError):
        create_match(ruleset="ocho", options={}, seats=seats)
    assert Match.objects.count() == Seat.objects.count() == Hand.objects.count() == 0


def test_start_deals_and_starts_the_clock() -> None:
    match = make_match(people=3, turn_seconds=30)
    before = timezone.now()
    started = services.start_match(match)
    hand = started.hands.get()
    assert (started.phase, started.version) == ("playing", 1)
    assert sure(started.turn_until) - before >= timedelta(seconds=30)
    assert started.due == started.turn_until
    assert [row["event"] for row in hand.opening["events"]][:1] in (["opening"], ["returned"])
    position = sure(Match.objects.get().state.position)
    held = {card for cards in position["hands"] for card in cards}
    assert held <= set(hand.deck)
    expect_refusal("started", services.start_match, match)


def test_cards_drawn_for_the_dealer_are_recorded_and_shown() -> None:
    match = services.start_match(make_match("uno-500", people=3))
    hand = match.hands.get()
    rules = rulesets.make("uno-500")
    drawn = hand.opening["dealer_drawn"][-1]
    best = max(drawn, key=lambda seat: rules.points(rules.kind(drawn[seat])))
    assert hand.dealer == int(best)
    view = queries.match_view(match, match.seats.get(number=0).user)
    assert view["log"][0]["text"].startswith("Cards drawn to choose the dealer: ")
    assert any(line["text"].endswith("deals hand 1.") for line in view["log"])


def test_pause_stops_the_clocks_and_resuming_keeps_the_remaining_time() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5", turn_seconds=20)
    left = sure(match.turn_until) - timezone.now()
    paused = services.pause_match(match)
    assert paused.paused
    expect_refusal("paused", act, match, 0, {"play": "R1"})
    assert services.tick(timezone.now() + timedelta(hours=1)) == 0
    resumed = services.resume_match(match)
    assert not resumed.paused
    assert abs(sure(resumed.turn_until) - timezone.now() - left) < timedelta(seconds=1)
    assert resumed.due == resumed.turn_until
    act(match, 0, {"play": "R1"})


def test_long_pause_costs_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    start = timezone.now()
    ends_at = start + timedelta(minutes=5)
    match = begin(["R1 R2", "R3 R4"], "R5", turn_seconds=20, ends_at=ends_at)
    monkeypatch.setattr("games.matches.lifecycle.timezone.now", lambda: start)
    services.pause_match(match)
    monkeypatch.setattr(
        "games.matches.lifecycle.timezone.now", lambda: start + timedelta(minutes=10)
    )
    resumed = services.resume_match(match)
    assert resumed.turn_until == sure(match.turn_until) + timedelta(minutes=10)
    assert resumed.ends_at == ends_at + timedelta(minutes=10)


def test_second_pause_and_resuming_an_unpaused_match_are_refused() -> None:
    match = make_match()
    expect_refusal("not-going", services.pause_match, match)
    services.start_match(match)
    expect_refusal("not-paused", services.resume_match, match)
    services.pause_match(match)
    expect_refusal("paused", services.pause_match, match)


def test_abandoned_match_ends_without_winners_and_gives_the_reason() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    act(match, 0, {"play": "R1"})
    ended = services.abandon_match(match, "The fire alarm went off.")
    assert (ended.phase, ended.ended, ended.due) == ("over", "abandoned", None)
    assert ended.hands.get().void
    assert queries.score(ended).winners == []
    sheet = sure(queries.match_view(ended, match.seats.get(number=0).user)["sheet"])
    assert sheet["ended_text"] == "The match was abandoned: The fire alarm went off."
    assert (sheet["rows"], sheet["hand"]) == ([], None)
    expect_refusal("over", services.abandon_match, match, "again")
    expect_refusal("not-playing", act, match, 1, {"play": "R3"})


@pytest.mark.parametrize(
    ("reason", "stored"),
    [
        (" The fire alarm went off ", "The fire alarm went off."),
        ("The fire alarm went off!", "The fire alarm went off!"),
        ("x" * 400, "x" * 300),
    ],
)
def test_reason_is_stored_as_a_sentence_of_limited_length(reason: str, stored: str) -> None:
    ended = services.abandon_match(begin(["R1 R2", "R3 R4"], "R5"), reason)
    assert (ended.ended_reason, ended.hands.get().void_reason) == (stored, stored)


def test_finished_hand_scores_and_the_next_is_dealt_after_the_pause() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", between_seconds=7)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    match.refresh_from_db()
    first, second = match.hands.order_by("number")
    assert (first.points, first.winner, match.phase) == ([9, 0], 0, "between")
    assert second.dealt_at is None
    assert second.dealer == 0, "the deal passes to the left"
    # The list for the next deal closes a second before the pause ends.
    assert sure(match.due) - sure(first.ended_at) == timedelta(seconds=6)
    assert services.tick(sure(match.due) - timedelta(seconds=1)) == 0
    assert services.tick(match.due) == 1
    match.refresh_from_db()
    assert (match.phase, match.state.hand) == ("playing", 2)


def finish_hand(match: Match) -> Match:
    """Play the hand until seat 0 goes out. Seat 1 must begin it with `R3 G9`."""
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    return Match.objects.get(pk=match.pk)


def test_reaching_the_target_ends_the_match() -> None:
    match = finish_hand(begin(["R1 R2", "R3 G9"], "R5", options={"target": 9}))
    assert (match.phase, match.ended, match.due) == ("over", "target", None)
    result = queries.score(match)
    assert (result.over, result.winners, result.totals) == (True, [0], [9, 0])


def test_last_hand_ends_the_match_and_the_best_score_wins() -> None:
    match = finish_hand(begin(["R1 R2", "R3 G9"], "R5", hand_limit=1))
    assert (match.phase, match.ended) == ("over", "hand-limit")
    assert queries.score(match).winners == [0]


def test_hand_in_play_is_finished_and_scored_when_time_is_up() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", ends_at=timezone.now() - timedelta(minutes=1))
    assert match.phase == "playing"
    match = finish_hand(match)
    assert (match.phase, match.ended) == ("over", "time")
    assert queries.score(match).winners == [0]


def test_no_hand_is_dealt_after_time_is_up() -> None:
    match = finish_hand(
        begin(["R1 R2", "R3 G9"], "R5", ends_at=timezone.now() + timedelta(seconds=30))
    )
    assert match.phase == "between"
    services.tick(get_time_after_due(match, 60))
    match.refresh_from_db()
    assert (match.phase, match.ended, match.hands.filter(dealt_at=None).count()) == (
        "over",
        "time",
        1,
    )
    assert queries.score(match).winners == [0]


def test_lowest_score_wins_an_unfinished_match_under_lowest_scoring() -> None:
    options = {"scoring": "lowest"}
    match = finish_hand(begin(["R1 R2", "R3 G9"], "R5", hand_limit=1, options=options))
    result = queries.score(match)
    assert (result.totals, result.winners, result.places) == ([0, 9], [0], [1, 2])


def test_eliminated_seat_is_dealt_no_cards_and_keeps_its_number() -> None:
    options = {"scoring": "elimination", "target": 20}
    match = begin(["R1 R2", "R3 GS", "R4 G2"], "R5", options=options, between_seconds=1)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 2, {"play": "R4", "uno": True})
    act(match, 0, {"play": "R2"})
    result = queries.score(match)
    assert (result.totals, result.out) == ([0, 20, 2], [1])
    stack_deck(match, ["Y1 Y2", "Y3 W"], "Y5", dealer=0)
    services.tick(get_time_after_due(match, 1))
    user = match.seats.get(number=2).user
    view = queries.match_view(Match.objects.get(pk=match.pk), user)
    assert view["turn"] == 2
    assert [seat["playing"] for seat in view["seats"]] == [True, False, True]
    assert [seat["count"] for seat in view["seats"]] == [2, 0, 2]
    assert sorted(card["card"] for card in view["cards"]) == ["W", "Y3"]
    expect_refusal("not-in-hand", act, match, 1, {"draw": True})
    act(match, 2, {"play": "Y3", "uno": True})
    act(match, 0, {"play": "Y1"})
    act(match, 2, {"catch": 0})
    assert list_log(match)[-1] == (1, {"catch": 0}, "")
    view = queries.match_view(Match.objects.get(pk=match.pk), user)
    assert view["log"][-2]["text"].startswith(match.seats.get(number=2).name)


def test_partners_score_together() -> None:
    options = {"partners": True, "hand_size": 2}
    match = begin(["R1 R2", "R3 G9", "R4 G2", "R6 G4"], "R5", options=options, hand_limit=1)
    for seat, card in enumerate(("R1", "R3", "R4", "R6")):
        act(match, seat, {"play": card, "uno": True})
    act(match, 0, {"play": "R2"})
    match.refresh_from_db()
    result = queries.score(match)
    assert (result.totals, result.winners) == ([13, 0, 13, 0], [0, 2])
    view = queries.match_view(match, match.seats.get(number=0).user)
    assert [seat["team"] for seat in view["seats"]] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    "fields",
    [{"phase": "over"}, {"ended": "target"}, {"phase": "waiting", "due": timezone.now()}],
)
def test_database_refuses_impossible_states(fields: dict[str, Any]) -> None:
    match = make_match()
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(**fields)


def test_bot_has_no_user_and_a_player_has_one_seat() -> None:
    match = make_match(people=1, bots=1)
    user = match.seats.get(number=0).user
    with pytest.raises(IntegrityError), transaction.atomic():
        match.seats.filter(number=1).update(user=user)
    with pytest.raises(IntegrityError), transaction.atomic():
        match.seats.filter(number=1).update(bot="", user=user)


def test_players_with_the_same_name_get_a_number() -> None:
    names = ["Priya Sharma", "Asha", "priya sharma", "Priya Sharma 2", "A" * 40, "A" * 40]
    match = make_match(people=0, seats=[services.SeatSpec(name, bot="plain") for name in names])
    assert list(match.seats.values_list("name", flat=True)) == [
        "Priya Sharma",
        "Asha",
        "priya sharma 2",
        "Priya Sharma 2 2",
        "A" * 40,
        "A" * 35 + "… 2",
    ]


def test_hands_of_the_continued_match_count() -> None:
    before = [[30, 0, 0, 0], [0, 25, 0, 0]]
    first = make_match(bots=2)
    match = make_match(bots=2, before=before, continues=first, hand_limit=3)
    assert (match.before, match.continues) == (before, first)
    assert (queries.score(match).totals, match.start) == ([30, 25, 0, 0], [30, 25, 0, 0])
    assert first.start == []
    services.play_out(services.start_match(match))
    match.refresh_from_db()
    score = queries.score(match)
    assert (match.ended, len(score.hands)) == ("hand-limit", 1)
    assert score.totals == [a + b for a, b in zip([30, 25, 0, 0], score.hands[0], strict=True)]


def test_only_a_match_with_finished_hands_can_be_continued() -> None:
    begun = services.start_match(make_match(bots=2))
    assert not services.abandon_match(begun, "No power.", goes_on=True).goes_on
    played = services.start_match(make_match(bots=4, people=0))
    services.play_out(played, hands=1)
    ended = services.abandon_match(played, "No power.", goes_on=True)
    assert (ended.goes_on, ended.ended) == (True, "abandoned")
