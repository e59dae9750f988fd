"""Tests of the leaderboard page. Its live updates are tested in test_consumers.py."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from tests.factories import UNREACHABLE_TARGET, make_event, make_registrations
from tests.tournament.staging import first_table, make_stage, play, player_at, running_round
from tournament.models import Event
from tournament.web.live.boards import board_context, read_news

pytestmark = pytest.mark.django_db


def get_url(event: Event, query: str = "") -> str:
    return reverse("event-leaderboard", args=[event.slug]) + query


def read_page(client: Client, event: Event, query: str = "") -> str:
    return client.get(get_url(event, query)).content.decode()


def test_empty_leaderboard_says_when_players_appear(client: Client) -> None:
    assert "No points yet" in read_page(client, make_event())


def test_leaderboard_is_provisional_during_a_match(client: Client) -> None:
    played = running_round(options=UNREACHABLE_TARGET)
    play(first_table(played), hands=1)
    page = read_page(client, played.stage.event)
    assert "provisional" in page
    assert "(still playing)" in page


def test_leaderboard_is_settled_after_the_matches(client: Client) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    page = read_page(client, played.stage.event)
    assert "settled" in page
    assert "provisional" not in page


def test_no_player_has_a_rank_before_any_play(client: Client) -> None:
    page = read_page(client, running_round().stage.event)
    assert page.count('<span class="rank-number">–</span>') == 4


def test_leaderboard_is_settled_between_rounds(client: Client) -> None:
    event = make_event()
    make_registrations(event, 4)
    assert "No match has started yet." in read_page(client, event)
    assert "settled" not in read_page(client, event)


def test_leaderboard_is_final_after_the_event(client: Client) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    Event.objects.update(state=Event.State.FINISHED)
    page = read_page(client, played.stage.event)
    assert ">final</span> The event is over." in page
    assert "settled" not in page


def test_rows_show_matches_and_wins_and_are_sorted_by_points(client: Client) -> None:
    played = running_round(hand_limit=2)
    play(first_table(played))
    response = client.get(get_url(played.stage.event))
    rows = response.context["board"].rows
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    assert [row.matches for row in rows] == [1, 1, 1, 1]
    assert sum(row.wins for row in rows) >= 1
    page = response.content.decode()
    assert all(row.name in page and f">{row.points}</td>" in page for row in rows)


def test_tie_break_note_is_shown_for_equal_points(client: Client) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    response = client.get(get_url(played.stage.event))
    rows, shown = response.context["board"].rows, response.context["shown"].rows
    for row, above, line in zip(rows[1:], rows, shown[1:], strict=False):
        parted = row.points == above.points and row.rank != above.rank
        note = escape(row.separated_by) if parted else ""
        assert f'<span class="note">{note}</span>' in line.html


def test_page_contains_the_number_of_the_players_own_row(client: Client) -> None:
    played = running_round()
    user = player_at(first_table(played))
    client.force_login(user)
    mine = user.registrations.get()
    assert f'data-mine="r{mine.pk}"' in read_page(client, played.stage.event)


def test_hall_screen_has_the_rows_without_navigation(client: Client) -> None:
    event = make_event()
    make_registrations(event, 2)
    page = read_page(client, event, "?view=hall")
    assert 'class="hall"' in page
    assert "site-header" not in page
    assert "data-scroll" in page


def test_leaderboard_can_be_limited_to_one_stage(client: Client) -> None:
    event = make_event()
    first = make_stage(event)
    make_stage(event, 2, title="Second round")
    response = client.get(get_url(event, "?stage=1"))
    assert response.context["board"].stage == first
    assert client.get(get_url(event)).context["board"].stage is None


@pytest.mark.parametrize("stage", ["2", "x", "", "99999999999999999999"])
def test_unknown_stage_is_not_found(client: Client, stage: str) -> None:
    event = make_event()
    make_stage(event, 1)
    make_stage(event, 2, state="waiting")
    assert client.get(get_url(event, f"?stage={stage}")).status_code == 404


def test_draft_event_has_no_leaderboard(client: Client) -> None:
    assert client.get(get_url(make_event(state=Event.State.DRAFT))).status_code == 404


def test_leaderboard_shows_no_private_data(client: Client) -> None:
    played = running_round()
    page = read_page(client, played.stage.event)
    for registration in played.stage.event.registrations.all():
        assert registration.user.email not in page
        assert registration.roll_number not in page


def test_names_are_escaped(client: Client) -> None:
    event = make_event()
    [registration] = make_registrations(event, 1)
    registration.name = "<script>alert(1)</script>"
    registration.save()
    page = read_page(client, event)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_leaderboard_rows_are_inside_the_table_on_every_page(client: Client) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    event = played.stage.event
    rows = board_context(event)["shown"].body
    hall, frame = (reverse(name, args=[event.slug]) for name in ("event-hall", "event-embed"))
    pages = (get_url(event), get_url(event, "?view=hall"), f"{hall}?pages=leaderboard", frame)
    shown = [*(client.get(page).text for page in pages), read_news(event).html]
    assert [text.count(f"<tbody>\n{rows}    </tbody>") for text in shown] == [1] * 5


def test_query_count_is_independent_of_tables(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    event = running_round(16).stage.event
    with django_assert_max_num_queries(15):
        client.get(get_url(event))
