"""Tests of the desk pages for check-in and for missing players."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_event, make_organizer, make_players
from tests.tournament.helpers import first_stage, make_second_stage
from tests.tournament.organizing import page, press_button
from tournament.attendance.door import player_code
from tournament.attendance.services import check_in, undo_check_in
from tournament.models import Event, Registration, Round, User
from tournament.people.presence import list_attendees
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=8, check_in=True, title="Chem Fest")]


@pytest.fixture
def players(event: Event) -> list[Registration]:
    return list(event.registrations.order_by("pk"))


def list_attendance_states(event: Event) -> list[str]:
    rows = sorted(list_attendees(event), key=lambda row: row.registration.pk)
    return [row.part for row in rows]


def list_check_in_names(client: Client, event: Event, **asked: str) -> list[str]:
    rows = client.get(page("check-in", event), asked).context["rows"]
    return [row.registration.name for row in rows]


def list_ids(players: list[Registration]) -> list[int]:
    return [player.pk for player in players]


def test_selected_players_are_checked_in_together(
    client: Client, event: Event, players: list[Registration]
) -> None:
    said = press_button(client, page("check-in", event), "check-in", who=list_ids(players[:3]))
    assert "3 players checked in." in said
    assert list_attendance_states(event) == ["checked-in"] * 3 + ["approved"] * 5
    assert "3 of 8 checked in" in said


def test_button_next_to_a_name_checks_in_that_player(
    client: Client, event: Event, players: list[Registration]
) -> None:
    said = press_button(client, page("check-in", event), "check-in", one=players[0].pk)
    assert f"{players[0].name} is checked in." in said
    said = press_button(client, page("check-in", event), "take-back", one=players[0].pk)
    assert f"{players[0].name} is no longer checked in." in said


def test_no_show_can_be_undone(client: Client, event: Event, players: list[Registration]) -> None:
    assert "1 marked as no-show." in press_button(
        client, page("check-in", event), "absent", who=[players[0].pk]
    )
    assert list_attendance_states(event)[0] == "absent"
    said = press_button(client, page("check-in", event), "back", one=players[0].pk)
    assert f"{players[0].name} is back." in said
    assert list_attendance_states(event)[0] == "approved"


def test_submitting_without_a_selection_shows_an_error(client: Client, event: Event) -> None:
    assert "Choose a player first." in press_button(client, page("check-in", event), "check-in")


def test_check_in_search_filters_by_name_roll_number_and_presence(
    client: Client, event: Event, organizer: User, players: list[Registration]
) -> None:
    check_in(players[:1], organizer)
    assert list_check_in_names(client, event, q=players[0].roll_number.lower()) == [players[0].name]
    assert list_check_in_names(client, event, q=players[1].name.upper()) == [players[1].name]
    assert list_check_in_names(client, event, show="here") == [players[0].name]
    assert len(list_check_in_names(client, event, show="missing")) == 7
    assert len(list_check_in_names(client, event)) == 8


def test_players_of_another_event_are_not_found(client: Client, event: Event) -> None:
    other = make_players(make_event(), 1)[0]
    answer = client.post(page("check-in", event), {"action": "check-in", "one": other.pk})
    assert answer.status_code == 404


def test_player_code_opens_check_in_for_that_player(
    client: Client, event: Event, players: list[Registration]
) -> None:
    shown = client.get(page("check-in", event), {"code": player_code(players[2])})
    assert shown.context["scanned"] == players[2]
    assert b"camera=(self)" in shown.headers["Permissions-Policy"].encode()


def test_forged_player_code_matches_no_player(client: Client, event: Event) -> None:
    shown = client.get(page("check-in", event), {"code": "1:forged"}).content.decode()
    assert "This code doesn’t belong to anyone in this event." in shown


def test_check_in_is_enabled_with_its_times(client: Client, event: Event) -> None:
    Event.objects.update(check_in=False)
    shown = client.get(page("check-in", event)).context["settings"]["shown"].value()
    said = press_button(
        client,
        page("check-in", event),
        "settings",
        shown=shown,
        check_in="on",
        check_in_opens="2026-11-22T09:00",
        check_in_closes="2026-11-22T10:00",
    )
    event.refresh_from_db()
    assert "Check-in settings saved." in said
    assert (event.check_in, event.check_in_closes is not None) == (True, True)


def test_check_in_window_that_ends_before_it_starts_is_refused(
    client: Client, event: Event
) -> None:
    shown = client.get(page("check-in", event)).context["settings"]["shown"].value()
    times = {"check_in_opens": "2026-11-22T11:00", "check_in_closes": "2026-11-22T10:00"}
    answer = client.post(
        page("check-in", event), {"action": "settings", "shown": shown, "check_in": "on"} | times
    )
    assert answer.status_code == 422
    assert "Check-in must open before it closes." in answer.content.decode()
    assert 'value="2026-11-22T11:00"' in answer.content.decode()


def test_walk_in_is_registered_with_three_fields(client: Client, event: Event) -> None:
    said = press_button(
        client, page("check-in", event), "walk-in", name="Zoya", roll_number="CHE-99", email=""
    )
    came = event.registrations.get(name="Zoya")
    assert "A player without an email address can sign in with a code from the desk:" in said
    assert f'name="registration" value="{came.pk}"' in said
    assert list_attendance_states(event)[-1] == "checked-in"


def test_refused_walk_in_keeps_the_form_input(
    client: Client, event: Event, players: list[Registration]
) -> None:
    typed = {"action": "walk-in", "name": "Zoya", "roll_number": players[0].roll_number}
    answer = client.post(page("check-in", event), typed)
    assert answer.status_code == 422
    assert "is already registered with roll number" in answer.content.decode()
    assert 'value="Zoya"' in answer.content.decode()


def test_door_page_shows_the_code_and_the_check_in_count(
    client: Client, event: Event, organizer: User, players: list[Registration]
) -> None:
    check_in(players[:2], organizer)
    shown = client.get(page("door", event)).content.decode()
    assert 'src="data:image/svg+xml,' in shown
    assert "2 of 8 checked in." in shown
    assert re.search(r'http-equiv="refresh" content="20"', shown)


@pytest.mark.parametrize("name", ["check-in", "absentees", "door"])
def test_organizers_of_other_events_cannot_open_check_in(event: Event, name: str) -> None:
    stranger = Client()
    stranger.force_login(make_organizer())
    assert stranger.get(page(name, event)).status_code == 404


# -- absent players ----------------------------------------------------------------------------


@pytest.fixture
def checked_in_players(players: list[Registration], organizer: User) -> list[Registration]:
    check_in(players[:6], organizer)
    return players[:6]


def read_absentees_page(client: Client, event: Event) -> str:
    return client.get(page("absentees", event)).content.decode()


@pytest.mark.usefixtures("checked_in_players")
def test_absentees_page_previews_the_tables_before_the_draw(client: Client, event: Event) -> None:
    shown = read_absentees_page(client, event)
    assert "2 players have not checked in." in shown
    assert "With 6 players checked in, there would be 2 tables of 3." in shown
    assert "The waitlist is empty, so no one would move up." in shown


def test_draw_includes_only_checked_in_players(
    event: Event,
    organizer: User,
    checked_in_players: list[Registration],
    players: list[Registration],
) -> None:
    drawn = seat_round(first_stage(event), organizer, without=list_ids(players[6:]))
    seated = Registration.objects.filter(seats__table__round=drawn).order_by("pk")
    assert list(seated) == checked_in_players


@pytest.fixture
def published_round(event: Event, organizer: User, players: list[Registration]) -> Round:
    """Publish seats for all eight players before check-in, then check in six of them."""
    event.check_in = False
    event.save()
    drawn = publish_round(seat_round(first_stage(event), organizer), organizer)
    event.check_in = True
    event.save()
    check_in(players[:6], organizer)
    return drawn


def test_seated_player_can_be_left_out_of_the_round(
    client: Client, event: Event, published_round: Round, players: list[Registration]
) -> None:
    assert "2 of these players have seats in this round." in read_absentees_page(client, event)
    said = press_button(
        client,
        page("absentees", event),
        "leave-out",
        round=published_round.pk,
        who=list_ids(players[6:]),
        reason="Not there.",
    )
    assert "2 players will sit out Round 1." in said
    tables = published_round.tables.all()
    assert sorted(table.seats.count() for table in tables) in ([3, 3], [6])
    assert list_attendance_states(event)[6:] == ["approved"] * 2


def test_published_seats_change_only_with_a_reason(
    client: Client, event: Event, published_round: Round, players: list[Registration]
) -> None:
    fields = {"round": published_round.pk, "who": list_ids(players[6:])}
    said = press_button(client, page("absentees", event), "leave-out", **fields)
    assert "The seats are published, so say why they are being changed." in said


def test_leaving_out_players_without_seats_changes_nothing(
    client: Client, event: Event, published_round: Round, players: list[Registration]
) -> None:
    published_round.tables.first().seats.filter(registration=players[7]).delete()  # type: ignore[union-attr]
    other = make_players(event, 1)
    fields = {"round": published_round.pk, "who": list_ids(other), "reason": "Not there."}
    said = press_button(client, page("absentees", event), "leave-out", **fields)
    assert "None of these players has a seat in Round 1." in said


@pytest.mark.usefixtures("checked_in_players")
def test_all_absentees_are_marked_as_no_shows(
    client: Client, event: Event, players: list[Registration]
) -> None:
    assert "2 marked as no-shows." in press_button(
        client, page("absentees", event), "absent", who=list_ids(players[6:])
    )
    assert (
        "All players with a spot have checked in or been marked as no-shows."
        in read_absentees_page(client, event)
    )


@pytest.mark.usefixtures("checked_in_players")
def test_withdrawing_all_absentees_moves_up_the_waitlist(
    client: Client, event: Event, players: list[Registration]
) -> None:
    Event.objects.update(capacity=8)
    late = make_players(make_event(), 1)[0]
    Registration.objects.filter(pk=late.pk).update(event=event, state="waitlist", queue_number=99)
    assert "1 player would move up from the waitlist." in read_absentees_page(client, event)
    said = press_button(
        client, page("absentees", event), "withdraw", who=list_ids(players[6:]), reason="Away."
    )
    assert "2 withdrawn." in said
    late.refresh_from_db()
    assert late.state == "approved"


@pytest.mark.usefixtures("checked_in_players")
def test_absentees_page_counts_waitlisted_players_during_play(client: Client, event: Event) -> None:
    Event.objects.update(state=Event.State.RUNNING)
    late = make_players(make_event(), 1)[0]
    Registration.objects.filter(pk=late.pk).update(event=event, state="waitlist", queue_number=99)
    assert (
        "1 player is waiting for a spot; approve anyone who can still come."
        in read_absentees_page(client, event)
    )


@pytest.mark.usefixtures("checked_in_players")
def test_absentees_page_requires_a_selection(client: Client, event: Event) -> None:
    assert "Choose a player first." in press_button(client, page("absentees", event), "absent")


def test_absentees_page_says_bracket_seats_are_earned(client: Client, event: Event) -> None:
    Event.objects.update(check_in=False)
    event.refresh_from_db()
    make_second_stage(event, event.organizers.get(), 4)
    Event.objects.update(check_in=True)
    assert "Seats in a bracket are earned." in read_absentees_page(client, event)


def test_absentees_page_explains_why_tables_cannot_be_drawn(client: Client, event: Event) -> None:
    assert "here are 0." in read_absentees_page(client, event)


def test_absentees_page_lists_no_one_without_check_in(client: Client, event: Event) -> None:
    Event.objects.update(check_in=False)
    assert "This event doesn’t use check-in." in read_absentees_page(client, event)


def test_left_out_player_who_arrives_in_time_is_offered_a_seat(
    client: Client, event: Event, published_round: Round, players: list[Registration]
) -> None:
    who = list_ids(players[6:])
    fields = {"round": published_round.pk, "who": who, "reason": "Not there."}
    press_button(client, page("absentees", event), "leave-out", **fields)
    assert "has no seat in Round 1" not in client.get(page("check-in", event)).content.decode()
    said = press_button(client, page("check-in", event), "check-in", one=who[0])
    assert "1 player has checked in but has no seat in Round 1" in said
    shown = client.get(page("round", event, published_round.pk)).content.decode()
    assert f"{players[6].name} joins table" in shown
    press_button(client, page("round", event, published_round.pk), "repair", reason="Late train.")
    assert published_round.tables.filter(seats__registration=players[6]).exists()
    assert "has no seat" not in client.get(page("check-in", event)).content.decode()


def test_round_and_control_pages_show_who_is_missing_before_the_start(
    client: Client, event: Event, published_round: Round, players: list[Registration]
) -> None:
    Registration.objects.filter(pk=players[6].pk).update(seen_at=timezone.now())
    waits = published_round.tables.get(seats__registration=players[7]).number
    expected = f"Table {waits} is waiting for <bdi>{players[7].name}</bdi>."
    for address in (page("round", event, published_round.pk), page("control", event)):
        shown = client.get(address).content.decode()
        assert "7 of 8 players are here." in shown
        assert expected in shown


@pytest.mark.usefixtures("checked_in_players")
def test_desk_says_that_only_present_players_get_seats(client: Client, event: Event) -> None:
    shown = client.get(page("desk", event)).content.decode()
    assert "6 of 8 players are here. Seats are drawn only for players who are here." in shown
    assert f'href="{page("absentees", event)}"' in shown


@pytest.mark.usefixtures("checked_in_players")
def test_players_to_be_left_out_are_listed_and_confirmed_before_the_draw(
    client: Client, event: Event, players: list[Registration]
) -> None:
    rounds, stage = page("rounds", event), first_stage(event).pk
    shown = client.get(rounds).content.decode()
    assert "2 of 8 players have not checked in and would not get seats:" in shown
    assert all(f"<bdi>{one.name}</bdi>" in shown for one in players[6:])
    first, second = sorted(players[6:], key=lambda one: one.name)
    assert f'name="without" value="{first.pk} {second.pk}" required' in shown
    desk = client.get(page("desk", event)).content.decode()
    assert f'<a class="button large" href="{rounds}">' in desk
    said = press_button(client, rounds, "draw", stage=stage)
    assert "2 of 8 have not checked in and would not be seated: " in said
    assert not Round.objects.exists()
    press_button(client, rounds, "draw", stage=stage, without=f"{players[6].pk} {players[7].pk}")
    assert Round.objects.get().tables.count() == 2


@pytest.mark.usefixtures("checked_in_players")
def test_outdated_confirmation_of_left_out_players_draws_no_seats(
    client: Client, event: Event, organizer: User, players: list[Registration]
) -> None:
    undo_check_in(players[0], organizer)
    ticked = f"{players[6].pk} {players[7].pk}"
    said = press_button(
        client, page("rounds", event), "draw", stage=first_stage(event).pk, without=ticked
    )
    assert "3 of 8 have not checked in and would not be seated: " in said
    assert not Round.objects.exists()


@pytest.mark.usefixtures("checked_in_players")
def test_redraw_keeps_the_left_out_players(
    client: Client, event: Event, organizer: User, players: list[Registration]
) -> None:
    drawn = seat_round(first_stage(event), organizer, without=list_ids(players[6:]))
    shown = client.get(page("round", event, drawn.pk)).content.decode()
    [left_out] = re.findall(r'name="without" value="([^"]*)" required', shown)
    assert sorted(map(int, left_out.split())) == list_ids(players[6:])


def test_menu_links_to_check_in(client: Client, event: Event) -> None:
    desk = client.get(reverse("admin:event-desk", args=[event.pk])).content.decode()
    assert f'href="{page("check-in", event)}"' in desk
