"""Tests of the practice page for users and guests."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games import services
from games.models import Match
from tests.factories import make_user
from tests.games.helpers import make_match
from tests.games.pages import list_page_addresses
from tests.games.reviewing import play_short_match
from tests.typed import Response, sure

pytestmark = pytest.mark.django_db

PAGE = reverse("games:practice")
TABLE_FIELDS = {"ruleset": "ocho", "seats": 4}


def start_practice(client: Client, origin: str = "http://testserver", **changes: Any) -> Response:
    return client.post(PAGE, TABLE_FIELDS | changes, headers={"origin": origin})


def make_signed_in_client() -> Client:
    client = Client()
    client.force_login(make_user("Asha"))
    return client


def test_practice_starts_against_bots_once_the_shares_arrive() -> None:
    client = make_signed_in_client()
    assert client.get(PAGE).status_code == 200
    answer = start_practice(client)
    match = Match.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, list_page_addresses(match)[0])
    assert (match.practice, match.phase, match.ruleset) == (True, "between", "ocho")
    assert [seat.bot for seat in match.seats.all()] == ["", "plain", "plain", "plain"]
    assert str(match.seats.get(number=0).user) == "Asha"


@pytest.mark.parametrize("strength", ["easy", "plain", "strong"])
def test_practice_bots_have_the_requested_strength(strength: str) -> None:
    start_practice(make_signed_in_client(), seats=2, strength=strength)
    assert Match.objects.get().seats.get(number=1).bot == strength


def test_unknown_bot_strength_is_refused() -> None:
    answer = start_practice(make_signed_in_client(), seats=2, strength="random")
    assert (answer.status_code, Match.objects.count()) == (400, 0)


def test_new_practice_ends_the_previous_one() -> None:
    client = make_signed_in_client()
    for _ in range(2):
        start_practice(client, ruleset="uno-500", seats=2)
    assert list(Match.objects.order_by("pk").values_list("phase", flat=True)) == ["over", "between"]


@pytest.mark.parametrize(
    "data",
    [
        {"ruleset": "", "seats": ""},
        {"ruleset": "bridge"},
        {"seats": 1},
        {"seats": 11},
        {"seats": "many"},
    ],
)
def test_invalid_practice_request_shows_the_form_again(data: dict[str, Any]) -> None:
    answer = start_practice(make_signed_in_client(), **data)
    assert answer.status_code == 400
    assert answer.context["form"].errors
    assert Match.objects.count() == 0


def test_u64_anonymous_visitor_can_play_immediately() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = start_practice(client)
    match = Match.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, match.get_absolute_url())
    table = client.get(answer["Location"])
    assert (table.context["view"]["you"], table.context["view"]["match"]["practice"]) == (0, True)
    assert match.seats.get(number=0).name == "Guest"
    assert "no-store" in table["Cache-Control"]


def test_viewing_the_form_creates_nothing_and_sets_no_cookie() -> None:
    client = Client()
    shown = client.get(PAGE).content.decode()
    assert "No account needed." in shown
    assert (Match.objects.count(), dict(client.cookies)) == (0, {})
    assert dict(client.get("/").cookies) == {}


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "https://testserver", ""])
def test_other_sites_cannot_start_or_end_a_practice(origin: str) -> None:
    client = make_signed_in_client()
    start_practice(client)
    answer = start_practice(client, origin)
    assert answer.status_code == 403
    assert Match.objects.get().phase == "between"


def test_form_without_an_origin_is_refused_with_an_explanation() -> None:
    answer = Client().post(PAGE, TABLE_FIELDS)
    assert (answer.status_code, Match.objects.count()) == (403, 0)
    assert "Send the form again" in answer.content.decode()


def test_guest_has_one_running_table() -> None:
    client = Client()
    for _ in range(3):
        start_practice(client)
    assert Match.objects.exclude(phase="over").count() == 1
    assert len(set(Match.objects.values_list("seats__guest", flat=True)) - {""}) == 1


def test_guest_table_is_private() -> None:
    address = start_practice(Client())["Location"]
    other = Client()
    start_practice(other)
    match = Match.objects.first()
    assert match is not None
    for visitor in (Client(), other, make_signed_in_client()):
        assert visitor.get(address).status_code == 404
        assert visitor.get(reverse("games:result", args=[match.public_id])).status_code == 404


def test_guest_can_only_watch_other_matches() -> None:
    match, client = services.start_match(make_match()), Client()
    start_practice(client)
    view = client.get(match.get_absolute_url()).context["view"]
    assert (view["you"], view["cards"]) == (None, [])


def test_guest_key_gives_no_access_to_event_tables() -> None:
    """Check that a guest cannot play at an event table, even if a seat has the guest's key."""
    client = Client()
    start_practice(client)
    match = make_match()
    match.seats.filter(number=0).update(user=None, guest=client.session["guest"])
    view = client.get(match.get_absolute_url()).context["view"]
    assert view["you"] is None


def test_site_without_free_tables_explains_the_alternatives(settings: Settings) -> None:
    settings.GUEST_TABLES = 1
    start_practice(Client())
    late = Client()
    answer = start_practice(late)
    assert answer.status_code == 503
    assert "All guest tables are taken. Sign in to practise" in answer.content.decode()
    assert dict(late.cookies) == {}
    assert start_practice(make_signed_in_client()).status_code == 302


def test_guest_can_restart_when_all_tables_are_taken(settings: Settings) -> None:
    settings.GUEST_TABLES = 1
    client = Client()
    assert [start_practice(client).status_code for _ in range(2)] == [302, 302]


def test_site_without_guest_tables_explains_how_to_practise(settings: Settings) -> None:
    settings.GUEST_TABLES = 0
    client = Client()
    shown = client.get(PAGE).content.decode()
    assert f"/accounts/signup/?next={PAGE}" in shown
    assert 'name="ruleset"' not in shown
    assert 'action="/practice/"' not in client.get("/").content.decode()
    assert (start_practice(client).status_code, Match.objects.count()) == (503, 0)


@pytest.mark.parametrize(("bots", "offered"), [("any", True), ("plain", False)])
def test_guest_chooses_bot_strength_where_the_site_allows_it(
    settings: Settings, bots: str, offered: bool
) -> None:
    settings.GUEST_BOTS = bots
    client = Client()
    assert ('name="strength"' in client.get(PAGE).content.decode()) is offered
    start_practice(client, strength="strong")
    seat = Match.objects.get().seats.get(number=1)
    assert seat.bot == ("strong" if offered else "plain")


@pytest.mark.parametrize(("load", "offered"), [(0.1, True), (64.0, False)])
def test_guest_bots_think_while_the_machine_is_idle(
    monkeypatch: pytest.MonkeyPatch, load: float, offered: bool
) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (load, load, load))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert services.strong_bots_allowed() is offered


def test_guest_result_page_explains_how_to_keep_the_match() -> None:
    client = Client()
    start_practice(client)
    page = reverse("games:result", args=[Match.objects.get().public_id])
    shown = client.get(page).content.decode()
    assert f'<a href="/accounts/signup/?next={page}">Sign up</a> to keep it.' in shown


@pytest.mark.parametrize(("practice", "forms"), [(True, 1), (False, 0)])
def test_finished_practice_can_be_repeated_with_one_click(practice: bool, forms: int) -> None:
    client, match = Client(), play_short_match(practice=practice)
    client.force_login(sure(match.seats.get(number=0).user))
    shown = client.get(reverse("games:result", args=[match.public_id])).content.decode()
    again = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)">', shown))
    assert shown.count('<button class="button">Play again</button>') == forms
    assert not forms or start_practice(client, **again).status_code == 302
