"""Tests that a draw outdated by a correction is named, and blocks play until it is answered."""

from dataclasses import replace

import pytest

from tests.tournament.event_steps import (
    DRAWN,
    REASON,
    STATES,
    WRONG_SHEET,
    Course,
    bring_bracket_round_to,
    find_mismatch,
    list_players,
)
from tests.tournament.helpers import (
    code_of,
    refusal_of,
)
from tournament.corrections.draws import leave_draw
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
    ("form", "number"), [(form, number) for form in DRAWN for number in DRAWN[form]]
)
def test_corrected_round_needs_a_decision_before_play_continues(
    form: str, number: int, state: str
) -> None:
    course = Course(form)
    course.bring_to(number, state)
    if state == "running":
        course.enter_points(number)
    course.correct(number)
    if state == "undrawn":
        assert course.list_outdated() == []
        course.draw()
        course.publish()
        return
    if form == "by-points" and state not in ("draft", "published"):
        assert course.list_outdated() == []
        course.next_step(number, state)()
        return
    assert len(course.list_outdated()) == 1
    step = course.next_step(number, state)
    before = winner(Event.objects.get(pk=course.event.pk)) if state != "announced" else None
    assert (code_of(step), before) == ("outdated", None)
    course.leave(number)
    assert course.list_outdated() == []
    step()
    assert REASON in [row.reason for row in history(course.event).rows]


def test_warning_names_the_affected_players() -> None:
    course = bring_bracket_round_to("draft")
    before = list_players(course.rounds[1])
    course.correct(2)
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
    assert refusal_of(course.publish).sentence == (
        f"{found.sentence} Decide about that first: put it right, or leave it as it is and say why."
    )
    assert found.sentence in list_unfinished(course.event)


def test_redrawn_draft_matches_the_results() -> None:
    course = bring_bracket_round_to("draft")
    course.correct(2)
    course.draw()
    assert course.list_outdated() == []
    course.publish()


def test_reverted_correction_shows_no_warning() -> None:
    course = bring_bracket_round_to("running")
    course.correct(2)
    entry = course.rounds[1].tables.get(number=1).results.latest("pk")
    undo_result(entry, course.organizer, "It was right before.")
    assert course.list_outdated() == []


@pytest.mark.parametrize(
    ("state", "names"), [("draft", [True]), ("published", [True]), ("running", [])]
)
def test_changed_seed_order_matters_until_play_begins(state: str, names: list[bool]) -> None:
    course = bring_bracket_round_to(state)
    course.correct(2, [300, 400, 200, 100])
    assert [bool(each.moved) for each in list_outdated_draws(course.event)] == names


def test_correction_that_changes_no_qualifier_shows_no_warning() -> None:
    course = bring_bracket_round_to("draft")
    course.correct(2, [400, 300, 160, 140])
    assert course.list_outdated() == []


def test_swapping_players_by_hand_makes_the_draw_match() -> None:
    course = bring_bracket_round_to("draft")
    course.correct(2)
    found, final = find_mismatch(course), course.rounds[2]
    for leaving, coming in zip(found.surplus, found.missing, strict=True):
        change_seats(final, course.organizer, coming, f"swap:{leaving.pk}")
    assert course.list_outdated() == []
    course.publish()


def test_removing_surplus_players_is_not_enough() -> None:
    course = bring_bracket_round_to("draft")
    course.correct(2)
    for leaving in find_mismatch(course).surplus:
        change_seats(course.rounds[2], course.organizer, leaving, "out")
    found = find_mismatch(course)
    assert (found.surplus, len(found.missing)) == ([], 2)


def test_published_seats_are_withdrawn_and_redrawn() -> None:
    course = bring_bracket_round_to("published")
    course.correct(2)
    unpublish_round(course.rounds[2], course.organizer, WRONG_SHEET)
    course.draw()
    course.publish()
    course.start()


def test_kept_draw_is_questioned_again_after_another_correction() -> None:
    course = bring_bracket_round_to("running")
    course.correct(2)
    course.leave(2)
    course.correct(2, [400, 100, 200, 300])
    assert len(course.list_outdated()) == 1


def test_kept_draw_is_questioned_again_after_another_draw() -> None:
    course = bring_bracket_round_to("draft")
    course.correct(2)
    course.leave(2)
    course.correct(2, [400, 300, 200, 100])
    course.draw()
    course.correct(2)
    assert len(course.list_outdated()) == 1


def test_keeping_the_draw_needs_a_reason_and_the_current_mismatch() -> None:
    course = bring_bracket_round_to("draft")
    final, organizer = course.rounds[2], course.organizer
    assert code_of(leave_draw, final, organizer, "", REASON) == "changed"
    course.correct(2)
    seen = find_mismatch(course).version
    assert code_of(leave_draw, final, organizer, seen, " ") == "no-reason"
    assert code_of(leave_draw, final, organizer, "other", REASON) == "changed"
    course.leave(2)
    last = history(course.event).rows[0]
    assert (last.text, last.reason) == (
        "Final: results changed after the draw, but the seats stayed the same.",
        REASON,
    )


def test_disqualification_after_the_draw_does_not_outdate_it() -> None:
    course = bring_bracket_round_to("closed")
    refuse(list_players(course.rounds[2])[0], course.organizer, "Played with a second phone.")
    assert course.list_outdated() == []


def test_player_returning_after_the_draw_does_not_outdate_it() -> None:
    course = bring_bracket_round_to("closed", 1)
    away = list_players(course.rounds[1])[0]
    Registration.objects.filter(pk=away.pk).update(absent_at=away.decided_at)
    course.draw()
    Registration.objects.filter(pk=away.pk).update(absent_at=None)
    course.correct(2, [400, 300, 160, 140])
    assert course.list_outdated() == []


def test_table_without_its_former_result_is_named() -> None:
    course = bring_bracket_round_to("running")
    entry = course.rounds[1].tables.get(number=2).results.latest("pk")
    undo_result(entry, course.organizer, "Nobody knows the points.")
    found = find_mismatch(course)
    assert found.problem == "Table 2 no longer has a result."
    course.leave(2)
    assert course.list_outdated() == []


def test_tie_needing_a_playoff_hand_is_named() -> None:
    course = Course("bracket")
    course.event.stages.filter(number=1).update(cut_ties=Stage.Ties.HAND)
    course.bring_to(2, "running")
    course.correct(2, [400, 200, 200, 100])
    found = find_mismatch(course)
    assert [player.pk for player in found.undecided] == [list_players(course.rounds[1])[1].pk]


def test_round_drawn_before_digests_is_compared_by_its_players() -> None:
    course = bring_bracket_round_to("running")
    final = course.rounds[2]
    final.seating = replace(final.seating, drawn_from="")
    final.save(update_fields=["seating"])
    assert course.list_outdated() == []
    course.correct(2)
    assert len(course.list_outdated()) == 1


def test_draw_by_points_names_players_with_changed_points() -> None:
    course = Course("by-points")
    course.bring_to(1, "draft")
    course.correct(1, [400, 300, 200, 150])
    [found] = list_outdated_draws(course.event)
    last = list_players(course.rounds[0])[3]
    assert found.sentence == (
        "Round 2: results changed after the draw, so the seats no longer match them. "
        f"Players whose points have changed: {last.name}."
    )
    course.draw()
    assert course.list_outdated() == []
