"""Tests of the public API, which has the same data and delays as the public pages."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Hand
from tests.factories import UNREACHABLE_TARGET, make_organizer
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.staging import play, running_round
from tournament.api.public import PER_MINUTE
from tournament.models import Event, User
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule
from tournament.seating.services import seat_round

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.event(players=8, title="Chem Fest", place="Hall 1"),
]


def get_api_response(name: str, event: Event | None = None, **fields: object) -> Any:
    """Return the API's response to a visitor without an account."""
    address = reverse(f"api:{name}", args=[event.slug] if event else [])
    return Client().get(address, {key: str(value) for key, value in fields.items()})


def read_api(name: str, event: Event | None = None, **fields: object) -> Any:
    answer = get_api_response(name, event, **fields)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_event_list_omits_drafts(event: Event) -> None:
    Event.objects.create(title="Secret", slug="secret", ruleset="uno-400")
    listed = read_api("events")
    assert (listed["count"], [each["slug"] for each in listed["items"]]) == (1, [event.slug])
    assert listed["items"][0] == {
        "slug": event.slug,
        "title": "Chem Fest",
        "state": "open",
        "place": "Hall 1",
        "starts_at": None,
        "ruleset": "uno-400",
        "url": f"http://testserver/e/{event.slug}/",
    }


@pytest.mark.parametrize("name", ["event", "standings", "rounds", "bracket", "results", "records"])
def test_draft_event_is_hidden_even_from_its_owner(
    event: Event, organizer: User, name: str
) -> None:
    Event.objects.filter(pk=event.pk).update(state="draft")
    browser = Client()
    browser.force_login(organizer)
    answer = browser.get(reverse(f"api:{name}", args=[event.slug]))
    assert (answer.status_code, answer.json()) == (404, {"detail": "This event doesn’t exist."})


def test_event_includes_its_stages_and_player_count(event: Event) -> None:
    message = read_api("event", event)
    assert (message["players"], message["winners"]) == (8, [])
    assert [stage["number"] for stage in message["stages"]] == [1, 2]


def test_standings_can_be_read_page_by_page(event: Event, organizer: User) -> None:
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    board = read_api("standings", event, limit=3)
    assert (board["count"], len(board["items"]), board["stage"]) == (8, 3, None)
    assert [row["points"] for row in board["items"]] == [400, 400, 300]
    rest = read_api("standings", event, limit=200, offset=3)
    assert [row["points"] for row in rest["items"]] == [300, 200, 200, 100, 100]
    assert read_api("standings", event, stage=1)["items"][0]["points"] == 400


def test_disqualified_player_is_flagged_and_unranked(event: Event, organizer: User) -> None:
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    who = event.registrations.get(pk=read_api("standings", event)["items"][0]["player"])
    rule(event, organizer, RulingRequest("disqualify", who), "Two phones.")
    items = read_api("standings", event)["items"]
    assert [row["disqualified"] for row in items] == [False] * 7 + [True]
    assert [row["rank"] for row in items] == [1, 2, 2, 4, 4, 6, 6, None]
    assert (items[-1]["player"], items[-1]["tied"]) == (who.pk, False)


def test_unstarted_stage_has_no_standings(event: Event) -> None:
    answer = get_api_response("standings", event, stage=2)
    assert answer.json() == {"detail": "The event has no such stage yet."}


def test_draft_rounds_are_hidden(event: Event, organizer: User) -> None:
    drafted = seat_round(first_stage(event), organizer)
    assert read_api("rounds", event) == []
    start_drafted_round(drafted, organizer)
    (message,) = read_api("rounds", event)
    assert (message["stage"], message["number"], message["state"]) == (1, 1, "running")
    assert [len(table["seats"]) for table in message["tables"]] == [4, 4]
    assert {seat["points"] for table in message["tables"] for seat in table["seats"]} == {None}


def test_results_list_every_seat_of_finished_tables(event: Event, organizer: User) -> None:
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    assert read_api("results", event)["count"] == 0
    finish_paper_round(played, organizer)
    found = read_api("results", event, limit=1)
    assert found["count"] == 8
    assert (found["items"][0]["points"], found["items"][0]["place"]) == (400, 1)


def test_bracket_is_available_once_players_have_advanced(event: Event, organizer: User) -> None:
    assert get_api_response("bracket", event).json() == {"detail": "No one has advanced yet."}
    play_first_round(event, organizer)
    make_second_stage(event, organizer, 4)
    message = read_api("bracket", event)
    assert [each["seed"] for each in message["qualifiers"]] == [1, 2, 3, 4]


def test_hand_records_are_listed_once_their_replays_are_open() -> None:
    played = running_round(
        4, hand_limit=2, options=UNREACHABLE_TARGET, replays="hand", viewers="live"
    )
    event, table = played.stage.event, played.tables.get()
    assert read_api("records", event)["count"] == 0
    play(table, hands=1)
    (found,) = read_api("records", event)["items"]
    assert (found["table"], found["hand"]) == (1, 1)
    assert Client().get(found["url"]).status_code == 200


def test_hand_records_are_not_listed_if_replays_are_hidden() -> None:
    played = running_round(4, hand_limit=1, replays="never", viewers="live")
    play(played.tables.get())
    assert read_api("records", played.stage.event) == {"count": 0, "items": []}


def test_api_respects_the_viewer_delay() -> None:
    played = running_round(
        4, hand_limit=2, options=UNREACHABLE_TARGET, viewers="delayed", viewer_delay_seconds=120
    )
    event = played.stage.event
    play(played.tables.get(), hands=1)
    assert {row["points"] for row in read_api("standings", event)["items"]} == {0}
    Hand.objects.update(ended_at=timezone.now() - timedelta(minutes=5))
    Hand.objects.update(dealt_at=timezone.now() - timedelta(minutes=9))
    assert max(row["points"] for row in read_api("standings", event)["items"]) > 0


def test_api_reveals_no_email_addresses_or_roll_numbers(event: Event, organizer: User) -> None:
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    message = "".join(
        get_api_response(name, event).content.decode()
        for name in ("event", "standings", "rounds", "results")
    )
    rows = event.registrations.select_related("user")
    secrets = {secret for row in rows for secret in (row.user.email, row.roll_number)}
    assert [secret for secret in secrets if secret in message] == []


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 201}, {"offset": -1}, {"limit": "x"}])
def test_invalid_pagination_is_refused(event: Event, wrong: dict[str, object]) -> None:
    assert get_api_response("standings", event, **wrong).status_code == 422


def test_responses_are_cached_briefly_and_support_conditional_requests(event: Event) -> None:
    first = get_api_response("event", event)
    assert first["Cache-Control"] == "public, max-age=5"
    assert first["Access-Control-Allow-Origin"] == "*"
    address = reverse("api:event", args=[event.slug])
    again = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_response_is_the_same_for_a_signed_in_user(event: Event) -> None:
    browser = Client()
    browser.force_login(make_organizer(event))
    answer = browser.get(reverse("api:event", args=[event.slug]))
    assert answer["Cache-Control"] == "public, max-age=5"
    assert answer.content == get_api_response("event", event).content


def test_frequent_requests_are_rate_limited(event: Event) -> None:
    key = f"api:127.0.0.1:{int(timezone.now().timestamp() // 60)}"
    cache.set(key, PER_MINUTE, 120)
    answer = get_api_response("events")
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 61


def test_unknown_path_gets_a_json_response() -> None:
    answer = Client().get("/api/v1/players")
    assert (answer.status_code, answer.json()) == (
        404,
        {"detail": "/api/v1/players does not exist."},
    )


def test_api_page_documents_every_path_of_the_schema() -> None:
    document = Client().get(reverse("api-schema")).json()
    page = Client().get(reverse("api")).text
    assert [path for path in document["paths"] if f"GET {path}" not in page] == []
    assert reverse("api-schema") in page
    assert reverse("api") in Client().get("/").text
