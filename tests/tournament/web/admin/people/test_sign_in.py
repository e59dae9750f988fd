"""Tests of the desk page that shows a sign-in code."""

import re

import pytest
from django.test import Client

from tests.factories import make_event, make_organizer, make_registrations
from tests.tournament.organizing import page
from tournament.models import AuditEntry, DeskSignIn, Event, Registration, User
from tournament.people.accounts.desk_codes import use_desk_code

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(event: Event) -> Registration:
    player = event.registrations.order_by("pk")[0]
    player.roll_number = "CHE-0042"
    player.save()
    return player


def search_names(client: Client, event: Event, query: str) -> list[str]:
    found = client.get(page("sign-in", event), {"q": query}).context["found"]
    return [registration.name for registration in found]


def read_desk_code_page(client: Client, player: Registration) -> str:
    answer = client.post(
        page("sign-in", player.event), {"action": "show", "registration": player.pk}, follow=True
    )
    return answer.content.decode()


def test_people_are_found_by_name_and_by_roll_number(
    client: Client, event: Event, player: Registration
) -> None:
    assert search_names(client, event, player.name[1:].upper()) == [player.name]
    assert search_names(client, event, "che-0042") == [player.name]
    assert search_names(client, event, "nobody") == []
    assert search_names(client, event, " ") == []
    assert search_names(client, event, "\0che-\0" + "0042") == [player.name]
    assert search_names(client, event, "\0") == []


def test_withdrawn_players_and_other_events_players_are_not_found(
    client: Client, event: Event, player: Registration
) -> None:
    other = make_registrations(make_event(), 1)[0]
    Registration.objects.filter(pk=player.pk).update(state=Registration.State.WITHDRAWN)
    assert search_names(client, event, player.name) == []
    assert search_names(client, event, other.name) == []


def test_sign_in_code_is_shown_as_text_and_picture(client: Client, player: Registration) -> None:
    shown = read_desk_code_page(client, player)
    [code] = re.findall(r"<strong>(\w{4}-\w{4})</strong>", shown)
    assert 'src="data:image/svg+xml,' in shown
    assert "http://testserver/sign-in/" in shown
    assert use_desk_code(code) == player


def test_refusal_is_shown_on_the_page(client: Client, player: Registration) -> None:
    User.objects.filter(pk=player.user.pk).update(is_staff=True)
    assert "no one else can sign its owner in" in read_desk_code_page(client, player)
    assert not DeskSignIn.objects.exists()


def test_code_appears_only_in_that_response(client: Client, player: Registration) -> None:
    read_desk_code_page(client, player)
    assert "desk-code-letters" not in client.get(page("sign-in", player.event)).content.decode()


def test_code_response_is_not_cached(client: Client, player: Registration) -> None:
    answer = client.post(
        page("sign-in", player.event), {"action": "show", "registration": player.pk}
    )
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("key", ["0", "x", ""])
def test_unknown_player_is_not_found(client: Client, event: Event, key: str) -> None:
    answer = client.post(page("sign-in", event), {"action": "show", "registration": key})
    assert answer.status_code == 404


def test_players_of_another_event_are_not_found(client: Client, event: Event) -> None:
    other = make_registrations(make_event(), 1)[0]
    answer = client.post(page("sign-in", event), {"action": "show", "registration": other.pk})
    assert answer.status_code == 404
    assert not AuditEntry.objects.filter(action="desk-sign-in").exists()


def test_organizers_of_other_events_cannot_open_the_page(
    event: Event, player: Registration
) -> None:
    stranger = Client()
    stranger.force_login(make_organizer())
    assert stranger.get(page("sign-in", event)).status_code == 404
    data = {"action": "show", "registration": player.pk}
    assert stranger.post(page("sign-in", event), data).status_code == 404
    assert not DeskSignIn.objects.exists()


@pytest.mark.parametrize(
    ("state", "there"),
    [(Event.State.OPEN, True), (Event.State.RUNNING, True), (Event.State.FINISHED, False)],
)
def test_desk_links_to_sign_in_codes_during_the_event(
    client: Client, event: Event, state: str, there: bool
) -> None:
    Event.objects.filter(pk=event.pk).update(state=state)
    shown = client.get(page("desk", event)).content.decode()
    assert (f'href="{page("sign-in", event)}"' in shown) is there


def test_issued_code_is_logged_in_plain_language(client: Client, player: Registration) -> None:
    read_desk_code_page(client, player)
    log = client.get(page("log", player.event))
    assert f"Showed {player.name} a code for signing in at the desk." in log.content.decode()
