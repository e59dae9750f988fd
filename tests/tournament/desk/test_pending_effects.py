"""Tests of steps that wait for a second person and block any round they could affect."""

import pytest
from django.utils import timezone

from tests.factories import make_organizer
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.staging import first_table
from tournament.advancing.services import draw_bracket, preview_cut, qualify
from tournament.common.refusals import RefusedError
from tournament.desk.confirmation import confirm
from tournament.desk.pending_effects import find_unsettling
from tournament.models import Event, Proposal, Registration, Result, Round, Ruling, Stage, User
from tournament.results.services import enter_result, undo_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round, start_round
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule, take_back
from tournament.seating.services import publish_round, seat_round
from tournament.stages.cut import CutRule

pytestmark = pytest.mark.django_db

WHY = "Counted once more."
POINTS = ([400, 300, 200, 100], [380, 280, 180, 80])
FOUR = CutRule(Stage.Rule.NUMBER, 4, Stage.Ties.LOTS, 1)


def play(round_: Round, organizer: User) -> None:
    start_drafted_round(round_, organizer)
    for table, points in zip(round_.tables.order_by("number"), POINTS, strict=True):
        enter_result(table, organizer, points, WHY, override=True)
    close_round(round_, organizer)


@pytest.fixture
def final() -> Round:
    """Provide the draft of a final between the four players who have advanced.

    They have 400, 380, 300 and 280 points. The players with 200 and 80 points had 35 points
    deducted. The event has two organizers.
    """
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    play(seat_round(stage, organizer), organizer)
    for points in (200, 80):
        wanted = RulingRequest(Ruling.Kind.POINTS, get_player_with_points(event, points), points=35)
        assert rule(event, organizer, wanted, WHY) is None
    qualify(stage, organizer, FOUR, preview_cut(stage_results(stage), FOUR).through)
    make_organizer(event)
    return draw_bracket(event.stages.get(number=2), organizer)


@pytest.fixture
def drafted_final() -> Round:
    """Provide the draft of a final after two bracket tables.

    The top two players of each table are in the final.
    """
    event, organizer = make_organized_event(8)
    make_organizer(event)
    event.stages.filter(number=1).update(format="bracket")
    play(draw_bracket(first_stage(event), organizer), organizer)
    return draw_bracket(first_stage(event), organizer)


def get_player_with_points(event: Event, points: int) -> Registration:
    """Return the player who scored `points` in the first round."""
    (taken,) = first_stage(event).rounds.filter(number=1)
    number, row = next((n, row) for n, row in enumerate(POINTS) if points in row)
    table = taken.tables.order_by("number")[number]
    person = table.seats.get(number=row.index(points)).registration
    assert person is not None
    return person


def who(final: Round) -> tuple[Event, User, User]:
    event = Event.objects.get(pk=final.stage.event_id)
    first, second = event.organizers.order_by("pk")
    return event, first, second


def get_latest_proposal(event: Event) -> Proposal:
    """Return the latest proposal that is waiting."""
    return event.proposals.filter(state="waiting").order_by("-pk")[0]


def points_off(final: Round, had: int, points: int) -> Proposal:
    event, organizer, _second = who(final)
    rule(
        event,
        organizer,
        RulingRequest(Ruling.Kind.POINTS, get_player_with_points(event, had), points=points),
        WHY,
    )
    return get_latest_proposal(event)


def propose_restored_points(final: Round, had: int) -> Proposal:
    """Propose to restore the points deducted from the player who had scored `had`."""
    event, organizer, _second = who(final)
    take_back(event.rulings.get(registration=get_player_with_points(event, had)), organizer, WHY)
    return get_latest_proposal(event)


def correction(final: Round, points: list[int]) -> Proposal:
    """Propose other points for the first table of the round before the final."""
    event, organizer, _second = who(final)
    table = first_table(first_stage(event).rounds.get(number=1))
    enter_result(table, organizer, points, WHY, override=True)
    return get_latest_proposal(event)


def can_continue(final: Round) -> bool:
    """Return whether the round can be published and started."""
    final = Round.objects.select_related("stage__event").get(pk=final.pk)
    _event, organizer, _second = who(final)
    try:
        return start_round(publish_round(final, organizer), organizer).state == "running"
    except RefusedError as refused:
        return refused.code != "waiting"


CORRECTIONS = pytest.mark.parametrize(
    ("points", "goes"),
    [
        ([400, 300, 200, 90], True),  # the last player has fewer points
        ([395, 290, 210, 100], True),  # all totals differ, but every place stays the same
        ([370, 300, 200, 100], False),  # the same players in another order
        ([400, 200, 300, 100], False),  # another player advances
    ],
)


@CORRECTIONS
def test_pending_correction_blocks_the_cut_if_qualifiers_would_change(
    final: Round, points: list[int], *, goes: bool
) -> None:
    correction(final, points)
    assert can_continue(final) == goes


@CORRECTIONS
def test_pending_semi_final_correction_blocks_a_changed_final(
    drafted_final: Round, points: list[int], *, goes: bool
) -> None:
    correction(drafted_final, points)
    assert can_continue(drafted_final) == goes


def test_order_change_before_a_stage_of_rounds_blocks_nothing(final: Round) -> None:
    swapped = correction(final, [370, 300, 200, 100])
    final.stage.format = Stage.Format.ROUNDS
    assert find_unsettling(final, [swapped]) is None


def test_point_deductions_count_in_the_next_stage(final: Round) -> None:
    proposal = points_off(final, 280, 200)
    assert can_continue(final)
    event, _first, second = who(final)
    confirm(proposal, second)
    assert [each.points for each in event.rulings.filter(stage=final.stage)] == [200]


def test_restored_points_block_when_they_make_a_difference(final: Round) -> None:
    assert find_unsettling(final, [propose_restored_points(final, 80)]) is None
    entered = correction(final, [400, 300, 290, 100])
    confirm(entered, who(final)[2])
    assert find_unsettling(final, [back := propose_restored_points(final, 200)]) == back


def test_preview_of_pending_effects_leaves_no_changes(final: Round) -> None:
    correction(final, [400, 200, 300, 100])
    event, _first, _second = who(final)
    before = (event.history.count(), event.audit.count(), event.rulings.count())
    assert not can_continue(final)
    assert (event.history.count(), event.audit.count(), event.rulings.count()) == before
    assert get_latest_proposal(event).kind == "result"


def test_removed_result_is_previewed(drafted_final: Round) -> None:
    event, organizer, second = who(drafted_final)
    for points, goes in (([400, 300, 200, 90], True), ([400, 200, 300, 90], False)):
        entered = correction(drafted_final, points)
        confirm(entered, second)
        undo_result(Result.objects.get(pk=entered.facts["result"]), organizer, WHY)
        undone = get_latest_proposal(event)
        assert undone.kind == "undo"
        assert (find_unsettling(drafted_final, [undone]) is None) == goes
        confirm(undone, second)


def test_two_harmless_requests_can_block_together(final: Round) -> None:
    more, back = correction(final, [400, 300, 290, 100]), propose_restored_points(final, 200)
    assert find_unsettling(final, [more]) is None
    assert find_unsettling(final, [back]) is None
    assert find_unsettling(final, [more, back]) == more
    assert not can_continue(final)


def test_mutually_exclusive_requests_are_not_combined(final: Round) -> None:
    back = propose_restored_points(final, 80)
    assert find_unsettling(final, [back, back]) is None


def test_more_than_three_pending_requests_always_block(final: Round) -> None:
    harmless = [points_off(final, 100, points) for points in (1, 2, 3, 4)]
    assert find_unsettling(final, harmless[:3]) is None
    assert find_unsettling(final, harmless) == harmless[0]


def test_currently_impossible_request_may_become_possible(final: Round) -> None:
    back = propose_restored_points(final, 80)
    assert find_unsettling(final, [back]) is None
    who(final)[0].rulings.update(cancelled_at=timezone.now())
    assert find_unsettling(final, [back]) == back


def test_request_affecting_more_than_points_is_not_previewed(final: Round) -> None:
    harmless = points_off(final, 100, 1)
    reopening = Proposal(event=final.stage.event, kind="reopen-round")
    assert find_unsettling(final, [harmless, reopening]) is reopening


def test_unpredictable_cut_blocks(final: Round) -> None:
    harmless = points_off(final, 100, 1)
    final.stage.event.stages.filter(number=1).update(qualify_rule="thresholds", thresholds=[])
    assert find_unsettling(final, [harmless]) == harmless
