"""Tests of automatic actions: expired turns, bots' moves and the next deal."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from games import queries, services, store
from games.models import LoggedAction, Match
from games.process import here
from games.rules.ruleset.rulesets import RULE_SETS
from tests.games.helpers import act, begin, get_time_after_due, list_log, make_match
from tests.typed import sure

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("remove_grace_period"),
    pytest.mark.sql,
]


def test_tick_does_nothing_before_the_due_time() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    assert services.tick(sure(match.due) - timedelta(seconds=1)) == 0
    assert list_log(match) == []


def test_table_draws_and_passes_on_timeout_and_logs_it() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5", "R9 G1")
    services.tick(get_time_after_due(match, 1))
    assert list_log(match) == [(0, {"draw": True}, "timeout"), (0, {"pass": True}, "timeout")]
    name = match.seats.get(number=0).name
    view = queries.match_view(Match.objects.get(pk=match.pk), match.seats.get(number=0).user)
    texts = [line["text"] for line in view["log"][-2:]]
    assert texts[0] == f"{name} ran out of time. {name} draws 1 card."
    assert view["turn"] == 1


def test_timeout_draws_an_owed_penalty() -> None:
    match = begin(["R+2 R2", "R3 R4"], "R5")
    act(match, 0, {"play": "R+2", "uno": True})
    services.tick(get_time_after_due(match, 1))
    assert list_log(match)[-1] == (1, {"draw": True}, "timeout")
    assert len(sure(Match.objects.get(pk=match.pk).state.position)["hands"][1]) == 4


def test_timeout_chooses_the_most_frequent_colour_in_hand() -> None:
    match = begin(["G1 G2", "R3 R4"], "W")
    services.tick(get_time_after_due(match, 1))
    assert list_log(match)[0] == (0, {"choose": "G"}, "timeout")


def test_timeout_plays_a_drawn_card_that_must_be_played() -> None:
    match = begin(["R1 R2", "R3 R4"], "B5", "B9 G1", ruleset="uno-assignment")
    services.tick(get_time_after_due(match, 1))
    assert list_log(match) == [(0, {"draw": True}, "timeout"), (0, {"play": "B9"}, "timeout")]


def test_repeated_tick_has_no_effect() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    when = get_time_after_due(match, 1)
    rows, _ = services.due_matches(when, 10, alone=True)
    assert services.run_due_step(*rows[0], when)
    assert not services.run_due_step(*rows[0], when)
    assert {seat for seat, _, _ in list_log(match)} == {0}


def test_stale_cache_is_detected_when_two_processes_act() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    when = get_time_after_due(match, 1)
    old = store.load(match.pk)
    services.run_due_step(match.pk, old.version, when)
    done = len(list_log(match))
    here().close()
    store.remember(old)
    assert not services.run_due_step(match.pk, old.version, when)
    assert len(list_log(match)) == done


def test_action_just_before_the_deadline_counts_instead_of_the_timeout() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    due = get_time_after_due(match, 0)
    act(match, 0, {"play": "R1"}, now=due)
    assert services.tick(due) == 0
    assert list_log(match) == [(0, {"play": "R1"}, "")]


def test_bots_wait_before_playing() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", bots=1, bot_seconds=1.4)
    act(match, 0, {"play": "R1"})
    changed = LoggedAction.objects.get().at
    match.refresh_from_db()
    assert 0.6 <= (sure(match.due) - changed).total_seconds() <= 2.2
    assert services.tick(sure(match.due) - timedelta(seconds=0.1)) == 0
    services.tick(match.due)
    seat, _, auto = list_log(match)[1]
    assert (seat, auto) == (1, "bot")


def test_bot_out_of_turn_catches_after_a_moment() -> None:
    match = begin(["R1 R2", "R3 R4", "Y1 Y2"], "R5", "B1 B2", bots=1, bot_seconds=1)
    act(match, 0, {"play": "R1"})
    played = LoggedAction.objects.get().at
    match.refresh_from_db()
    assert sure(match.due) - played == timedelta(seconds=2), "its thinking time and a second"
    assert services.tick(played + timedelta(seconds=1.9)) == 0
    services.tick(match.due)
    services.tick(get_time_after_due(match, 0))
    assert list_log(match)[1] == (2, {"catch": 0}, "bot")
    match.refresh_from_db()
    assert match.due == match.turn_until, "the turn's clock continues"


def test_bot_observes_the_respectful_pause() -> None:
    match = begin(["4H 5H", "6H 7H", "KS 9S"], "10H", ruleset="ocho-cards", bots=1, bot_seconds=0.1)
    act(match, 0, {"play": "4H"})
    played = LoggedAction.objects.get().at
    match.refresh_from_db()
    assert sure(match.due) - played >= timedelta(seconds=1.5)
    services.tick(match.due)
    services.tick(get_time_after_due(match, 0))
    assert list_log(match)[1] == (2, {"catch": 0}, "bot")


def test_end_of_the_turn_is_due_next_if_no_bot_catches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = begin(["R1 R2", "R3 R4", "Y1 Y2"], "R5", bots=1)
    act(match, 0, {"play": "R1"})
    monkeypatch.setattr("games.matches.ticks.bots.choose_call_or_catch", lambda *arguments: None)
    services.tick(get_time_after_due(match, 0))
    match.refresh_from_db()
    assert match.due == match.turn_until
    assert match.version == 2, "nothing has changed for players"


def test_other_processes_take_over_after_a_short_delay() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    here().close()
    due = get_time_after_due(match, 0)
    assert services.due_matches(due, 10, alone=False) == ([], due + timedelta(seconds=0.25))
    late = due + timedelta(seconds=0.3)
    assert services.due_matches(late, 10, alone=False) == ([(match.pk, 1)], None)


def test_match_left_to_another_process_does_not_delay_others() -> None:
    others, ours, next_ours = (begin(["R1 R2", "R3 R4"], "R5") for _ in range(3))
    here().close()
    due = get_time_after_due(others, 0)
    for seconds, match in ((0.1, ours), (0.2, next_ours)):
        Match.objects.filter(pk=match.pk).update(due=due + timedelta(seconds=seconds))
        # Make this process the last one that changed the match.
        store.remember(replace(store.load(match.pk), made_here=True))
    now = due + timedelta(seconds=0.15)
    expected = [(ours.pk, ours.version)], due + timedelta(seconds=0.2)
    assert services.due_matches(now, 10, alone=False) == expected


def test_broken_match_does_not_stop_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, good = (begin(["R1 R2", "R3 R4"], "R5") for _ in range(2))
    Match.objects.filter(pk=broken.pk).update(state={"position": {"nonsense": True}})
    when = get_time_after_due(good, 1)
    services.tick(when)
    assert list_log(good) != []
    assert f"Match {broken.pk} could not take its next step" in caplog.text
    broken.refresh_from_db()
    assert sure(broken.due) > when


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_bots_play_out_a_match_for_all_players(ruleset: str) -> None:
    match = services.start_match(make_match(ruleset, people=1, bots=3, options={"target": 60}))
    over = services.play_out(match)
    assert (over.phase, over.ended) == ("over", "target")
    assert max(queries.score(over).totals) >= 60


def test_playing_out_stops_after_the_given_number_of_hands() -> None:
    match = services.start_match(make_match(people=1, bots=2, options={"target": 5000}))
    assert services.play_out(match, hands=2).phase == "between"
    assert queries.score(match).hands_played == 2
    services.play_out(match, hands=1)
    assert queries.score(match).hands_played == 3


def test_match_of_bots_is_finished_by_ticks() -> None:
    match = services.start_match(
        make_match(people=0, bots=2, hand_limit=1, bot_seconds=0, between_seconds=0)
    )
    now = timezone.now()
    while Match.objects.get(pk=match.pk).phase != "over":
        now += timedelta(seconds=60)
        assert services.tick(now) > 0
    assert {auto for _, _, auto in list_log(match)} == {"bot"}
