from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from time_machine import travel

from games import services as games
from games.models import Match
from tests.factories import make_registrations, make_user
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tournament.advancing.services import announce_winner, draw_bracket
from tournament.desk.control import control_room
from tournament.events.services import change_event
from tournament.hall.queries import player_page
from tournament.models import AuditEntry, Event, Round, User
from tournament.registration.services import approve, register, withdraw
from tournament.rounds.paper import set_paper
from tournament.rounds.services import (
    abandon_table,
    close_round,
    give_time,
    pause,
    resume,
    start_round,
)
from tournament.seating.services import publish_round, seat_round

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


def start_site_round(players: int = 8, **fields: object) -> tuple[Round, Event, User]:
    """Start a round on the site with matches of one hand."""
    event, organizer = make_organized_event(players, **({"hand_limit": 1} | fields))
    played = seat_round(first_stage(event), organizer)
    return start_drafted_round(played, organizer, paper=False), event, organizer


def list_matches(round_: Round) -> list[Match]:
    return [table.match for table in round_.tables.select_related("match") if table.match]


def test_match_is_started_at_every_table() -> None:
    played, event, _ = start_site_round(8, turn_seconds=40, options={"target": 150})
    first, second = list_matches(played)
    assert (first.phase, second.phase) == ("playing", "playing")
    assert (first.ruleset, first.options["target"], first.turn_seconds) == ("uno-400", 150, 40)
    assert (first.topic, first.hand_limit, str(first)) == (event.topic, 1, "Round 1, table 1")
    assert first.links == {
        "event": f"/e/{event.slug}/",
        "rules": f"/e/{event.slug}/rules/",
        "mine": f"/e/{event.slug}/my-table/",
        "watch": f"/e/{event.slug}/watch/",
    }
    names = [seat.name for seat in first.seats.all()]
    table = played.tables.get(number=1)
    assert names == [str(seat) for seat in table.seats.all()]
    assert [s.user_id for s in first.seats.all()] == [
        s.registration.user_id for s in table.seats.all() if s.registration
    ]


def test_final_has_no_link_to_a_next_table() -> None:
    event, organizer = make_organized_event(4)
    played = seat_round(first_stage(event), organizer)
    Round.objects.filter(pk=played.pk).update(is_final=True)
    [match] = list_matches(
        start_drafted_round(Round.objects.get(pk=played.pk), organizer, paper=False)
    )
    assert sorted(match.links) == ["event", "rules", "watch"]


def test_matches_end_at_the_end_of_the_round() -> None:
    played, _, _ = start_site_round(4, round_minutes=20)
    assert played.ends_at is not None
    assert played.started_at is not None
    assert played.ends_at - played.started_at == timedelta(minutes=20)
    assert list_matches(played)[0].ends_at == played.ends_at


def test_pause_does_not_shorten_the_round() -> None:
    played, event, organizer = start_site_round(8, round_minutes=20)
    assert played.ends_at is not None
    pause(played, organizer)
    with travel(timezone.now() + timedelta(minutes=15)):
        resume(played, organizer)
    room = control_room(event)
    assert room is not None
    assert room.ends_at is not None
    assert timedelta(0) <= room.ends_at - played.ends_at - timedelta(minutes=15) < SECOND


def test_registration_closes_when_play_starts() -> None:
    event, organizer = make_organized_event(8)
    played = seat_round(first_stage(event), organizer)
    assert event.registration_state == "open"
    start_drafted_round(played, organizer)
    event.refresh_from_db()
    assert event.registration_state == "closed"
    texts = [entry.text for entry in AuditEntry.objects.filter(action="start")]
    assert texts == ["Started Round 1. Registration is closed."]
    assert get_refusal_code(register, event, make_user(), name="Late") == "closed"


def test_reopened_registration_stays_open_for_the_next_round() -> None:
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    event.stages.update(rounds_planned=2)  # drawing more rounds ahead would take seconds
    stage.refresh_from_db()
    finish_paper_round(start_drafted_round(seat_round(stage, organizer), organizer), organizer)
    event.refresh_from_db()
    event.registration_closes = timezone.now() + timedelta(hours=2)
    change_event(event, organizer, ["registration_closes"])
    late = register(event, make_user(), name="Late")
    played = start_drafted_round(seat_round(stage, organizer), organizer)
    event.refresh_from_db()
    assert (late.state, event.registration_state) == ("approved", "open")
    assert late.seats.get().table.round == played


def test_registration_that_is_already_closed_keeps_its_date() -> None:
    closed = timezone.now() - timedelta(days=1)
    event, organizer = make_organized_event(8)
    Event.objects.update(registration_closes=closed)
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    event.refresh_from_db()
    assert event.registration_closes == closed


def test_no_one_moves_up_from_the_waitlist_after_play_starts() -> None:
    event, organizer = make_organized_event(0, capacity=8)
    rows = make_registrations(event, 9)
    played = finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    withdraw(rows[0], organizer)
    rows[8].refresh_from_db()
    assert rows[8].state == "waitlist"
    event.refresh_from_db()
    page = player_page(event, rows[8].user)
    assert page is not None
    assert page.next_step.endswith("ask the organizers for a spot.")
    assert approve(rows[8], organizer).state == "approved"
    assert played.state == "closed"


def test_stage_ends_with_its_final() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    second.refresh_from_db()
    assert second.state == "closed"
    assert announce_winner(event, organizer).points == 400


def test_event_is_running_once_its_first_round_starts() -> None:
    _, event, _ = start_site_round(4)
    event.refresh_from_db()
    assert event.state == "running"


def test_only_a_published_round_can_start() -> None:
    event, organizer = make_organized_event(4)
    played = seat_round(first_stage(event), organizer)
    assert get_refusal_code(start_round, played, organizer) == "state"
    start_drafted_round(played, organizer)
    assert get_refusal_code(start_round, played, organizer) == "state"
    assert Match.objects.count() == 0  # the round uses physical cards


def test_bots_fill_the_empty_seats() -> None:
    played, _, _ = start_site_round(3, fill_with_bots=True)
    assert [seat.bot for seat in list_matches(played)[0].seats.all()] == ["", "", "", "plain"]


def test_round_closes_when_all_tables_have_a_result() -> None:
    played, _, organizer = start_site_round(8)
    first, second = list_matches(played)
    games.play_out(first)
    assert get_refusal_code(close_round, played, organizer) == "open"
    games.play_out(second)
    assert close_round(played, organizer).state == "closed"
    assert get_refusal_code(close_round, played, organizer) == "state"


def test_round_closed_with_a_reason_abandons_unfinished_matches() -> None:
    played, _, organizer = start_site_round(8)
    games.play_out(list_matches(played)[0])
    close_round(played, organizer, "The hall closes.")
    assert [match.ended for match in list_matches(played)] == ["hand-limit", "abandoned"]
    assert played.close_reason == "The hall closes."
    assert AuditEntry.objects.filter(action="close-early").get().reason == "The hall closes."


def test_one_table_or_all_tables_can_be_paused() -> None:
    played, _, organizer = start_site_round(8)
    assert pause(played, organizer) == 2
    assert [match.paused for match in list_matches(played)] == [True, True]
    assert resume(played, organizer, played.tables.get(number=2)) == 1
    assert [match.paused for match in list_matches(played)] == [True, False]
    assert pause(played, organizer) == 1
    assert resume(played, organizer) == 2
    # The third call resumes nothing, so it is not logged.
    assert resume(played, organizer) == 0
    assert AuditEntry.objects.filter(action="resumed").count() == 2


def end_match_before_service(monkeypatch: pytest.MonkeyPatch, name: str, match: Match) -> None:
    """Let the match end just before the function of `games.services` with this name is called.

    This simulates a match that ends after the organizer has loaded the page.
    """
    service = getattr(games, name)

    def end_match_first(*args: Any) -> Match:
        games.play_out(match)
        changed: Match = service(*args)
        return changed

    monkeypatch.setattr(games, name, end_match_first)


def test_finished_table_does_not_prevent_pausing_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played, _, organizer = start_site_round(8)
    end_match_before_service(monkeypatch, "pause_match", list_matches(played)[0])
    assert pause(played, organizer) == 1
    assert [match.ended for match in list_matches(played)] == ["hand-limit", ""]
    assert [match.paused for match in list_matches(played)] == [False, True]


def test_resumed_table_does_not_prevent_resuming_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played, _, organizer = start_site_round(8)
    pause(played, organizer)
    resume_match = games.resume_match

    def resume_first_match_twice(match: Match) -> Match:
        if match == list_matches(played)[0]:
            resume_match(match)
        return resume_match(match)

    monkeypatch.setattr(games, "resume_match", resume_first_match_twice)
    assert resume(played, organizer) == 1
    assert [match.paused for match in list_matches(played)] == [False, False]


def test_pausing_a_single_table_is_refused_if_it_has_no_effect() -> None:
    played, _, organizer = start_site_round(8)
    first, second = played.tables.order_by("number")
    assert get_refusal_code(resume, played, organizer, first) == "not-paused"
    assert pause(played, organizer, first) == 1
    assert get_refusal_code(pause, played, organizer, first) == "paused"
    games.play_out(list_matches(played)[1])
    assert get_refusal_code(pause, played, organizer, second) == "not-going"
    texts = AuditEntry.objects.filter(action__in=("paused", "resumed"))
    assert list(texts.values_list("text", flat=True)) == [f"Paused {first}."]


def test_table_without_a_match_cannot_be_paused() -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    assert get_refusal_code(pause, played, organizer, played.tables.get()) == "state"
    assert pause(played, organizer) == 0


def test_round_can_close_if_its_last_match_ends_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played, _, organizer = start_site_round(8)
    games.play_out(list_matches(played)[0])
    end_match_before_service(monkeypatch, "abandon_match", list_matches(played)[1])
    assert close_round(played, organizer, "The hall closes.").state == "closed"
    assert [match.ended for match in list_matches(played)] == ["hand-limit", "hand-limit"]


def test_match_that_ends_at_the_same_time_is_not_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    played, _, organizer = start_site_round(4)
    end_match_before_service(monkeypatch, "abandon_match", list_matches(played)[0])
    assert get_refusal_code(abandon_table, played.tables.get(), organizer, "Fire alarm.") == "over"


def test_match_is_abandoned_with_a_reason() -> None:
    played, _, organizer = start_site_round(4)
    table = played.tables.get()
    assert get_refusal_code(abandon_table, table, organizer, "") == "no-reason"
    abandon_table(table, organizer, "The fire alarm went off.")
    assert list_matches(played)[0].ended_reason == "The fire alarm went off."
    assert get_refusal_code(abandon_table, table, organizer, "Again") == "over"


def test_table_can_switch_to_physical_cards_and_back() -> None:
    played, _, organizer = start_site_round(4)
    table = set_paper(played.tables.get(), organizer, True, "No signal in the hall.")
    assert [match.ended for match in list_matches(played)] == ["abandoned"]
    assert table.paper
    table = set_paper(table, organizer, False)
    assert [match.phase for match in list_matches(played)] == ["playing"]
    assert not table.paper


def test_player_with_a_published_seat_cannot_withdraw() -> None:
    event, organizer = make_organized_event(4)
    publish_round(seat_round(first_stage(event), organizer), organizer)
    registration = event.registrations.all()[0]
    assert get_refusal_code(withdraw, registration, registration.user) == "seated"
    registration.refresh_from_db()
    assert registration.state == "approved"


def test_player_who_withdraws_after_playing_keeps_the_points() -> None:
    event, organizer = make_organized_event(4)
    played = seat_round(first_stage(event), organizer)
    finish_paper_round(start_drafted_round(played, organizer), organizer)
    registration = event.registrations.all()[0]
    withdraw(registration, registration.user, "Has to catch a train.")
    assert registration.seats.count() == 1


def list_extra_seconds(match: Match) -> list[int]:
    return list(match.seats.order_by("number").values_list("extra_seconds", flat=True))


def test_one_or_all_players_can_get_extra_time_during_play() -> None:
    played, _, organizer = start_site_round(4)
    table = played.tables.get()
    seat = table.seats.get(number=2)
    give_time(table, organizer, 20, seat)
    give_time(table, organizer, 15)
    assert list_extra_seconds(list_matches(played)[0]) == [15, 15, 35, 15]
    found = list(AuditEntry.objects.filter(action="time").values_list("text", flat=True))
    assert found == [
        f"Gave everyone at {table} 15 extra seconds for each turn.",
        f"Gave {seat} at {table} 20 extra seconds for each turn.",
    ]


def test_second_click_adds_no_extra_time() -> None:
    played, _, organizer = start_site_round(4)
    table = played.tables.get()
    give_time(table, organizer, 15, seen=0)
    assert get_refusal_code(give_time, table, organizer, 15, seen=0) == "changed"
    give_time(table, organizer, 20, table.seats.get(number=2), seen=4 * 15)
    assert list_extra_seconds(list_matches(played)[0]) == [15, 15, 35, 15]


def test_extra_time_given_before_a_match_applies_to_it() -> None:
    event, organizer = make_organized_event(4, hand_limit=1)
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    table = played.tables.get()
    seat = table.seats.get(number=1)
    assert seat.registration is not None
    seat.registration.extra_seconds = 30
    seat.registration.save()
    give_time(table, organizer, 10)
    start_round(played, organizer)
    assert list_extra_seconds(list_matches(played)[0]) == [10, 40, 10, 10]


def test_invalid_extra_time_is_refused() -> None:
    event, organizer = make_organized_event(4, hand_limit=1)
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    table = played.tables.get()
    assert (
        get_refusal_code(give_time, table, organizer, 10, table.seats.get(number=0)) == "not-begun"
    )
    assert get_refusal_code(give_time, table, organizer, 2) == "seconds-range"
    give_time(table, organizer, 500)
    assert get_refusal_code(give_time, table, organizer, 101) == "too-much-time"
    set_paper(table, organizer, True, "No signal in the hall.")
    assert get_refusal_code(give_time, table, organizer, 10) == "paper"
    assert AuditEntry.objects.filter(action="time").count() == 1


def test_finished_match_gets_no_extra_time() -> None:
    played, _, organizer = start_site_round(4)
    games.play_out(list_matches(played)[0])
    assert get_refusal_code(give_time, played.tables.get(), organizer, 10) == "over"


def test_deserted_table_can_be_paused_and_resumed() -> None:
    played, event, organizer = start_site_round(4, absence_seconds=10)
    match = list_matches(played)[0]
    while not match.paused:
        assert match.due is not None
        games.tick(match.due)
        match.refresh_from_db()
    shown = control_room(event)
    assert shown is not None
    assert shown.tables[0].state_text == "paused: no one at the table"
    assert pause(played, organizer) == 1
    assert pause(played, organizer) == 0
    assert resume(played, organizer) == 1


def test_round_with_a_table_below_the_minimum_size_cannot_start() -> None:
    event, organizer = make_organized_event(4)
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    seats = played.tables.get().seats
    seats.exclude(number=0).delete()
    assert get_refusal_code(start_round, played, organizer) == "table-size"


def test_round_with_a_withdrawn_player_cannot_start() -> None:
    event, organizer = make_organized_event(4)
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    event.registrations.filter(queue_number=1).update(state="withdrawn")
    assert get_refusal_code(start_round, played, organizer) == "unapproved"
    assert Match.objects.count() == 0
