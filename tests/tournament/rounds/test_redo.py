"""Hands that organizers void and have dealt again."""

import pytest

from games import facts
from games import services as games
from games.models import Match
from tests.tournament.helpers import (
    first_stage,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tournament.models import AuditEntry, Table, User
from tournament.rounds.services import abandon_table, pause, redo_hand, resume
from tournament.seating.services import seat_round
from tournament.standings.queries import leaderboard

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

REASON = "A card was shown."


def start_table(**fields: object) -> tuple[Table, User]:
    """Return a table that is playing its first hand, and its organizer."""
    event, organizer = make_organized_event(4, **fields)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    return played.tables.get(), organizer


def get_match(table: Table) -> Match:
    table.refresh_from_db()
    assert table.match is not None
    return table.match


def deal_next_hand(table: Table) -> None:
    match = get_match(table)
    assert match.due is not None
    games.tick(match.due)


def list_void_flags(table: Table) -> list[bool]:
    return [hand.void for hand in get_match(table).hands.order_by("number")]


def test_voided_hand_is_kept_and_logged_with_its_reason() -> None:
    table, organizer = start_table()
    redo_hand(table, organizer, 1, REASON)
    assert list_void_flags(table) == [True, False]
    deal_next_hand(table)
    assert get_match(table).state.hand == 2
    entry = AuditEntry.objects.get(action="redo-hand")
    assert (entry.actor, entry.text, entry.reason) == (
        organizer,
        "Redealt hand 1 at Round 1, table 1.",
        REASON,
    )


def test_voided_hand_does_not_count_towards_the_hand_limit() -> None:
    table, organizer = start_table(hand_limit=1)
    redo_hand(table, organizer, 1, REASON)
    games.play_out(get_match(table))
    assert (get_match(table).ended, list_void_flags(table)) == ("hand-limit", [True, False])
    assert {row.matches for row in leaderboard(table.round.stage.event).rows} == {1}


def test_second_click_does_not_void_another_hand() -> None:
    table, organizer = start_table()
    redo_hand(table, organizer, 1, REASON)
    assert get_refusal_code(redo_hand, table, organizer, 1, REASON) == "not-playing"
    deal_next_hand(table)
    assert get_refusal_code(redo_hand, table, organizer, 1, REASON) == "other-hand"
    assert list_void_flags(table) == [True, False]
    assert AuditEntry.objects.filter(action="redo-hand").count() == 1


def test_redeal_needs_a_reason_and_a_match() -> None:
    table, organizer = start_table()
    assert get_refusal_code(redo_hand, table, organizer, 1, " ") == "no-reason"
    abandon_table(table, organizer, "Fire alarm.")
    assert get_refusal_code(redo_hand, table, organizer, 1, REASON) == "not-playing"
    other, organizer = start_table()
    Table.objects.filter(pk=other.pk).update(match=None)
    assert get_refusal_code(redo_hand, other, organizer, 1, REASON) == "state"


def test_ready_players_do_not_resume_a_paused_table() -> None:
    table, organizer = start_table()
    pause(table.round, organizer, table)
    redo_hand(table, organizer, 1, REASON)
    assert get_match(table).paused
    resume(table.round, organizer, table)
    deal_next_hand(table)
    assert get_match(table).state.hand == 2


def test_next_hand_is_in_play_after_a_redeal() -> None:
    table, organizer = start_table()
    assert facts.hand_in_play(get_match(table)) == 1
    redo_hand(table, organizer, 1, REASON)
    assert facts.hand_in_play(get_match(table)) is None
    deal_next_hand(table)
    assert facts.hand_in_play(get_match(table)) == 2
