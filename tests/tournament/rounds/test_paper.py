"""Tables that switch to physical cards and back during a match, with their points."""

import io
import zipfile
from copy import deepcopy
from unittest import mock

import pytest

from games import queries
from games import services as games
from games.models import Match
from tests.factories import UNREACHABLE_TARGET, make_organizer
from tests.tournament.helpers import (
    first_stage,
    get_refusal,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.staging import match_of
from tests.typed import sure
from tournament.corrections.rounds import undo_round_start
from tournament.desk.confirmation import confirm
from tournament.desk.proposals import list_pending
from tournament.exports.records import write_records
from tournament.exports.transfer.contents import matches_of
from tournament.models import Result, Table, User
from tournament.oversight.history_texts import history
from tournament.results.queries import table_results
from tournament.results.services import enter_result
from tournament.rounds.paper import PaperProgress, describe_switch_effect, set_paper
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


def start_table(hands: int = 2, **fields: object) -> tuple[Table, User]:
    """Return a table on the site that has played this number of hands, and the organizer.

    The match does not end with these hands.
    """
    fields = {"ruleset": "uno-500", "options": UNREACHABLE_TARGET} | fields
    event, organizer = make_organized_event(4, **fields)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = played.tables.get()
    if hands:
        games.play_out(match_of(table), hands=hands)
    return reload_table(table), organizer


TableAndOrganizer = tuple[Table, User]


@pytest.fixture(scope="module")
def shared_table(shared_rows: None) -> TableAndOrganizer:
    with mock.patch.object(games, "SHARE_SECONDS", 0):
        return start_table()


@pytest.fixture
def table_after_two_hands(shared_table: TableAndOrganizer) -> TableAndOrganizer:
    return deepcopy(shared_table)


def reload_table(table: Table) -> Table:
    return Table.objects.select_related("match", "round__stage__event").get(pk=table.pk)


def get_totals(table: Table) -> list[int]:
    return queries.score(match_of(reload_table(table))).totals


def get_points(table: Table) -> list[int]:
    return table_results(table.round)[0].points


def test_score_sheet_starts_with_the_points_of_finished_hands(
    table_after_two_hands: TableAndOrganizer,
) -> None:
    table, organizer = table_after_two_hands
    before = get_totals(table)
    table = set_paper(table, organizer, True, "No power.")
    assert (table.start, len(table.carried)) == (before, 2)
    match = match_of(reload_table(table))
    assert (match.ended, match.goes_on) == ("abandoned", True)
    assert match.hands.filter(void=True).count() <= 1
    assert get_points(table) == before
    assert not table_results(table.round)[0].final


def test_table_that_switches_back_continues_from_its_points(
    table_after_two_hands: TableAndOrganizer,
) -> None:
    table, organizer = table_after_two_hands
    before = get_totals(table)
    first = match_of(table)
    table = set_paper(table, organizer, True, "No power.")
    table = set_paper(table, organizer, False, "Power is back.")
    match = match_of(reload_table(table))
    assert (match.continues, match.phase) == (first, Match.Phase.PLAYING)
    assert get_totals(table) == before
    games.play_out(match, hands=1)
    assert sum(get_totals(table)) > sum(before)


def test_points_from_physical_cards_are_entered_when_the_table_switches_back() -> None:
    table, organizer = start_table(1)
    table = set_paper(table, organizer, True, "No power.")
    more = [had + 20 * (seat == 2) for seat, had in enumerate(table.start)]
    table = set_paper(table, organizer, False, "Power is back.", PaperProgress(more, 2))
    assert (get_totals(table), len(table.carried)) == (more, 3)


def test_hands_with_physical_cards_count_towards_the_hand_limit() -> None:
    table, organizer = start_table(1, hand_limit=4)
    table = set_paper(table, organizer, True, "No power.")
    more = [had + 20 * (seat == 2) for seat, had in enumerate(table.start)]
    table = set_paper(table, organizer, False, "Power is back.", PaperProgress(more, 2))
    games.play_out(match_of(reload_table(table)), hands=1)
    match = match_of(reload_table(table))
    assert (match.phase, match.ended) == (Match.Phase.OVER, Match.MatchEnding.HAND_LIMIT)
    assert table_results(table.round)[0].final


def test_eliminated_player_is_not_dealt_in_again() -> None:
    table, organizer = start_table(0, options={"scoring": "elimination"})
    table = set_paper(table, organizer, True, "No power.")
    table = set_paper(table, organizer, False, "It is back.", PaperProgress([0, 510, 60, 30], 3))
    assert list(sure(match_of(reload_table(table)).hands.get(number=1)).players) == [0, 2, 3]


@pytest.mark.parametrize(
    ("entered", "hands", "code"),
    [
        ([1, 1], 1, "malformed"),
        ([-1, 0, 0, 0], 1, "malformed"),
        ([20, 0, 0, 0], 0, "hands"),
        ([1, 1, 1, 1], 1, "impossible"),
        ([520, 0, 0, 0], 3, "over"),
        ([20, 0, 0, 0], 9, "over"),
    ],
)
def test_points_from_which_no_match_can_continue_are_refused(
    entered: list[int], hands: int, code: str
) -> None:
    table, organizer = start_table(0, hand_limit=9, options={})
    table = set_paper(table, organizer, True, "No power.")
    refused = get_refusal_code(
        set_paper, table, organizer, False, "It is back.", PaperProgress(entered, hands)
    )
    assert refused == code
    assert reload_table(table).paper


def test_points_from_before_the_switch_cannot_be_left_out(
    table_after_two_hands: TableAndOrganizer,
) -> None:
    table, organizer = table_after_two_hands
    table = set_paper(table, organizer, True, "No power.")
    nothing = PaperProgress([0, 0, 0, 0], 1)
    assert get_refusal_code(set_paper, table, organizer, False, "Back.", nothing) == "impossible"
    refused = get_refusal(enter_result, table, organizer, [0, 0, 0, 0])
    assert refused.code == "impossible"
    assert refused.sentence == (
        "The points were 0, 143, 89, 0 when this table switched to or from physical cards. "
        "Include them in the totals."
    )


def test_switch_during_a_match_needs_a_reason(table_after_two_hands: TableAndOrganizer) -> None:
    table, organizer = table_after_two_hands
    assert get_refusal_code(set_paper, table, organizer, True) == "no-reason"
    assert match_of(reload_table(table)).phase != Match.Phase.OVER
    set_paper(table, organizer, True, "No power.")
    assert get_refusal_code(set_paper, table, organizer, False) == "no-reason"


def test_effect_of_the_switch_is_described_beforehand() -> None:
    table, organizer = start_table(1)
    found = describe_switch_effect(table)
    assert found[-3].startswith("Finished hands will count: ")
    assert found[-1] == "The result will be entered by hand later."
    table = set_paper(table, organizer, True, "No power.")
    back = describe_switch_effect(reload_table(table))
    assert back[0].startswith("A new hand will be dealt on the site")
    assert back[1].startswith("The match will continue from the points you enter below ")


def test_effect_of_a_switch_before_the_start_is_described() -> None:
    event, organizer = make_organized_event(4)
    table = seat_round(first_stage(event), organizer).tables.get()
    assert describe_switch_effect(table) == ["The table’s match will begin when the round starts."]


def test_both_switches_of_a_table_are_in_the_public_history(
    table_after_two_hands: TableAndOrganizer,
) -> None:
    table, organizer = table_after_two_hands
    table = set_paper(table, organizer, True, "No power.")
    set_paper(table, organizer, False, "Power is back.")
    back, off = history(table.round.stage.event).rows[:2]
    there = "Round 1, table 1: the match moved from the site to physical cards. The match "
    assert off.text.startswith(there)
    assert back.text.startswith(
        "Round 1, table 1: the match moved from physical cards to the site. The match"
    )
    assert (off.reason, back.reason) == ("No power.", "Power is back.")


def test_records_of_hands_before_the_switch_are_exported() -> None:
    table, organizer = start_table(hand_limit=3)
    first = match_of(table)
    table = set_paper(table, organizer, True, "No power.")
    table = set_paper(table, organizer, False, "Power is back.")
    games.play_out(match_of(reload_table(table)))
    event = table.round.stage.event
    assert matches_of(event) == [match_of(reload_table(table)).pk, first.pk]
    out = io.BytesIO()
    write_records(event, out)
    names = zipfile.ZipFile(out).namelist()
    assert sum(first.public_id in name for name in names) >= 2
    assert any(name.startswith("stage-1/round-1/table-1/round-1") for name in names)


def test_start_of_a_round_cannot_be_undone_after_a_switch_with_points(
    table_after_two_hands: TableAndOrganizer,
) -> None:
    table, organizer = table_after_two_hands
    table = set_paper(table, organizer, True, "No power.")
    set_paper(table, organizer, False, "Power is back.")
    assert get_refusal_code(undo_round_start, table.round, organizer, "By mistake.") == "played"


def test_result_includes_the_points_from_before_the_switch() -> None:
    table, organizer = start_table(1, round_minutes=30)
    table = set_paper(table, organizer, True, "No power.")
    more = [had + 20 * (seat == 2) for seat, had in enumerate(table.start)]
    assert enter_result(table, organizer, more, "So it was.").state == Result.State.CONFIRMED
    assert get_points(table) == more


def test_points_entered_by_hand_wait_for_a_second_organizer() -> None:
    table, organizer = start_table(1)
    event = table.round.stage.event
    second = make_organizer(event)
    table = set_paper(table, organizer, True, "No power.")
    more = [had + 20 * (seat == 2) for seat, had in enumerate(table.start)]
    assert set_paper(table, organizer, False, "It is back.", PaperProgress(more, 1)).paper
    found = ", ".join(f"{seat} {one}" for seat, one in zip(table.seats.all(), more, strict=True))
    assert list_pending(event, second)[0].text == (
        f"Round 1, table 1 continues on the site, starting from {found}."
    )
    confirm(event.proposals.get(), second)
    assert (reload_table(table).paper, get_totals(table)) == (False, more)
    assert history(event).rows[0].second


def test_pending_points_cannot_be_confirmed_once_there_is_a_result() -> None:
    table, organizer = start_table(1)
    event = table.round.stage.event
    second = make_organizer(event)
    table = set_paper(table, organizer, True, "No power.")
    more = [had + 20 * (seat == 2) for seat, had in enumerate(table.start)]
    set_paper(table, organizer, False, "It is back.", PaperProgress(more, 1))
    Result.objects.create(table=table, points=more, state="confirmed", entered_by=second)
    assert get_refusal_code(confirm, event.proposals.get(), second) == "changed"
    assert reload_table(table).paper
