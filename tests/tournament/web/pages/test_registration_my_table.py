"""Tests of a player's own page on the day of the event, and of the links to it."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games import services as games
from tests.factories import make_event, make_organizer, make_players, make_registrations, make_user
from tests.tournament.staging import (
    first_table,
    match_of,
    organizer_of,
    play,
    player_at,
    published_round,
    running_round,
)
from tournament.attendance.services import check_in, mark_absent
from tournament.models import Event, Registration, Round, Table, User
from tournament.pure.words import ordinal
from tournament.registration.services import refuse, register
from tournament.rounds.live_tables import list_current_seats
from tournament.rounds.services import abandon_table, close_round
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db


def get_url(event: Event) -> str:
    return reverse("my-table", args=[event.slug])


def read_page(client: Client, event: Event) -> str:
    return client.get(get_url(event)).content.decode()


def test_my_table_redirects_through_sign_in(client: Client) -> None:
    event = make_event()
    assert client.get(get_url(event))["Location"] == f"/accounts/login/?next={get_url(event)}"


def test_draft_event_is_not_found(client: Client) -> None:
    client.force_login(make_user())
    assert client.get(get_url(make_event(state=Event.State.DRAFT))).status_code == 404


def test_my_table_is_not_cached(client: Client) -> None:
    client.force_login(make_user())
    assert "no-store" in client.get(get_url(make_event()))["Cache-Control"]


def test_unregistered_user_is_sent_to_registration(client: Client) -> None:
    client.force_login(make_user())
    event = make_event()
    page = read_page(client, event)
    assert "You’re not registered for this event." in page
    assert reverse("event-register", args=[event.slug]) in page


def test_player_sees_own_spot_before_the_draw(client: Client) -> None:
    event = make_event()
    [registration] = make_registrations(event, 1)
    client.force_login(registration.user)
    assert "You have a spot." in read_page(client, event)


def test_published_seat_shows_table_seat_and_opponents(client: Client) -> None:
    played = published_round(8)
    table = first_table(played)
    client.force_login(player_at(table))
    page = read_page(client, played.stage.event)
    assert f"<span>Table</span><strong>{table.number}</strong>" in page
    assert "<span>Seat</span><strong>1</strong>" in page
    assert all(str(seat) in page for seat in table.seats.all())
    assert "Go to my table" not in page


def test_page_links_to_the_started_match(client: Client) -> None:
    played = running_round()
    table = first_table(played)
    client.force_login(player_at(table))
    assert (
        f'<a class="button large" href="{match_of(table).get_absolute_url()}">Go to my table</a>'
    ) in read_page(client, played.stage.event)


def test_call_to_a_match_is_shown_once(client: Client) -> None:
    played = running_round()
    client.force_login(player_at(first_table(played)))
    slug, banner = played.stage.event.slug, re.compile(r'<p class="own-match"[^>]*>')
    pages = ["my-table/", "", "leaderboard/"]
    shown = [banner.findall(client.get(f"/e/{slug}/{path}").text) for path in pages]
    assert [" hidden" in tag for [tag] in shown] == [True, True, False]


def test_finished_match_shows_the_result_and_the_rank(client: Client) -> None:
    played = running_round(hand_limit=1)
    table = first_table(played)
    play(table)
    client.force_login(player_at(table))
    page = read_page(client, played.stage.event)
    assert "Your match is over." in page
    assert "Go to my table" not in page
    assert "on the leaderboard" in page


def test_abandoned_match_shows_its_reason_without_a_link(client: Client) -> None:
    played = running_round()
    event, table = played.stage.event, first_table(played)
    abandon_table(table, organizer_of(event), "The fire alarm went off.")
    client.force_login(player_at(table))
    page = read_page(client, event)
    assert "Your match was abandoned: The fire alarm went off. None of its hands count." in page
    assert page.count("The fire alarm went off.") == 1
    assert "Go to my table" not in page
    tables = client.get(reverse("event-tables", args=[event.slug])).content.decode()
    assert "Abandoned: The fire alarm went off." in tables


def test_waiting_player_sees_the_queue_position_on_every_page(client: Client) -> None:
    event = make_event(capacity=1)
    rows = make_registrations(event, 3)
    names = ("event", "my-table", "event-register")
    for row, found in zip(rows[1:], ("You’re next in line.", "1 person is ahead"), strict=True):
        client.force_login(row.user)
        assert [client.get(reverse(n, args=[event.slug])).text.count(found) for n in names] == [
            1
        ] * 3
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    assert "ahead" not in read_page(client, event)


def test_refused_registration_shows_its_reason(client: Client) -> None:
    event = make_event(requires_approval=True)
    played = published_round()
    [registration] = make_registrations(event, 1)
    refuse(registration, organizer_of(played.stage.event), "Not enrolled.")
    client.force_login(registration.user)
    assert "Not enrolled." in read_page(client, event)
    page = client.get(reverse("event-register", args=[event.slug])).content.decode()
    assert page.count("Not enrolled.") == 1


def test_query_count_is_independent_of_tables(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    played = running_round(16)
    client.force_login(player_at(first_table(played)))
    with django_assert_max_num_queries(30):
        read_page(client, played.stage.event)


def get_account_link(client: Client) -> str:
    """Return the first link next to the account on the front page."""
    page = client.get(reverse("home")).content.decode()
    return page.partition("Practice</a>")[2].partition("<details")[0].strip()


def get_my_table_url(client: Client) -> str:
    return client.get(reverse("my-table-now"))["Location"]


def test_my_table_redirects_to_the_only_event_in_play(client: Client) -> None:
    played = running_round()
    event = played.stage.event
    client.force_login(player_at(first_table(played)))
    assert get_my_table_url(client) == get_url(event)
    assert get_account_link(client) == f'<a href="{get_url(event)}" >My table</a>'


def test_my_table_prefers_the_event_with_a_waiting_seat(client: Client) -> None:
    over, published = running_round(hand_limit=1), published_round()
    user = player_at(first_table(over))
    play(first_table(over))
    register(published.stage.event, user, roll_number="R7")
    client.force_login(user)
    assert get_my_table_url(client) == get_url(over.stage.event)
    take_first_seat(published, user)
    assert get_my_table_url(client) == get_url(published.stage.event)


def take_first_seat(round_: Round, user: User) -> None:
    """Give the user the first seat of the first table."""
    seat = first_table(round_).seats.order_by("number")[0]
    seat.registration = round_.stage.event.registrations.get(user=user)
    seat.save()


def test_player_seated_in_two_events_chooses_between_them(client: Client) -> None:
    first, second = running_round(), running_round()
    user = player_at(first_table(first))
    Event.objects.update(registration_closes=None)
    register(second.stage.event, user, roll_number="R7")
    take_first_seat(second, user)
    client.force_login(user)
    assert get_my_table_url(client) == reverse("my-events")
    assert get_account_link(client) == f'<a href="{reverse("my-events")}" >My events</a>'


def test_no_player_has_a_rank_before_any_play(client: Client) -> None:
    played = running_round()
    client.force_login(player_at(first_table(played)))
    assert "on the leaderboard" not in read_page(client, played.stage.event)


def test_earlier_tables_name_their_round(client: Client) -> None:
    played = running_round(hand_limit=1)
    table = first_table(played)
    play(table)
    close_round(played, organizer_of(played.stage.event))
    client.force_login(player_at(table))
    assert ">Round 1</small></h3>" in read_page(client, played.stage.event)


def test_my_table_tab_is_marked_before_the_event(client: Client) -> None:
    event = make_event()
    client.force_login(make_user())
    current = 'aria-current="page">My table</a>'
    assert current in read_page(client, event)
    page = client.get(reverse("event-register", args=[event.slug])).content.decode()
    assert 'aria-current="page">Register</a>' in page


def test_finished_event_no_longer_shows_a_spot(client: Client) -> None:
    event = make_event()
    [registration] = make_registrations(event, 1)
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    client.force_login(registration.user)
    page = client.get(reverse("my-events")).content.decode()
    assert "You have a spot" not in page
    assert "You were registered." in page
    assert f'href="{reverse("event", args=[event.slug])}"' in page
    page = client.get(reverse("event-register", args=[event.slug])).content.decode()
    assert "The event is over." in page
    assert "Withdraw" not in page


def test_my_table_without_a_seat_lists_own_events(client: Client) -> None:
    event, secret = make_event(title="Mine"), make_event(title="Hidden")
    [registration] = make_registrations(event, 1)
    secret.registrations.create(
        user=registration.user,
        name="Asha",
        state="approved",
        queue_number=1,
        registered_at=registration.registered_at,
    )
    secret.state = Event.State.DRAFT
    secret.save()
    make_event(title="Another's")
    client.force_login(registration.user)
    page = client.get(reverse("my-events")).content.decode()
    assert "Mine" in page
    assert "Hidden" not in page
    assert "Another" not in page


def test_new_user_sees_the_list_of_events(client: Client) -> None:
    client.force_login(make_user())
    assert "not registered for any event" in client.get(reverse("my-events")).content.decode()


def test_visitor_must_sign_in(client: Client) -> None:
    assert client.get("/my-table/")["Location"] == "/accounts/login/?next=/my-table/"
    assert client.get("/my-events/")["Location"] == "/accounts/login/?next=/my-events/"


def test_player_who_has_to_check_in_sees_a_code_for_the_desk(client: Client) -> None:
    event = make_event(check_in=True)
    [player] = make_players(event, 1)
    client.force_login(player.user)
    address = reverse("my-table", args=[event.slug])
    assert "You haven’t checked in yet." in client.get(address).content.decode()
    check_in([player], make_organizer(event))
    shown = client.get(address).content.decode()
    assert "You haven’t checked in yet." not in shown
    assert "Checked in" in shown


def test_no_show_sees_how_to_return(client: Client) -> None:
    event = make_event()
    [player] = make_players(event, 1)
    mark_absent([player], make_organizer(event))
    client.force_login(player.user)
    shown = client.get(reverse("my-table", args=[event.slug])).content.decode()
    assert (
        "You’ve been marked absent. Tell the desk you’re here, and you’ll be seated again." in shown
    )


def make_player_with_two_seats() -> tuple[User, Event, Event]:
    """Return a player in a running match who also has a seat in a second event."""
    now, later = running_round(title="Now"), published_round(title="Later")
    user = player_at(first_table(now))
    other = first_table(later).seats.all()[0]
    assert other.registration is not None
    Registration.objects.filter(pk=other.registration.pk).update(user=user)
    return user, now.stage.event, later.stage.event


def test_s8_seat_with_a_running_match_takes_precedence(client: Client) -> None:
    user, now, _later = make_player_with_two_seats()
    client.force_login(user)
    assert client.get("/my-table/")["Location"] == f"/e/{now.slug}/my-table/"
    games.abandon_match(match_of(first_table(Round.objects.get(stage__event=now))), "")
    assert client.get("/my-table/")["Location"].endswith("/my-table/")


def test_s8_my_events_shows_seats_and_lists_events_in_play_first(client: Client) -> None:
    user, now, later = make_player_with_two_seats()
    client.force_login(user)
    page = client.get("/my-events/").content.decode()
    tiles = page.split('<li class="tile">')[1:]
    assert [now.title in tiles[0], later.title in tiles[1]] == [True, True]
    seats = [list_current_seats(user)[event.pk] for event in (now, later)]
    assert [(seat.table, seat.playing) for seat in seats] == [(1, True), (1, False)]
    for tile, seat in zip(tiles, seats, strict=True):
        assert f"<strong>Table 1, seat {seat.seat}</strong>" in tile
        assert ("playing now" in tile) is seat.playing
    assert f'data-refresh="{now.slug} {later.slug}"' in page


def test_my_events_page_without_events_does_not_refresh(client: Client) -> None:
    client.force_login(make_user())
    assert "refresh.js" not in client.get("/my-events/").content.decode()


def read_after_match_page(client: Client, table: Table) -> str:
    client.force_login(player_at(table))
    page = client.get(reverse("after-match", args=[table.round.stage.event.slug]))
    return " ".join(page.content.decode().split())


def test_u60_player_sees_rank_and_next_step_after_a_match(client: Client) -> None:
    table = play(first_table(running_round(8)))
    event = table.round.stage.event
    rank = next(row.rank for row in leaderboard(event).rows if row.name == str(player_at(table)))
    message = read_after_match_page(client, table)
    assert f"You’re currently <strong>{ordinal(rank)} of 8</strong> in {event}." in message
    assert "Your match is over. Wait here for the next round. 1 table is still playing." in message


def test_u60_rank_is_final_once_the_event_is_over(client: Client) -> None:
    table = play(first_table(running_round(4)))
    Event.objects.update(state=Event.State.FINISHED)
    assert "currently" not in read_after_match_page(client, table)


def test_u60_after_match_page_shows_nothing_to_other_users(client: Client) -> None:
    table = play(first_table(running_round(4)))
    address = reverse("after-match", args=[table.round.stage.event.slug])
    assert client.get(address).status_code == 302
    client.force_login(make_user("Stranger"))
    assert "<p" not in client.get(address).content.decode()
