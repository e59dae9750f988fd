"""Tests of far-reaching actions, which a second organizer has to confirm or reject."""

from collections.abc import Callable

import pytest

from games import services as games
from tests.factories import UNREACHABLE_TARGET, make_organizer, make_user, remove_role
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.typed import sure
from tournament.advancing.services import announce_winner, draw_bracket, preview_cut, qualify
from tournament.common.refusals import RefusedError
from tournament.desk.confirmation import confirm, refuse, withdraw
from tournament.desk.proposals import (
    count_pending,
    count_pending_about,
    list_answered,
    list_pending,
)
from tournament.models import Event, Proposal, Registration, Result, Round, Stage, Table, User
from tournament.oversight.history_texts import history
from tournament.oversight.second_person import check_nothing_pending, needs_second_organizer
from tournament.people.staff.organizers import choose_confirmation_rule
from tournament.registration.services import refuse as disqualify
from tournament.registration.services import refuse_all
from tournament.registration.services import withdraw as take_out
from tournament.results.queries import result_of
from tournament.results.services import enter_result, undo_result
from tournament.results.stages import stage_results
from tournament.rounds.paper import set_paper
from tournament.rounds.services import close_round
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule

pytestmark = pytest.mark.django_db

NEW_POINTS = [0, 100, 200, 400]


def make_closed_round(**fields: object) -> tuple[Table, Event, User, User]:
    """Create an event with a closed round of one table with 400, 300, 200 and 100 points.

    Returns the table, the event and its two organizers.
    """
    event, organizer = make_organized_event(4, **fields)
    played = finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    return played.tables.get(), event, organizer, make_organizer(event)


def list_points(table: Table) -> list[int]:
    return list(result_of(table).points)


def get_waiting_proposal(event: Event) -> Proposal:
    return event.proposals.get(state="waiting")


def list_texts(event: Event) -> list[str]:
    return [row.text for row in history(event).rows]


def test_new_event_requires_a_second_organizer_if_it_has_one() -> None:
    event, organizer = make_organized_event(0)
    assert event.second_person == "far"
    assert not needs_second_organizer(event, organizer)
    second = make_organizer(event)
    assert needs_second_organizer(event, organizer)
    assert needs_second_organizer(event, second)


@pytest.mark.parametrize("field", ["is_active", "is_staff"])
def test_owner_without_access_to_the_desk_does_not_count_as_second_organizer(field: str) -> None:
    event, organizer = make_organized_event(0)
    second = make_organizer(event)
    User.objects.filter(pk=second.pk).update(**{field: False})
    assert not needs_second_organizer(event, organizer)


def test_superuser_needs_confirmation_by_an_organizer() -> None:
    event, _organizer = make_organized_event(0)
    assert needs_second_organizer(event, make_user(is_staff=True, is_superuser=True))


def test_no_confirmation_is_needed_if_the_rule_is_turned_off() -> None:
    table, event, organizer, _second = make_closed_round(second_person="off")
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    assert (list_points(table), event.proposals.count()) == (NEW_POINTS, 0)


def test_points_for_a_closed_round_count_once_a_second_organizer_confirms() -> None:
    table, event, organizer, second = make_closed_round()
    before = list_points(table)
    result = enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    assert (result.state, list_points(table)) == ("entered", before)
    assert count_pending_about(event, table.round) == count_pending(event) == 1
    assert get_refusal_code(confirm, get_waiting_proposal(event), organizer) == "same-person"
    proposal = confirm(get_waiting_proposal(event), second)
    assert (proposal.state, proposal.decided_by, list_points(table)) == (
        "confirmed",
        second,
        NEW_POINTS,
    )
    row = history(event).rows[0]
    assert row.text.startswith("Round 1, table 1: points were corrected to ")
    assert (row.reason, row.by, row.second) == ("Rows were swapped.", "an organizer", True)


def test_sole_organizer_can_correct_points_immediately() -> None:
    table, event, organizer, second = make_closed_round()
    remove_role(event, second)
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    assert list_points(table) == NEW_POINTS
    assert (history(event).rows[0].second, count_pending(event)) == (False, 0)


def test_points_at_paper_tables_of_an_open_round_need_no_second_organizer() -> None:
    event, organizer = make_organized_event(4)
    make_organizer(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    enter_result(played.tables.get(), organizer, NEW_POINTS)
    enter_result(played.tables.get(), organizer, [*NEW_POINTS[:3], 444], "Misread.")
    assert list_points(played.tables.get()) == [0, 100, 200, 444]


def test_correcting_a_match_played_on_the_site_needs_a_second_organizer() -> None:
    event, organizer = make_organized_event(4, hand_limit=1)
    second = make_organizer(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = played.tables.select_related("match").get()
    assert table.match is not None
    games.play_out(table.match)
    before = list_points(table)
    enter_result(table, organizer, [99, 0, 0, 0], "A card was misread.")
    assert list_points(table) == before
    confirm(get_waiting_proposal(event), second)
    assert list_points(table) == [99, 0, 0, 0]
    undo_result(table.results.get(), organizer, "It was not.")
    assert list_points(table) == [99, 0, 0, 0]
    confirm(get_waiting_proposal(event), second)
    assert list_points(table) == before


def test_result_of_a_match_moved_to_paper_needs_a_second_organizer() -> None:
    event, organizer = make_organized_event(4, hand_limit=5, options=UNREACHABLE_TARGET)
    second = make_organizer(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = played.tables.select_related("match").get()
    games.play_out(sure(table.match), hands=1)
    table = set_paper(table, organizer, True, "The screens failed.")
    new = [had + 100 * (seat == 2) for seat, had in enumerate(table.start)]
    enter_result(played.tables.get(), organizer, new)
    assert list_points(played.tables.get()) == table.start
    confirm(get_waiting_proposal(event), second)
    assert list_points(played.tables.get()) == new
    assert ": points were entered by hand (" in list_texts(event)[0]


def test_result_of_a_table_moved_to_paper_before_play_needs_no_second_organizer() -> None:
    event, organizer = make_organized_event(4)
    make_organizer(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    set_paper(played.tables.get(), organizer, True, "No network.")
    enter_result(played.tables.get(), organizer, NEW_POINTS)
    assert list_points(played.tables.get()) == NEW_POINTS


def test_undoing_a_result_of_a_closed_round_needs_a_second_organizer() -> None:
    table, event, organizer, second = make_closed_round()
    enter_and_confirm(table, event, organizer, second)
    entry = table.results.get(points=NEW_POINTS)
    assert undo_result(entry, organizer, "It was right.") == get_waiting_proposal(event)
    assert get_refusal_code(undo_result, entry, organizer, "It was right.") == "asked"
    by_name = ", ".join(
        f"{seat} {one}" for seat, one in zip(table.seats.all(), NEW_POINTS, strict=True)
    )
    assert list_pending(event, second)[0].text == f"Undo the entry for Round 1, table 1: {by_name}."
    confirm(get_waiting_proposal(event), second)
    assert list_points(table) == [400, 300, 200, 100]
    assert ": an entry was undone (" in list_texts(event)[0]


def enter_and_confirm(table: Table, event: Event, organizer: User, second: User) -> None:
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    confirm(get_waiting_proposal(event), second)


def test_first_result_of_a_table_in_a_closed_round_is_listed_as_entered() -> None:
    event, organizer = make_organized_event(8)
    second = make_organizer(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    first, other = played.tables.all()
    enter_result(first, organizer, NEW_POINTS)
    close_round(played, organizer, "The hall closes.")
    other.refresh_from_db()
    enter_result(other, organizer, NEW_POINTS, "The sheet was found.")
    confirm(get_waiting_proposal(event), second)
    assert list_points(other) == NEW_POINTS
    assert list_texts(event)[0].startswith("Round 1, table 2: points were entered by hand (")
    assert list_texts(event)[1] == "Round 1 was closed although a table had no result."


def test_points_cannot_be_confirmed_after_the_previous_result_has_changed() -> None:
    table, event, organizer, second = make_closed_round()
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    table.results.filter(state="confirmed").update(state="undone")
    proposal, before = get_waiting_proposal(event), history(event).head
    assert get_refusal_code(confirm, proposal, second) == "changed"
    proposal.refresh_from_db()
    assert (proposal.state, history(event).head) == ("waiting", before)
    assert table.results.get(points=NEW_POINTS).state == "entered"


def test_old_proposal_without_a_previous_result_can_be_confirmed() -> None:
    table, event, organizer, second = make_closed_round()
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    entry = Result.objects.get(state="entered")
    event.proposals.update(facts={"version": 1, "result": entry.pk})
    table.results.filter(state="confirmed").update(state="undone")
    confirm(get_waiting_proposal(event), second)
    assert list_points(table) == NEW_POINTS


def test_removed_result_cannot_be_confirmed() -> None:
    table, event, organizer, second = make_closed_round()
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    Result.objects.filter(state="entered").update(state="undone")
    assert get_refusal_code(confirm, get_waiting_proposal(event), second) == "changed"


def test_proposal_can_be_withdrawn_by_its_author_or_rejected_with_a_reason() -> None:
    table, event, organizer, second = make_closed_round()
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    proposal = get_waiting_proposal(event)
    assert get_refusal_code(withdraw, proposal, second) == "not-yours"
    assert get_refusal_code(refuse, proposal, organizer, "No") == "same-person"
    assert get_refusal_code(refuse, proposal, second, " ") == "no-reason"
    refuse(proposal, second, "The sheet says otherwise.")
    assert table.results.get(points=NEW_POINTS).state == "undone"
    assert get_refusal_code(withdraw, proposal, organizer) == "state"
    assert get_refusal_code(refuse, proposal, second, "Again") == "state"
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    withdraw(get_waiting_proposal(event), organizer)
    assert [row.proposal.state for row in list_answered(event, second)] == ["withdrawn", "refused"]
    assert list_points(table) == [400, 300, 200, 100]


@pytest.mark.parametrize(
    "ends",
    [
        lambda event, organizer: confirm_cut(event, organizer),
        lambda event, organizer: announce_winner(event, organizer),
    ],
    ids=["cut", "winner"],
)
def test_pending_proposal_blocks_the_cut_and_the_winner(ends: Callable[..., object]) -> None:
    table, event, organizer, _second = make_closed_round()
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    assert get_refusal_code(ends, event, organizer) == "waiting"
    withdraw(get_waiting_proposal(event), organizer)
    check_nothing_pending(event)


def confirm_cut(event: Event, organizer: User) -> None:
    stage, rule = first_stage(event), CutRule(Stage.Rule.NUMBER, 2, Stage.Ties.LOTS, 1)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)


def test_refusal_describes_the_pending_proposal() -> None:
    table, event, organizer, _second = make_closed_round()
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    with pytest.raises(RefusedError, match=r"A change to Round 1, requested by"):
        check_nothing_pending(event, table.round)


def test_pending_proposal_about_another_round_does_not_block_closing_a_round() -> None:
    table, event, organizer, _second = make_closed_round()
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    enter_result(played.tables.get(), organizer, NEW_POINTS)
    assert close_round(played, organizer).state == "closed"


def test_pending_proposal_blocks_the_draw_of_the_next_bracket_round() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 8)
    finish_paper_round(start_drafted_round(draw_bracket(stage, organizer), organizer), organizer)
    make_organizer(event)
    table = Table.objects.filter(round__stage=stage)[0]
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    assert get_refusal_code(draw_bracket, stage, organizer) == "waiting"


@pytest.mark.parametrize(
    ("service", "state", "sentence", "log_text"),
    [
        (disqualify, "refused", "Disqualify {}.", "{} was disqualified."),
        (take_out, "withdrawn", "Remove {} from the event.", "{} was removed from the event."),
    ],
)
def test_removing_a_qualifier_needs_a_second_organizer(
    service: Callable[..., Registration], state: str, sentence: str, log_text: str
) -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    second = make_organizer(event)
    player = stage.qualifiers.order_by("seed")[0].registration
    assert get_refusal_code(service, player, organizer, " ") == "no-reason"
    assert service(player, organizer, "Two accounts.").state == "approved"
    assert list_pending(event, second)[0].text == sentence.format(player.name)
    assert stage.qualifiers.filter(active=True).count() == 4
    confirm(get_waiting_proposal(event), second)
    player.refresh_from_db()
    assert (player.state, player.reason) == (state, "Two accounts.")
    assert list_texts(event)[0] == log_text.format(player.name)


def test_pending_disqualification_blocks_the_next_bracket_round() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    second = make_organizer(event)
    disqualify(stage.qualifiers.order_by("seed")[0].registration, organizer, "Two accounts.")
    with pytest.raises(RefusedError, match=r"A request by .+ to remove a player is waiting"):
        draw_bracket(stage, organizer)
    refuse(get_waiting_proposal(event), second, "One is his sister's.")
    assert draw_bracket(stage, organizer).state == "draft"


def test_withdrawn_player_cannot_be_disqualified() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    second = make_organizer(event)
    player = stage.qualifiers.order_by("seed")[0].registration
    disqualify(player, organizer, "Two accounts.")
    take_out(player, player.user)
    assert get_refusal_code(confirm, get_waiting_proposal(event), second) == "changed"
    assert list_texts(event)[0].endswith(" advanced to the next stage.")


def test_disqualification_cannot_be_confirmed_after_the_players_state_has_changed() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    second = make_organizer(event)
    player = stage.qualifiers.order_by("seed")[0].registration
    disqualify(player, organizer, "Two accounts.")
    Registration.objects.filter(pk=player.pk).update(state="pending")
    assert get_refusal_code(confirm, get_waiting_proposal(event), second) == "changed"


def test_own_withdrawal_is_private_and_needs_no_second_organizer() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    make_organizer(event)
    player = stage.qualifiers.order_by("seed")[0].registration
    before = history(event).head
    assert take_out(player, player.user).state == "withdrawn"
    assert history(event).head == before


def test_disqualification_before_the_cut_is_private_and_needs_no_second_organizer() -> None:
    event, organizer = make_organized_event(4)
    make_organizer(event)
    before = history(event).head
    player = event.registrations.all()[0]
    assert disqualify(player, organizer, "Not of this college.").state == "refused"
    assert history(event).head == before


def test_removals_that_wait_for_confirmation_are_not_counted() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    make_organizer(event)
    players = [each.registration for each in stage.qualifiers.order_by("seed")[:2]]
    assert refuse_all(players, organizer, "Two accounts.") == 0
    assert count_pending(event) == 2


def test_log_names_the_author_of_a_proposal_and_the_second_organizer() -> None:
    table, event, organizer, second = make_closed_round()
    enter_and_confirm(table, event, organizer, second)
    rows = event.audit.order_by("-pk")[:3]
    assert [(row.action, row.actor) for row in rows] == [
        ("answer", second),
        ("correct", organizer),
        ("ask", organizer),
    ]
    number = event.proposals.get().pk
    assert rows[0].text == (f"Answered confirmation request no. {number}: confirmed.")
    assert rows[2].text == f"Asked a second organizer to confirm (request no. {number})."


def test_rule_change_can_be_pending_together_with_a_result() -> None:
    table, event, organizer, second = make_closed_round()
    enter_result(table, organizer, NEW_POINTS, "Rows were swapped.")
    choose_confirmation_rule(event, organizer, "off", "We are in a hurry.")
    assert count_pending(event) == 2
    first, switch = event.proposals.all()
    assert (first.round, switch.round) == (Round.objects.get(), None)
    confirm(switch, second)
    # The change of the rule does not affect proposals that are already pending.
    assert list_points(table) == [400, 300, 200, 100]
    confirm(first, second)
    assert list_points(table) == NEW_POINTS


def test_round_without_corrections_needs_no_second_organizer() -> None:
    event, organizer = make_organized_event(8)
    make_organizer(event)
    stage = play_first_round(event, organizer)
    assert (stage.rounds.get().state, count_pending(event)) == ("closed", 0)
