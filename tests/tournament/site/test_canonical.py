"""Tests of canonical URLs and link previews, which only public pages have."""

import io
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from games.services import start_practice
from tests.factories import make_event, make_user
from tests.tournament.staging import match_of, organizer_of, play, player_at, running_round
from tournament.models import Event, Round, Table
from tournament.pure.files.picture import SIZE
from tournament.site.canonical import PUBLIC

pytestmark = pytest.mark.django_db
HOST = "http://testserver"


@pytest.fixture(scope="module")
def past_event(shared_rows: None) -> Event:
    """Provide a finished event with one round."""
    played = running_round(8, hand_limit=1, slug="past", title="Past")
    for table in played.tables.all():
        play(table)
    Event.objects.filter(slug="past").update(state=Event.State.FINISHED)
    Round.objects.update(state=Round.State.CLOSED)
    return Event.objects.get(slug="past")


def map_addresses(event: Event) -> dict[str, str]:
    """Map the URL name of each public page to the page's address."""
    table = Table.objects.filter(round__stage__event=event).order_by("pk")[0]
    match = match_of(table).public_id
    more: dict[str, list[Any]] = {
        "rules": ["ocho"],
        "event-player": [event.slug, 1],
        "games:replay": [match, 1],
    }
    return {
        name: reverse(name, args=more.get(name, _get_arguments(name, event, match)))
        for name in PUBLIC
    }


def _get_arguments(name: str, event: Event, match: str) -> list[Any]:
    if name.startswith("event"):
        return [event.slug]
    return [match] if name.startswith("games:") and name != "games:practice" else []


def get_page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert (address, answer.status_code) == (address, 200)
    return answer.content.decode()


def list_canonical_links(text: str) -> list[str]:
    return re.findall(r'<link rel="canonical" href="([^"]*)">', text)


def map_meta_tags(text: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', text))


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_public_page_has_a_canonical_url_and_a_preview(
    client: Client, past_event: Event, name: str
) -> None:
    address = map_addresses(past_event)[name]
    text = get_page(client, address + "?utm_source=mail&view=other")
    tags = map_meta_tags(text)
    assert list_canonical_links(text) == [HOST + address]
    assert tags["og:url"] == HOST + address
    assert len(re.findall(r"<title>\S.*</title>", text)) == 1
    assert tags["og:title"]
    assert tags["description"] == tags["og:description"] != ""
    picture = client.get(tags["og:image"].removeprefix(HOST).replace("&amp;", "&"))
    assert (picture.status_code, picture.headers["Content-Type"]) == (200, "image/png")
    assert Image.open(io.BytesIO(picture.content)).size == SIZE


def test_preview_titles_are_distinct(client: Client, past_event: Event) -> None:
    found = map_addresses(past_event)
    own = [name for name in PUBLIC if not name.startswith("event") or name.endswith("board")]
    titles = [map_meta_tags(get_page(client, found[name]))["og:title"] for name in own]
    # The live table and the result have the same title, because they are about the same match.
    assert len({*titles}) == len(own) - 1


def test_leaderboard_stage_has_its_own_canonical_url(client: Client, past_event: Event) -> None:
    board = reverse("event-leaderboard", args=[past_event.slug])
    text = get_page(client, f"{board}?view=print&stage=1&utm_source=mail")
    assert list_canonical_links(text) == [f"{HOST}{board}?stage=1"]
    assert map_meta_tags(text)["og:url"] == f"{HOST}{board}?stage=1"
    assert map_meta_tags(text)["og:image"] == f"{HOST}{board}picture.png?stage=1"


def test_screens_and_frames_have_the_canonical_url_of_the_page_they_show(
    client: Client, past_event: Event
) -> None:
    for name, shown in (
        ("event-hall", "event"),
        ("event-embed", "event-leaderboard"),
    ):
        text = get_page(client, reverse(name, args=[past_event.slug]))
        assert list_canonical_links(text) == [HOST + reverse(shown, args=[past_event.slug])]


def test_private_page_has_no_canonical_url(client: Client) -> None:
    played = running_round()
    user, event = player_at(played.tables.all()[0]), played.stage.event
    client.force_login(user)
    practice = start_practice(user, "ocho", 2)
    paths = [
        reverse("my-table", args=[event.slug]),
        reverse("event-register", args=[event.slug]),
        "/my-events/",
        practice.get_absolute_url(),
        reverse("games:result", args=[practice.public_id]),
    ]
    assert {path: list_canonical_links(get_page(client, path)) for path in paths} == {
        path: [] for path in paths
    }
    assert list_canonical_links(client.get("/e/no-such/").content.decode()) == []
    assert list_canonical_links(Client().get("/accounts/login/").content.decode()) == []


def test_draft_event_has_no_canonical_url_even_for_organizers(client: Client) -> None:
    played = running_round()
    event, table = played.stage.event, played.tables.all()[0]
    Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT)
    client.force_login(organizer_of(event))
    paths = [
        reverse("event", args=[event.slug]),
        reverse("event-leaderboard", args=[event.slug]),
        match_of(table).get_absolute_url(),
        reverse("games:result", args=[match_of(table).public_id]),
    ]
    assert {path: list_canonical_links(get_page(client, path)) for path in paths} == {
        path: [] for path in paths
    }


def test_canonical_url_is_the_same_for_signed_in_viewers(client: Client) -> None:
    event = make_event()
    client.force_login(make_user())
    address = reverse("event", args=[event.slug])
    assert list_canonical_links(get_page(client, address)) == [HOST + address]
