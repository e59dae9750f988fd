"""Tests of locking the results of a finished event, and of unlocking by two organizers."""

import pytest

from tests.factories import make_organizer
from tests.tournament.helpers import (
    get_refusal,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tournament.advancing.services import (
    announce_winner,
    draw_bracket,
    preview_cut,
    qualify,
    reopen_event,
)
from tournament.desk.confirmation import confirm
from tournament.events.closing.certificates import (
    LAST_NAMED_PLACE,
    find_certified_places,
    list_certificates,
    verify_certificate,
)
from tournament.events.closing.locking import lock_results, unlock_results
from tournament.events.closing.unfinished import list_unfinished
from tournament.events.services import change_event
from tournament.models import Certificate, Event, Registration, Table, User
from tournament.oversight.history_texts import history
from tournament.people.names import rename_player
from tournament.registration.services import register, withdraw
from tournament.results.services import enter_result, undo_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.stages.cut import CutRule

pytestmark = pytest.mark.django_db


def make_finished_event(players: int = 8, **fields: object) -> tuple[Event, User]:
    """Create an event with one round with physical cards and an announced winner.

    No player has advanced.
    """
    event, organizer = make_organized_event(players, **fields)
    stage = play_first_round(event, organizer)
    rule = CutRule("number", 1, "lots", 99)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    announce_winner(event, organizer)
    event.refresh_from_db()
    return event, organizer


def make_locked_event(players: int = 8, **fields: object) -> tuple[Event, User]:
    event, organizer = make_finished_event(players, **fields)
    lock_results(event, organizer, sure=True)
    event.refresh_from_db()
    return event, organizer


def get_first_table(event: Event) -> Table:
    return Table.objects.filter(round__stage__event=event).order_by("pk")[0]


def test_event_can_be_locked_after_the_winner_is_announced() -> None:
    event, organizer = make_organized_event(8)
    play_first_round(event, organizer)
    assert get_refusal_code(lock_results, event, organizer, sure=True) == "state"
    event, organizer = make_finished_event()
    assert get_refusal_code(lock_results, event, organizer, sure=False) == "unsure"
    assert lock_results(event, organizer, sure=True) == 8
    assert history(event).rows[0].text == "The event was locked, and its results became final."
    assert get_refusal_code(lock_results, event, organizer, sure=True) == "locked"


def test_pending_result_change_prevents_locking() -> None:
    event, organizer = make_finished_event()
    make_organizer(event)
    enter_result(get_first_table(event), organizer, [0, 1, 2, 3], "Misread.", override=True)
    assert get_refusal_code(lock_results, event, organizer, sure=True) == "waiting"


def test_result_decisions_are_refused_in_a_locked_event() -> None:
    event, organizer = make_locked_event()
    table = get_first_table(event)
    result, one = table.results.get(), event.registrations.all()[0]
    refused = [
        get_refusal_code(enter_result, table, organizer, [1, 2, 3, 4], "Misread."),
        get_refusal_code(undo_result, result, organizer, "Misread."),
        get_refusal_code(close_round, table.round, organizer),
        get_refusal_code(reopen_event, event, organizer, "Too early."),
        get_refusal_code(change_event, event, organizer, ["tie_breakers"]),
        get_refusal_code(withdraw, one, one.user),
    ]
    assert refused == ["locked"] * len(refused)
    assert "Unlock it first" in get_refusal(reopen_event, event, organizer, "So.").sentence


def test_name_can_be_corrected_in_a_locked_event() -> None:
    event, organizer = make_locked_event()
    one = event.registrations.all()[0]
    assert rename_player(one, organizer, "Asha Kumari").name == "Asha Kumari"


def test_unlocking_needs_a_reason_and_a_second_organizer() -> None:
    event, organizer = make_locked_event()
    second = make_organizer(event)
    assert get_refusal_code(unlock_results, event, organizer, " ") == "no-reason"
    waits = unlock_results(event, organizer, "Two sheets were exchanged.")
    assert waits is not None
    assert (
        get_refusal_code(enter_result, get_first_table(event), organizer, [4, 3, 2, 1], "So.")
        == "locked"
    )
    confirm(waits, second)
    event.refresh_from_db()
    assert event.locked_at is None
    reported = history(event).rows[0]
    assert reported.text == "The event was unlocked so that results could be corrected."
    assert (reported.reason, reported.second) == ("Two sheets were exchanged.", True)
    assert get_refusal_code(unlock_results, event, organizer, "Again.") == "state"


def test_sole_organizer_can_unlock_immediately() -> None:
    event, organizer = make_locked_event()
    assert unlock_results(event, organizer, "Misread.") is None
    event.refresh_from_db()
    assert event.locked_at is None


def test_unfinished_items_are_listed_before_locking() -> None:
    event, organizer = make_finished_event()
    assert list_unfinished(event) == []
    one, other = Table.objects.filter(round__stage__event=event).order_by("pk")
    enter_result(other, organizer, [9_999, 0, 0, 1], "Misread.", override=True)
    one.results.all().delete()
    assert list_unfinished(event) == [
        f"No result, so not counted: {one}.",
        "1 result counts even though no combination of cards adds up to it.",
    ]


def test_all_participants_get_certificates_and_three_show_a_place() -> None:
    event, _organizer = make_locked_event()
    found = list(list_certificates(event))
    assert len(found) == 8
    assert [each.place for each in found if each.place] == [1, 1, 3, 3]
    ranks = {row.player: row.rank for row in stage_results(event).rows()}
    due = {pk: rank if rank <= LAST_NAMED_PLACE else None for pk, rank in ranks.items()}
    assert {each.registration_id: each.place for each in found} == due


def test_certificates_name_places_from_the_final_rather_than_the_standings() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    final = start_drafted_round(draw_bracket(stage, organizer), organizer)
    table = final.tables.get()
    enter_result(table, organizer, [0, 100, 200, 400], "Μετρήθηκε.", override=True)
    close_round(final, organizer)
    announce_winner(event, organizer)
    seats = [seat.registration_id for seat in table.seats.order_by("number")]
    event.refresh_from_db()
    found = find_certified_places(event)
    assert [found[pk or 0] for pk in seats] == [None, 3, 2, 1]
    assert [place for pk, place in found.items() if pk not in seats] == [None] * 4


def test_player_without_a_match_gets_no_certificate() -> None:
    event, organizer = make_finished_event()
    late = Registration.objects.create(
        **{"event": event, "user": make_organizer(), "name": "Late", "state": "approved"},
        queue_number=99,
        registered_at=event.created_at,
    )
    lock_results(event, organizer, sure=True)
    assert not late.certificates.exists()


def test_corrected_result_withdraws_only_affected_certificates() -> None:
    event, organizer = make_locked_event()
    before = {each.registration_id: each for each in list_certificates(event)}
    unlock_results(event, organizer, "Two sheets were exchanged.")
    event.refresh_from_db()
    assert list(list_certificates(event)) == []
    some = next(iter(before.values()))
    assert getattr(verify_certificate(some.code), "state", "") == "open"
    enter_result(get_first_table(event), organizer, [0, 300, 200, 400], "Exchanged.", override=True)
    lock_results(event, organizer, sure=True)
    event.refresh_from_db()
    now = {each.registration_id: each for each in list_certificates(event)}
    changed = {pk for pk, each in now.items() if each.place != before[pk].place}
    assert changed
    for pk, each in before.items():
        same = each.code == now[pk].code
        assert same == (pk not in changed)
        assert getattr(verify_certificate(each.code), "state", "") == (
            "holds" if same else "withdrawn"
        )


def test_certificate_codes_cannot_be_guessed() -> None:
    event, _organizer = make_locked_event(4)
    codes = set(Certificate.objects.values_list("code", flat=True))
    assert len(codes) == event.registrations.count()
    assert {len(code) for code in codes} == {24}
    assert verify_certificate("A" * 24) is None


def test_registration_is_refused_in_a_locked_event() -> None:
    event, _organizer = make_locked_event(4)
    assert get_refusal_code(register, event, make_organizer(), roll_number="R9") in (
        "locked",
        "closed",
    )
