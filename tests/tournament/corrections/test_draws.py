"""Tests that a draw outdated by a correction is reported, and blocks play until it is decided."""

from dataclasses import replace

import pytest

from tests.tournament.event_steps import (
    DRAWN_ROUNDS,
    REASON,
    STATES,
    WRONG_SHEET,
    SteppedEvent,
    get_outdated_draw,
    list_players,
    play_bracket_until,
)
from tests.tournament.helpers import (
    get_refusal,
    get_refusal_code,
)
from tournament.corrections.draws import keep_outdated_draw
from tournament.events.closing.unfinished import list_unfinished
from tournament.models import Event, Registration, Stage
from tournament.oversight.history_texts import history
from tournament.registration.services import refuse
from tournament.results.services import undo_result
from tournament.seating.changes import change_seats
from tournament.seating.services import unpublish_round
from tournament.stages.outdated_draws import (
    list_outdated_draws,
)
from tournament.stages.winners import winner

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    ("form", "number"), [(form, number) for form in DRAWN_ROUNDS for number in DRAWN_ROUNDS[form]]
)
def test_corrected_round_needs_a_decision_before_play_continues(
    form: str, number: int, state: str
) -> None:
    stepped = SteppedEvent(form)
    stepped.play_until_state(number, state)
    if state == "running":
        stepped.enter_points(number)
    stepped.correct_previous_round(number)
    if state == "undrawn":
        assert stepped.list_outdated_steps() == []
        stepped.draw_next_round()
        stepped.publish()
        return
    if form == "by-points" and state not in ("draft", "published"):
        assert stepped.list_outdated_steps() == []
        stepped.find_next_step(number, state)()
        return
    assert len(stepped.list_outdated_steps()) == 1
    step = stepped.find_next_step(number, state)
    before = winner(Event.objects.get(pk=stepped.event.pk)) if state != "announced" else None
    assert (get_refusal_code(step), before) == ("outdated", None)
    stepped.keep_outdated(number)
    assert stepped.list_outdated_steps() == []
    step()
    assert REASON in [row.reason for row in history(stepped.event).rows]


def test_warning_names_the_affected_players() -> None:
    stepped = play_bracket_until("draft")
    before = list_players(stepped.rounds[1])
    stepped.correct_previous_round(2)
    found = get_outdated_draw(stepped)
    assert (set(found.missing), set(found.surplus)) == (set(before[2:]), set(before[:2]))
    missing, surplus = (
        " and ".join(each.name for each in people) for people in (found.missing, found.surplus)
    )
    assert found.sentence == (
        "Final: results changed after the draw, so the seats no longer match them. "
        f"Players who would now advance: {missing}. "
        f"Players who would now be eliminated: {surplus}."
    )
    assert get_refusal(stepped.publish).sentence == (
        f"{found.sentence} Decide about that first: put it right, or leave it as it is and say why."
    )
    assert found.sentence in list_unfinished(stepped.event)


def test_redrawn_draft_matches_the_results() -> None:
    stepped = play_bracket_until("draft")
    stepped.correct_previous_round(2)
    stepped.draw_next_round()
    assert stepped.list_outdated_steps() == []
    stepped.publish()


def test_reverted_correction_shows_no_warning() -> None:
    stepped = play_bracket_until("running")
    stepped.correct_previous_round(2)
    entry = stepped.rounds[1].tables.get(number=1).results.latest("pk")
    undo_result(entry, stepped.organizer, "It was right before.")
    assert stepped.list_outdated_steps() == []


@pytest.mark.parametrize(
    ("state", "names"), [("draft", [True]), ("published", [True]), ("running", [])]
)
def test_changed_seed_order_matters_until_play_begins(state: str, names: list[bool]) -> None:
    stepped = play_bracket_until(state)
    stepped.correct_previous_round(2, [300, 400, 200, 100])
    assert [bool(each.moved) for each in list_outdated_draws(stepped.event)] == names


def test_correction_that_changes_no_qualifier_shows_no_warning() -> None:
    stepped = play_bracket_until("draft")
    stepped.correct_previous_round(2, [400, 300, 160, 140])
    assert stepped.list_outdated_steps() == []


def test_swapping_players_by_hand_makes_the_draw_match() -> None:
    stepped = play_bracket_until("draft")
    stepped.correct_previous_round(2)
    found, final = get_outdated_draw(stepped), stepped.rounds[2]
    for leaving, coming in zip(found.surplus, found.missing, strict=True):
        change_seats(final, stepped.organizer, coming, f"swap:{leaving.pk}")
    assert stepped.list_outdated_steps() == []
    stepped.publish()


def test_removing_surplus_players_is_not_enough() -> None:
    stepped = play_bracket_until("draft")
    stepped.correct_previous_round(2)
    for leaving in get_outdated_draw(stepped).surplus:
        change_seats(stepped.rounds[2], stepped.organizer, leaving, "out")
    found = get_outdated_draw(stepped)
    assert (found.surplus, len(found.missing)) == ([], 2)


def test_published_seats_are_withdrawn_and_redrawn() -> None:
    stepped = play_bracket_until("published")
    stepped.correct_previous_round(2)
    unpublish_round(stepped.rounds[2], stepped.organizer, WRONG_SHEET)
    stepped.draw_next_round()
    stepped.publish()
    stepped.start()


def test_kept_draw_needs_a_new_decision_after_another_correction() -> None:
    stepped = play_bracket_until("running")
    stepped.correct_previous_round(2)
    stepped.keep_outdated(2)
    stepped.correct_previous_round(2, [400, 100, 200, 300])
    assert len(stepped.list_outdated_steps()) == 1


def test_kept_draw_needs_a_new_decision_after_another_draw() -> None:
    stepped = play_bracket_until("draft")
    stepped.correct_previous_round(2)
    stepped.keep_outdated(2)
    stepped.correct_previous_round(2, [400, 300, 200, 100])
    stepped.draw_next_round()
    stepped.correct_previous_round(2)
    assert len(stepped.list_outdated_steps()) == 1


def test_keeping_the_draw_needs_a_reason_and_the_current_mismatch() -> None:
    stepped = play_bracket_until("draft")
    final, organizer = stepped.rounds[2], stepped.organizer
    assert get_refusal_code(keep_outdated_draw, final, organizer, "", REASON) == "changed"
    stepped.correct_previous_round(2)
    seen = get_outdated_draw(stepped).version
    assert get_refusal_code(keep_outdated_draw, final, organizer, seen, " ") == "no-reason"
    assert get_refusal_code(keep_outdated_draw, final, organizer, "other", REASON) == "changed"
    stepped.keep_outdated(2)
    last = history(stepped.event).rows[0]
    assert (last.text, last.reason) == (
        "Final: results changed after the draw, but the seats stayed the same.",
        REASON,
    )


def test_disqualification_after_the_draw_does_not_outdate_it() -> None:
    stepped = play_bracket_until("closed")
    refuse(list_players(stepped.rounds[2])[0], stepped.organizer, "Played with a second phone.")
    assert stepped.list_outdated_steps() == []


def test_player_returning_after_the_draw_does_not_outdate_it() -> None:
    stepped = play_bracket_until("closed", 1)
    away = list_players(stepped.rounds[1])[0]
    Registration.objects.filter(pk=away.pk).update(absent_at=away.decided_at)
    stepped.draw_next_round()
    Registration.objects.filter(pk=away.pk).update(absent_at=None)
    stepped.correct_previous_round(2, [400, 300, 160, 140])
    assert stepped.list_outdated_steps() == []


def test_mismatch_names_a_table_that_has_lost_its_result() -> None:
    stepped = play_bracket_until("running")
    entry = stepped.rounds[1].tables.get(number=2).results.latest("pk")
    undo_result(entry, stepped.organizer, "Nobody knows the points.")
    found = get_outdated_draw(stepped)
    assert found.problem == "Table 2 no longer has a result."
    stepped.keep_outdated(2)
    assert stepped.list_outdated_steps() == []


def test_mismatch_names_players_who_need_a_playoff_hand() -> None:
    stepped = SteppedEvent("bracket")
    stepped.event.stages.filter(number=1).update(cut_ties=Stage.Ties.HAND)
    stepped.play_until_state(2, "running")
    stepped.correct_previous_round(2, [400, 200, 200, 100])
    found = get_outdated_draw(stepped)
    assert [player.pk for player in found.undecided] == [list_players(stepped.rounds[1])[1].pk]


def test_round_without_a_stored_digest_is_compared_by_its_players() -> None:
    stepped = play_bracket_until("running")
    final = stepped.rounds[2]
    final.seating = replace(final.seating, drawn_from="")
    final.save(update_fields=["seating"])
    assert stepped.list_outdated_steps() == []
    stepped.correct_previous_round(2)
    assert len(stepped.list_outdated_steps()) == 1


def test_draw_by_points_names_players_with_changed_points() -> None:
    stepped = SteppedEvent("by-points")
    stepped.play_until_state(1, "draft")
    stepped.correct_previous_round(1, [400, 300, 200, 150])
    [found] = list_outdated_draws(stepped.event)
    last = list_players(stepped.rounds[0])[3]
    assert found.sentence == (
        "Round 2: results changed after the draw, so the seats no longer match them. "
        f"Players whose points have changed: {last.name}."
    )
    stepped.draw_next_round()
    assert stepped.list_outdated_steps() == []
