"""Tests of requests that wait for a second organizer and block each round they could affect."""

import pytest
from django.utils import timezone

from tests.factories import make_organizer
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.staging import first_table
from tournament.advancing.services import draw_bracket, preview_cut, qualify
from tournament.common.refusals import RefusedError
from tournament.desk.confirmation import confirm
from tournament.desk.pending_effects import find_proposal_changing_players
from tournament.models import Event, Proposal, Registration, Result, Round, Ruling, Stage, User
from tournament.results.services import enter_result, undo_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round, start_round
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule, undo_ruling
from tournament.seating.services import publish_round, seat_round
from tournament.stages.cut import CutRule

pytestmark = pytest.mark.django_db

REASON = "Counted once more."
POINTS = ([400, 300, 200, 100], [380, 280, 180, 80])
TOP_FOUR = CutRule(Stage.Rule.NUMBER, 4, Stage.Ties.LOTS, 1)


def play_round(round_: Round, organizer: User) -> None:
    start_drafted_round(round_, organizer)
    for table, points in zip(round_.tables.order_by("number"), POINTS, strict=True):
        enter_result(table, organizer, points, REASON, override=True)
    close_round(round_, organizer)


@pytest.fixture
def draft_final() -> Round:
    """Provide the draft of a final between four players who have advanced.

    They scored 400, 380, 300 and 280 points. 35 points were deducted from the players who scored
    200 and 80. The event has two organizers.
    """
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    play_round(seat_round(stage, organizer), organizer)
    for points in (200, 80):
        wanted = RulingRequest(Ruling.Kind.POINTS, get_player_with_points(event, points), points=35)
        assert rule(event, organizer, wanted, REASON) is None
    qualify(stage, organizer, TOP_FOUR, preview_cut(stage_results(stage), TOP_FOUR).through)
    make_organizer(event)
    return draw_bracket(event.stages.get(number=2), organizer)


@pytest.fixture
def draft_bracket_final() -> Round:
    """Provide the draft of a final after two bracket tables.

    The top two players of each table are in the final.
    """
    event, organizer = make_organized_event(8)
    make_organizer(event)
    event.stages.filter(number=1).update(format="bracket")
    play_round(draw_bracket(first_stage(event), organizer), organizer)
    return draw_bracket(first_stage(event), organizer)


def get_player_with_points(event: Event, points: int) -> Registration:
    """Return the player who scored `points` in the first round."""
    (taken,) = first_stage(event).rounds.filter(number=1)
    number, row = next((n, row) for n, row in enumerate(POINTS) if points in row)
    table = taken.tables.order_by("number")[number]
    person = table.seats.get(number=row.index(points)).registration
    assert person is not None
    return person


def get_event_and_organizers(final: Round) -> tuple[Event, User, User]:
    event = Event.objects.get(pk=final.stage.event_id)
    first, second = event.organizers.order_by("pk")
    return event, first, second


def get_latest_proposal(event: Event) -> Proposal:
    """Return the latest proposal that is waiting."""
    return event.proposals.filter(state="waiting").order_by("-pk")[0]


def deduct_points(final: Round, scored: int, points: int) -> Proposal:
    event, organizer, _second = get_event_and_organizers(final)
    rule(
        event,
        organizer,
        RulingRequest(Ruling.Kind.POINTS, get_player_with_points(event, scored), points=points),
        REASON,
    )
    return get_latest_proposal(event)


def propose_restored_points(final: Round, scored: int) -> Proposal:
    """Propose to restore the points deducted from the player who scored `scored`."""
    event, organizer, _second = get_event_and_organizers(final)
    undo_ruling(
        event.rulings.get(registration=get_player_with_points(event, scored)), organizer, REASON
    )
    return get_latest_proposal(event)


def propose_correction(final: Round, points: list[int]) -> Proposal:
    """Propose other points for the first table of the round before the final."""
    event, organizer, _second = get_event_and_organizers(final)
    table = first_table(first_stage(event).rounds.get(number=1))
    enter_result(table, organizer, points, REASON, override=True)
    return get_latest_proposal(event)


def can_start_despite_requests(final: Round) -> bool:
    """Return whether the round can be published and started despite waiting requests."""
    final = Round.objects.select_related("stage__event").get(pk=final.pk)
    _event, organizer, _second = get_event_and_organizers(final)
    try:
        return start_round(publish_round(final, organizer), organizer).state == "running"
    except RefusedError as refused:
        return refused.code != "waiting"


PENDING_CORRECTIONS = pytest.mark.parametrize(
    ("points", "is_allowed"),
    [
        ([400, 300, 200, 90], True),  # the last player has fewer points
        ([395, 290, 210, 100], True),  # all totals differ, but every place stays the same
        ([370, 300, 200, 100], False),  # the same players in another order
        ([400, 200, 300, 100], False),  # another player advances
    ],
)


@PENDING_CORRECTIONS
def test_pending_correction_blocks_the_cut_if_qualifiers_would_change(
    draft_final: Round, points: list[int], *, is_allowed: bool
) -> None:
    propose_correction(draft_final, points)
    assert can_start_despite_requests(draft_final) == is_allowed


@PENDING_CORRECTIONS
def test_pending_semi_final_correction_blocks_a_changed_final(
    draft_bracket_final: Round, points: list[int], *, is_allowed: bool
) -> None:
    propose_correction(draft_bracket_final, points)
    assert can_start_despite_requests(draft_bracket_final) == is_allowed


def test_order_change_before_a_stage_of_rounds_blocks_nothing(draft_final: Round) -> None:
    swapped = propose_correction(draft_final, [370, 300, 200, 100])
    draft_final.stage.format = Stage.Format.ROUNDS
    assert find_proposal_changing_players(draft_final, [swapped]) is None


def test_point_deductions_count_in_the_next_stage(draft_final: Round) -> None:
    proposal = deduct_points(draft_final, 280, 200)
    assert can_start_despite_requests(draft_final)
    event, _first, second = get_event_and_organizers(draft_final)
    confirm(proposal, second)
    assert [each.points for each in event.rulings.filter(stage=draft_final.stage)] == [200]


def test_restored_points_block_the_final_only_if_its_players_would_change(
    draft_final: Round,
) -> None:
    assert (
        find_proposal_changing_players(draft_final, [propose_restored_points(draft_final, 80)])
        is None
    )
    entered = propose_correction(draft_final, [400, 300, 290, 100])
    confirm(entered, get_event_and_organizers(draft_final)[2])
    assert (
        find_proposal_changing_players(
            draft_final, [back := propose_restored_points(draft_final, 200)]
        )
        == back
    )


def test_search_for_blocking_requests_changes_nothing(draft_final: Round) -> None:
    propose_correction(draft_final, [400, 200, 300, 100])
    event, _first, _second = get_event_and_organizers(draft_final)
    before = (event.history.count(), event.audit.count(), event.rulings.count())
    assert not can_start_despite_requests(draft_final)
    assert (event.history.count(), event.audit.count(), event.rulings.count()) == before
    assert get_latest_proposal(event).kind == "result"


def test_undone_result_blocks_the_final_only_if_its_players_would_change(
    draft_bracket_final: Round,
) -> None:
    event, organizer, second = get_event_and_organizers(draft_bracket_final)
    for points, is_allowed in (([400, 300, 200, 90], True), ([400, 200, 300, 90], False)):
        entered = propose_correction(draft_bracket_final, points)
        confirm(entered, second)
        undo_result(Result.objects.get(pk=entered.facts["result"]), organizer, REASON)
        undone = get_latest_proposal(event)
        assert undone.kind == "undo"
        assert (find_proposal_changing_players(draft_bracket_final, [undone]) is None) == is_allowed
        confirm(undone, second)


def test_two_harmless_requests_can_block_together(draft_final: Round) -> None:
    more, back = (
        propose_correction(draft_final, [400, 300, 290, 100]),
        propose_restored_points(draft_final, 200),
    )
    assert find_proposal_changing_players(draft_final, [more]) is None
    assert find_proposal_changing_players(draft_final, [back]) is None
    assert find_proposal_changing_players(draft_final, [more, back]) == more
    assert not can_start_despite_requests(draft_final)


def test_mutually_exclusive_requests_are_not_combined(draft_final: Round) -> None:
    back = propose_restored_points(draft_final, 80)
    assert find_proposal_changing_players(draft_final, [back, back]) is None


def test_more_than_three_pending_requests_always_block(draft_final: Round) -> None:
    harmless = [deduct_points(draft_final, 100, points) for points in (1, 2, 3, 4)]
    assert find_proposal_changing_players(draft_final, harmless[:3]) is None
    assert find_proposal_changing_players(draft_final, harmless) == harmless[0]


def test_currently_impossible_request_may_become_possible(draft_final: Round) -> None:
    back = propose_restored_points(draft_final, 80)
    assert find_proposal_changing_players(draft_final, [back]) is None
    get_event_and_organizers(draft_final)[0].rulings.update(cancelled_at=timezone.now())
    assert find_proposal_changing_players(draft_final, [back]) == back


def test_request_that_changes_more_than_points_always_blocks(draft_final: Round) -> None:
    harmless = deduct_points(draft_final, 100, 1)
    reopening = Proposal(event=draft_final.stage.event, kind="reopen-round")
    assert find_proposal_changing_players(draft_final, [harmless, reopening]) is reopening


def test_request_blocks_if_the_cut_cannot_be_computed(draft_final: Round) -> None:
    harmless = deduct_points(draft_final, 100, 1)
    draft_final.stage.event.stages.filter(number=1).update(qualify_rule="thresholds", thresholds=[])
    assert find_proposal_changing_players(draft_final, [harmless]) == harmless
