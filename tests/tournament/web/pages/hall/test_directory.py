"""Tests of the list of players and of each player's page."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import UNREACHABLE_TARGET, make_event, make_players
from tests.tournament.staging import (
    first_table,
    match_of,
    organizer_of,
    play,
    player_at,
    published_round,
    running_round,
)
from tournament.hall.directory import PersonView, find_player
from tournament.models import Event, Registration, Round, Table
from tournament.standings.freezing import freeze, reveal
from tournament.standings.queries import leaderboard

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def get_player_address(one: Registration) -> str:
    return reverse("event-player", args=[one.event.slug, one.queue_number])


def get_people_address(event: Event, query: str = "") -> str:
    return reverse("event-people", args=[event.slug]) + query


def read_page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def get_player_in_seat(table: Table, number: int = 0) -> Registration:
    one = table.seats.get(number=number).registration
    assert one is not None
    return one


def get_person_view(one: Registration) -> PersonView:
    found = find_player(Event.objects.get(pk=one.event_id), one.queue_number)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def shared_round_id(shared_rows: None) -> int:
    """Provide the id of a round with two tables, the first of which has finished its match."""
    found = running_round(8, hand_limit=2, options=UNREACHABLE_TARGET)
    play(first_table(found))
    return found.pk


@pytest.fixture
def started_round(shared_round_id: int) -> Round:
    return Round.objects.select_related("stage__event").get(pk=shared_round_id)


def test_player_page_lists_tables_with_place_points_opponents_and_hands(
    started_round: Round,
) -> None:
    table = first_table(started_round)
    tables = [get_person_view(get_player_in_seat(table, number)).tables for number in range(4)]
    assert [len(each) for each in tables] == [1, 1, 1, 1]
    points = [each.points or 0 for [each] in tables]
    assert [each.place for [each] in tables] == [
        1 + sum(p > mine for p in points) for mine in points
    ]
    for number, [each] in enumerate(tables):
        assert {o.number for o in each.opponents} == {0, 1, 2, 3} - {number}
        assert [hand.number for hand in each.hands] == [1, 2]
        assert each.partner is None
    won = [
        (hand.number, number) for number, [t] in enumerate(tables) for hand in t.hands if hand.won
    ]
    hands = match_of(table).hands.filter(ended_at__isnull=False, winner__isnull=False)
    assert sorted(won) == [(hand.number, hand.winner) for hand in hands.order_by("number")]


def test_u65_player_page_shows_place_and_links_opponents_and_replays(
    client: Client, started_round: Round
) -> None:
    table = first_table(started_round)
    page = read_page(client, get_player_address(get_player_in_seat(table)))
    assert f"<bdi>{get_player_in_seat(table).name}</bdi></h1>" in page
    assert reverse("games:replay", args=[match_of(table).public_id, 1]) in page
    assert reverse("games:result", args=[match_of(table).public_id]) in page
    for number in (1, 2, 3):
        assert get_player_address(get_player_in_seat(table, number)) in page


def test_player_page_links_to_a_match_in_progress(client: Client) -> None:
    played = running_round()
    page = read_page(client, get_player_address(get_player_in_seat(first_table(played))))
    assert match_of(first_table(played)).get_absolute_url() in page
    assert "playing" in page


def test_player_page_without_seats_says_so(client: Client) -> None:
    [one] = make_players(make_event(), 1)
    assert "No seat yet" in read_page(client, get_player_address(one))


def test_draft_seats_are_not_shown(client: Client) -> None:
    drafted = published_round()
    Round.objects.update(state=Round.State.DRAFT)
    assert get_person_view(get_player_in_seat(first_table(drafted))).tables == []
    assert "No seat yet" in read_page(
        client, get_player_address(get_player_in_seat(first_table(drafted)))
    )


def test_players_see_their_own_page_marked_as_theirs(client: Client, started_round: Round) -> None:
    user = player_at(first_table(started_round))
    client.force_login(user)
    assert "This is you" in read_page(client, get_player_address(user.registrations.get()))


@pytest.mark.parametrize("state", ["pending", "waitlist", "refused", "withdrawn", "disqualified"])
def test_player_who_never_had_a_seat_has_no_page(client: Client, state: str) -> None:
    [one] = make_players(make_event(), 1)
    Registration.objects.update(state=state)
    assert client.get(get_player_address(one)).status_code == 404
    assert one.name not in read_page(client, get_people_address(one.event))


def test_player_who_withdraws_after_playing_keeps_the_page(
    client: Client, started_round: Round
) -> None:
    one = get_player_in_seat(first_table(started_round))
    Registration.objects.filter(pk=one.pk).update(state="withdrawn")
    assert "Withdrawn" in read_page(client, get_player_address(one))


def test_anonymized_player_has_no_page_and_no_link(client: Client, started_round: Round) -> None:
    one = get_player_in_seat(first_table(started_round))
    Registration.objects.filter(pk=one.pk).update(anonymous=True)
    assert client.get(get_player_address(one)).status_code == 404
    for name in ("event-leaderboard", "event-tables", "event-results", "event-people"):
        assert get_player_address(one) not in read_page(
            client, reverse(name, args=[one.event.slug])
        )


@pytest.mark.parametrize("number", [0, 9, 99999999999999999999])
def test_unknown_player_number_is_not_found(
    client: Client, started_round: Round, number: int
) -> None:
    event = started_round.stage.event
    assert client.get(reverse("event-player", args=[event.slug, number])).status_code == 404


def test_draft_event_has_no_player_pages(client: Client) -> None:
    event = make_event(state=Event.State.DRAFT)
    [one] = make_players(event, 1)
    assert client.get(get_player_address(one)).status_code == 404
    assert client.get(get_people_address(event)).status_code == 404


def test_only_the_displayed_name_is_public(client: Client, started_round: Round) -> None:
    one = get_player_in_seat(first_table(started_round))
    page = read_page(client, get_player_address(one))
    assert one.roll_number not in page
    assert one.user.email not in page


def test_frozen_leaderboard_hides_new_results_on_player_pages(started_round: Round) -> None:
    event = freeze(started_round.stage.event, organizer_of(started_round.stage.event))
    second = started_round.tables.get(number=2)
    before = get_person_view(get_player_in_seat(second))
    play(second)
    after = get_person_view(get_player_in_seat(second))
    assert (after.row and after.row.points) == (before.row and before.row.points)
    assert [table.points for table in after.tables] == [table.points for table in before.tables]
    assert after.hands == before.hands == 0
    assert event.freeze


def test_unrevealed_place_is_not_shown(client: Client, started_round: Round) -> None:
    play(started_round.tables.get(number=2))
    organizer = organizer_of(started_round.stage.event)
    event = reveal(freeze(started_round.stage.event, organizer), organizer, 5)
    people = [get_person_view(one) for one in event.registrations.all()]
    ranks = [row.rank for row in leaderboard(event, actual=True).rows]
    assert sorted(one.row.rank for one in people if one.row) == [r for r in ranks if r >= 5]
    [hidden, *_] = [one.registration for one in people if one.row is None]
    assert "Places are being revealed" in read_page(client, get_player_address(hidden))


def test_substitute_is_listed_at_the_table_without_its_points(
    client: Client, started_round: Round
) -> None:
    [other] = make_players(started_round.stage.event, 1)
    seat = first_table(started_round).seats.get(number=1)
    seat.substitute = other
    seat.save()
    [table] = get_person_view(other).tables
    assert seat.registration is not None
    assert table.replaced_player == seat.registration.name
    assert get_person_view(other).hands == 0
    assert "Substitute for" in read_page(client, get_player_address(other))


def test_partners_are_listed_separately_from_opponents(client: Client) -> None:
    played = running_round(4, hand_limit=1, options={"partners": True})
    play(first_table(played))
    [table] = get_person_view(get_player_in_seat(first_table(played))).tables
    assert table.partner is not None
    assert table.partner.number == 2
    assert [seat.number for seat in table.opponents] == [1, 3]
    assert "With" in read_page(client, get_player_address(get_player_in_seat(first_table(played))))


def test_u65_player_names_link_to_their_pages_everywhere(
    client: Client, started_round: Round
) -> None:
    address = get_player_address(get_player_in_seat(first_table(started_round)))
    event = started_round.stage.event
    pages = ["event-leaderboard", "event-tables", "event-results", "event-people"]
    for found in [*(reverse(name, args=[event.slug]) for name in pages)]:
        assert f'href="{address}"' in read_page(client, found)
    assert f'href="{address}"' in read_page(
        client, reverse("event-tables", args=[event.slug]) + "?by=name"
    )


def test_players_are_listed_in_alphabetical_order(client: Client) -> None:
    event = make_event()
    for one, name in zip(make_players(event, 3), ["Zoë", "Ödön", "asha"], strict=True):
        Registration.objects.filter(pk=one.pk).update(name=name)
    found = client.get(get_people_address(event)).context["found"]
    assert [each.registration.name for each in found] == ["asha", "Ödön", "Zoë"]


def test_single_search_match_opens_the_player_page(client: Client, started_round: Round) -> None:
    one = get_player_in_seat(first_table(started_round))
    response = client.get(get_people_address(one.event), {"q": one.name.upper()})
    assert response.headers["Location"] == get_player_address(one)


def test_several_search_matches_are_listed_and_no_match_is_reported(client: Client) -> None:
    event = make_event()
    make_players(event, 3)
    Registration.objects.update(name="Asha")
    assert "3 players found." in read_page(client, get_people_address(event, "?q=ash"))
    none = read_page(client, get_people_address(event, "?q=nobody"))
    assert "No players found. Try part of the name." in none


def test_u65_player_can_jump_to_own_row(client: Client, started_round: Round) -> None:
    user = player_at(first_table(started_round))
    client.force_login(user)
    mine = user.registrations.get()
    event = started_round.stage.event
    assert f'href="#p{mine.queue_number}"' in read_page(client, get_people_address(event))
    board = read_page(client, reverse("event-leaderboard", args=[event.slug]))
    assert f'href="#r{mine.pk}"' in board
    by_name = read_page(client, reverse("event-tables", args=[event.slug]) + "?by=name")
    assert 'href="#mine"' in by_name
    assert 'id="mine"' in by_name


def test_query_count_is_independent_of_players(client: Client) -> None:
    def count_queries(players: int) -> list[int]:
        played = running_round(players, hand_limit=1)
        one = get_player_in_seat(first_table(played))
        found = []
        for address in (get_player_address(one), get_people_address(one.event)):
            with CaptureQueriesContext(connection) as captured:
                client.get(address)
            found.append(len(captured))
        return found

    assert count_queries(8) == count_queries(4)
