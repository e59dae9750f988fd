"""Tests of the pages of live play: access, and the data for templates and scripts."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games import services, store
from games.models import LoggedAction, Match
from games.protocol.faces import Person, faces_at
from games.rules import record
from games.templatetags.cards import drawn_face
from tests.factories import make_user
from tests.games.helpers import act, begin, make_match
from tests.games.pages import list_page_addresses
from tests.typed import Response, sure

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished_match() -> Match:
    """Provide a finished match of one hand."""
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1, title="Final <table>")
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    return Match.objects.get(pk=match.pk)


def read_embedded_json(html: str, name: str) -> Any:
    return json.loads(sure(re.search(rf'<script id="{name}"[^>]*>(.*?)</script>', html, re.S))[1])


def test_match_and_result_are_public(client: Client, finished_match: Match) -> None:
    assert [client.get(page).status_code for page in list_page_addresses(finished_match)] == [
        200,
        200,
        200,
        200,
    ]


def test_replay_and_record_open_when_the_match_is_over(client: Client) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5")
    user = match.seats.get(number=0).user
    client.force_login(sure(user))
    assert [client.get(page).status_code for page in list_page_addresses(match)] == [
        200,
        200,
        404,
        404,
    ]


def test_replay_of_a_void_hand_says_it_does_not_count(client: Client) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5")
    services.redo_hand(match, "A card fell.")
    match.refresh_from_db()
    services.abandon_match(match, "Looked at.")
    shown = client.get(reverse("games:replay", args=[match.public_id, 1])).content.decode()
    assert "void, doesn’t count</small>" in shown


@pytest.mark.parametrize("number", [0, 2, 99, 10**30])
def test_missing_hand_is_not_found(client: Client, finished_match: Match, number: int) -> None:
    address = reverse(
        "games:replay", kwargs={"public_id": finished_match.public_id, "number": number}
    )
    assert client.get(address).status_code == 404


def test_only_signed_out_viewers_are_asked_whether_they_play_here(client: Client) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5")
    address = list_page_addresses(match)[0]
    asked = f'Do you play here? <a href="{reverse("account_login")}?next={address}">Sign in</a>'
    assert asked in client.get(address).content.decode()
    for user in (sure(match.seats.get(number=1).user), make_user()):
        client.force_login(user)
        assert "Do you play here?" not in client.get(address).content.decode()


def test_embedded_table_shows_only_what_its_reader_may_see(client: Client) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5")
    address = list_page_addresses(match)[0]
    viewer = read_embedded_json(client.get(address).content.decode(), "view")
    assert (viewer["you"], viewer["cards"]) == (None, [])
    client.force_login(sure(match.seats.get(number=1).user))
    player = read_embedded_json(client.get(address).content.decode(), "view")
    assert (player["you"], [card["card"] for card in player["cards"]]) == (1, ["R3", "G9"])


def test_names_and_titles_are_escaped(client: Client, finished_match: Match) -> None:
    finished_match.seats.filter(number=0).update(name="</script><b>x")
    for page in list_page_addresses(finished_match)[:3]:
        html = client.get(page).content.decode()
        assert "</script><b>x" not in html
        assert "Final <table>" not in html


def test_record_download_passes_check_record(client: Client) -> None:
    match = services.start_match(make_match(people=1, bots=2, hand_limit=1, title="Round 1"))
    services.play_out(match)
    answer = client.get(list_page_addresses(match)[3])
    assert answer.headers["Content-Disposition"] == 'attachment; filename="round-1-hand-1.json"'
    assert record.check(json.loads(answer.content)) is None


def test_u58_result_page_shows_the_table_faces(client: Client, finished_match: Match) -> None:
    page = client.get(reverse("games:result", args=[finished_match.public_id])).content.decode()
    seats = list(finished_match.seats.all())
    for seat, looks in zip(
        seats, faces_at([Person(s.name, s.user_id) for s in seats]), strict=True
    ):
        drawn = drawn_face(looks)
        assert page.count(f"{drawn}<bdi") == 2
        assert f"{drawn}<bdi>{seat.name}</bdi>" in page


def test_result_page_shows_points_for_every_hand(client: Client, finished_match: Match) -> None:
    context = client.get(list_page_addresses(finished_match)[1]).context
    assert [(seat["total"], seat["place"], seat["won"]) for seat in context["seats"]] == [
        (9, 1, True),
        (0, 2, False),
    ]
    assert [(hand["number"], hand["points"], hand["open"]) for hand in context["hands"]] == [
        (1, [9, 0], True)
    ]
    assert context["ended_text"] == "The only hand has been played."


@pytest.mark.parametrize("viewers", ["delayed", "hand"])
def test_no_page_shows_a_viewer_more_than_the_table(client: Client, viewers: str) -> None:
    """Check that neither addresses nor headers reveal points, moves or replays too early."""
    match = begin(
        ["R1 R2", "R3 G9"], "R5", viewers=viewers, viewer_delay_seconds=600, replays="hand"
    )
    begun = [strip_volatile_parts(client.get(page)) for page in list_page_addresses(match)[:2]]
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    headers = {"If-None-Match": "*", "If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"}
    for query in ("", "?version=3", "?delay=0", "?seat=0", "?live=1"):
        asked = [
            client.get(f"{page}{query}", headers=headers) for page in list_page_addresses(match)
        ]
        assert [answer.status_code for answer in asked] == [200, 200, 404, 404]
        assert [strip_volatile_parts(answer) for answer in asked[:2]] == begun
        assert not any(answer.has_header("ETag") for answer in asked)
    client.force_login(sure(match.seats.get(number=1).user))
    assert (
        read_embedded_json(client.get(list_page_addresses(match)[0]).content.decode(), "view")[
            "top"
        ]
        == "R3"
    )


def test_end_of_the_match_appears_on_pages_after_the_delay(client: Client) -> None:
    match = begin(
        ["R1 R2", "R3 G9"], "R5", hand_limit=1, viewers="delayed", viewer_delay_seconds=600
    )
    for seat, action in ((0, "R1"), (1, "R3"), (0, "R2")):
        act(match, seat, {"play": action, "uno": action != "R2"})
    _, result, replay, record_file = list_page_addresses(match)
    assert "Scores so far" in client.get(result).content.decode()
    assert [client.get(page).status_code for page in (replay, record_file)] == [404, 404]
    early = timezone.now() - timedelta(seconds=601)
    match.hands.update(dealt_at=early, ended_at=early)
    LoggedAction.objects.filter(hand__match=match).update(at=early)
    Match.objects.filter(pk=match.pk).update(ended_at=early)
    store.forget(match.pk)
    assert "Scores so far" not in client.get(result).content.decode()
    assert [client.get(page).status_code for page in (replay, record_file)] == [200, 200]


def strip_volatile_parts(answer: Response) -> str:
    """Return the page without tokens, its own address, and times of players' presence."""
    own = r'"(gone_seconds|coming_ms)": \d+|value="\w{64}"|name="next" value="[^"]*"'
    return re.sub(own, "", answer.content.decode())


def test_match_with_hidden_cards_has_no_records(client: Client) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1, replays="never")
    services.abandon_match(match, "Looked at.")
    _, result, replay, record_file = list_page_addresses(match)
    answer = client.get(record_file)
    assert answer.status_code == 403
    assert "keep this match’s cards hidden" in answer.content.decode()
    for page in (result, replay):
        assert record_file not in client.get(page).content.decode()
    data = read_embedded_json(client.get(replay).content.decode(), "replay-data")
    assert data["steps"][0]["cards"] == {}


def test_pages_use_a_constant_number_of_queries(
    client: Client, finished_match: Match, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for page in list_page_addresses(finished_match):
        with django_assert_max_num_queries(13):
            client.get(page)
