"""Tests that a draw outdated by a correction is named, and blocks play until it is answered."""

from dataclasses import replace

import pytest

from tests.tournament.event_steps import (
    DRAWN_ROUNDS,
    REASON,
    STATES,
    WRONG_SHEET,
    EventCourse,
    find_mismatch,
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
    course = EventCourse(form)
    course.play_until_state(number, state)
    if state == "running":
        course.enter_points(number)
    course.correct_previous_round(number)
    if state == "undrawn":
        assert course.list_outdated() == []
        course.draw_next_round()
        course.publish()
        return
    if form == "by-points" and state not in ("draft", "published"):
        assert course.list_outdated() == []
        course.take_next_step(number, state)()
        return
    assert len(course.list_outdated()) == 1
    step = course.take_next_step(number, state)
    before = winner(Event.objects.get(pk=course.event.pk)) if state != "announced" else None
    assert (get_refusal_code(step), before) == ("outdated", None)
    course.confirm_unchanged(number)
    assert course.list_outdated() == []
    step()
    assert REASON in [row.reason for row in history(course.event).rows]


def test_warning_names_the_affected_players() -> None:
    course = play_bracket_until("draft")
    before = list_players(course.list_rounds[1])
    course.correct_previous_round(2)
    found = find_mismatch(course)
    assert (set(found.missing), set(found.surplus)) == (set(before[2:]), set(before[:2]))
    missing, surplus = (
        " and ".join(each.name for each in people) for people in (found.missing, found.surplus)
    )
    assert found.sentence == (
        "Final: results changed after the draw, so the seats no longer match them. "
        f"Players who would now advance: {missing}. "
        f"Players who would now be eliminated: {surplus}."
    )
    assert get_refusal(course.publish).sentence == (
        f"{found.sentence} Decide about that first: put it right, or leave it as it is and say why."
    )
    assert found.sentence in list_unfinished(course.event)


def test_redrawn_draft_matches_the_results() -> None:
    course = play_bracket_until("draft")
    course.correct_previous_round(2)
    course.draw_next_round()
    assert course.list_outdated() == []
    course.publish()


def test_reverted_correction_shows_no_warning() -> None:
    course = play_bracket_until("running")
    course.correct_previous_round(2)
    entry = course.list_rounds[1].tables.get(number=1).results.latest("pk")
    undo_result(entry, course.organizer, "It was right before.")
    assert course.list_outdated() == []


@pytest.mark.parametrize(
    ("state", "names"), [("draft", [True]), ("published", [True]), ("running", [])]
)
def test_changed_seed_order_matters_until_play_begins(state: str, names: list[bool]) -> None:
    course = play_bracket_until(state)
    course.correct_previous_round(2, [300, 400, 200, 100])
    assert [bool(each.moved) for each in list_outdated_draws(course.event)] == names


def test_correction_that_changes_no_qualifier_shows_no_warning() -> None:
    course = play_bracket_until("draft")
    course.correct_previous_round(2, [400, 300, 160, 140])
    assert course.list_outdated() == []


def test_swapping_players_by_hand_makes_the_draw_match() -> None:
    course = play_bracket_until("draft")
    course.correct_previous_round(2)
    found, final = find_mismatch(course), course.list_rounds[2]
    for leaving, coming in zip(found.surplus, found.missing, strict=True):
        change_seats(final, course.organizer, coming, f"swap:{leaving.pk}")
    assert course.list_outdated() == []
    course.publish()


def test_removing_surplus_players_is_not_enough() -> None:
    course = play_bracket_until("draft")
    course.correct_previous_round(2)
    for leaving in find_mismatch(course).surplus:
        change_seats(course.list_rounds[2], course.organizer, leaving, "out")
    found = find_mismatch(course)
    assert (found.surplus, len(found.missing)) == ([], 2)


def test_published_seats_are_withdrawn_and_redrawn() -> None:
    course = play_bracket_until("published")
    course.correct_previous_round(2)
    unpublish_round(course.list_rounds[2], course.organizer, WRONG_SHEET)
    course.draw_next_round()
    course.publish()
    course.start()


def test_kept_draw_is_questioned_again_after_another_correction() -> None:
    course = play_bracket_until("running")
    course.correct_previous_round(2)
    course.confirm_unchanged(2)
    course.correct_previous_round(2, [400, 100, 200, 300])
    assert len(course.list_outdated()) == 1


def test_kept_draw_is_questioned_again_after_another_draw() -> None:
    course = play_bracket_until("draft")
    course.correct_previous_round(2)
    course.confirm_unchanged(2)
    course.correct_previous_round(2, [400, 300, 200, 100])
    course.draw_next_round()
    course.correct_previous_round(2)
    assert len(course.list_outdated()) == 1


def test_keeping_the_draw_needs_a_reason_and_the_current_mismatch() -> None:
    course = play_bracket_until("draft")
    final, organizer = course.list_rounds[2], course.organizer
    assert get_refusal_code(keep_outdated_draw, final, organizer, "", REASON) == "changed"
    course.correct_previous_round(2)
    seen = find_mismatch(course).version
    assert get_refusal_code(keep_outdated_draw, final, organizer, seen, " ") == "no-reason"
    assert get_refusal_code(keep_outdated_draw, final, organizer, "other", REASON) == "changed"
    course.confirm_unchanged(2)
    last = history(course.event).rows[0]
    assert (last.text, last.reason) == (
        "Final: results changed after the draw, but the seats stayed the same.",
        REASON,
    )


def test_disqualification_after_the_draw_does_not_outdate_it() -> None:
    course = play_bracket_until("closed")
    refuse(list_players(course.list_rounds[2])[0], course.organizer, "Played with a second phone.")
    assert course.list_outdated() == []


def test_player_returning_after_the_draw_does_not_outdate_it() -> None:
    course = play_bracket_until("closed", 1)
    away = list_players(course.list_rounds[1])[0]
    Registration.objects.filter(pk=away.pk).update(absent_at=away.decided_at)
    course.draw_next_round()
    Registration.objects.filter(pk=away.pk).update(absent_at=None)
    course.correct_previous_round(2, [400, 300, 160, 140])
    assert course.list_outdated() == []


def test_table_without_its_former_result_is_named() -> None:
    course = play_bracket_until("running")
    entry = course.list_rounds[1].tables.get(number=2).results.latest("pk")
    undo_result(entry, course.organizer, "Nobody knows the points.")
    found = find_mismatch(course)
    assert found.problem == "Table 2 no longer has a result."
    course.confirm_unchanged(2)
    assert course.list_outdated() == []


def test_tie_needing_a_playoff_hand_is_named() -> None:
    course = EventCourse("bracket")
    course.event.stages.filter(number=1).update(cut_ties=Stage.Ties.HAND)
    course.play_until_state(2, "running")
    course.correct_previous_round(2, [400, 200, 200, 100])
    found = find_mismatch(course)
    assert [player.pk for player in found.undecided] == [list_players(course.list_rounds[1])[1].pk]


def test_round_drawn_before_digests_is_compared_by_its_players() -> None:
    course = play_bracket_until("running")
    final = course.list_rounds[2]
    final.seating = replace(final.seating, drawn_from="")
    final.save(update_fields=["seating"])
    assert course.list_outdated() == []
    course.correct_previous_round(2)
    assert len(course.list_outdated()) == 1


def test_draw_by_points_names_players_with_changed_points() -> None:
    course = EventCourse("by-points")
    course.play_until_state(1, "draft")
    course.correct_previous_round(1, [400, 300, 200, 150])
    [found] = list_outdated_draws(course.event)
    last = list_players(course.list_rounds[0])[3]
    assert found.sentence == (
        "Round 2: results changed after the draw, so the seats no longer match them. "
        f"Players whose points have changed: {last.name}."
    )
    course.draw_next_round()
    assert course.list_outdated() == []
