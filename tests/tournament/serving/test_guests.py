"""Guests who sign up, sign in or sign out, and what happens to their practice match."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from games import queries
from games.models import Match, Seat
from tests.factories import make_event, make_organizer, make_players, make_user
from tests.tournament.visitors import make_asha, read_code, sign_in, sign_up
from tournament.models import User
from tournament.privacy import retention
from tournament.privacy import services as privacy
from tournament.serving import worker

pytestmark = pytest.mark.django_db

ORIGIN = {"origin": "http://testserver"}


def play_as_guest(client: Client) -> Match:
    client.post("/practice/", {"ruleset": "ocho", "seats": 2}, headers=ORIGIN)
    match = Match.objects.order_by("-pk").first()
    assert match is not None
    return match


def is_seated(client: Client, match: Match) -> bool:
    answer = client.get(match.get_absolute_url())
    return answer.status_code == 200 and answer.context["view"]["you"] == 0


def test_front_page_has_a_form_that_starts_practice_without_a_cookie() -> None:
    shown = Client().get("/").content.decode()
    form = shown.split('<form method="post" action="/practice/">')[1].split("</form>")[0]
    assert form.startswith(
        '<input type="hidden" name="ruleset" value="uno-500">'
        '<input type="hidden" name="seats" value="4">'
    )
    assert "csrf" not in form


def test_signing_up_keeps_the_match_and_returns_to_it(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    match = play_as_guest(client)
    page = match.get_absolute_url()
    assert f'href="/accounts/signup/?next={page}"' in client.get("/").content.decode()
    confirm = sign_up(client, next=page)["Location"]
    assert is_seated(client, match)
    answer = client.post(confirm, {"code": read_code(mailoutbox[-1])})
    assert answer["Location"] == page
    assert is_seated(client, match)
    assert Seat.objects.get(match=match, number=0).user == User.objects.get()
    assert "guest" not in client.session


def test_guest_keeps_the_match_by_signing_in_until_signing_out(client: Client) -> None:
    user, match = make_asha(), play_as_guest(client)
    sign_in(client)
    assert is_seated(client, match)
    client.post("/accounts/logout/")
    assert not is_seated(client, match)
    assert queries.running_match(user) == match
    assert 'class="own-match"' not in client.get("/").content.decode()


def test_next_guest_in_the_browser_cannot_play_the_previous_users_match(client: Client) -> None:
    make_asha()
    match = play_as_guest(client)
    sign_in(client)
    client.post("/accounts/logout/")
    other = play_as_guest(client)
    assert (is_seated(client, match), is_seated(client, other)) == (False, True)


def test_guest_keeps_the_match_after_a_wrong_password(client: Client) -> None:
    make_asha()
    match = play_as_guest(client)
    sign_in(client, password="wrong")
    assert is_seated(client, match)


def test_signing_in_keeps_both_matches_and_offers_the_newer_one(client: Client) -> None:
    user = make_asha()
    client.force_login(user)
    first = play_as_guest(client)
    guest = Client()
    second = play_as_guest(guest)
    sign_in(guest)
    assert (is_seated(guest, first), is_seated(guest, second)) == (True, True)
    assert queries.running_match(user) == second


def test_pages_link_to_the_guest_table_and_to_signing_up(client: Client) -> None:
    match = play_as_guest(client)
    for path in ("/", "/rules/", "/practice/"):
        shown = client.get(path).content.decode()
        assert "Your practice table is waiting." in shown
        assert f'href="/accounts/signup/?next={match.get_absolute_url()}"' in shown
    assert "Back to your practice table" in client.get("/").content.decode()
    assert "Sign up to keep the table" not in Client().get("/").content.decode()


def test_pages_with_a_guest_table_are_not_cached(client: Client) -> None:
    assert "no-store" not in client.get("/").get("Cache-Control", "")
    play_as_guest(client)
    assert "no-store" in client.get("/")["Cache-Control"]


def test_guest_cannot_open_pages_that_require_an_account(client: Client) -> None:
    event = make_event()
    play_as_guest(client)
    for page in ("/my-events/", "/accounts/profile/", f"/e/{event.slug}/register/", "/admin/"):
        assert client.get(page).status_code == 302
    assert User.objects.count() == 0


def test_guest_session_lasts_a_day_and_is_extended_by_another_match(client: Client) -> None:
    play_as_guest(client)
    assert client.session.get_expiry_age() == 24 * 3600
    assert client.cookies["sessionid"]["max-age"] == 24 * 3600
    play_as_guest(client)
    assert client.session.get_expiry_age() == 24 * 3600


def test_account_session_lasts_longer_than_a_guest_session(client: Client) -> None:
    make_asha()
    play_as_guest(client)
    sign_in(client)
    assert client.session.get_expiry_age() > 10 * 24 * 3600


def test_worker_deletes_expired_guests_and_sessions(client: Client) -> None:
    play_as_guest(client)
    old = timezone.now() - timedelta(days=1, minutes=1)
    Match.objects.update(created_at=old)
    Session.objects.update(expire_date=old)
    worker.tidy()
    worker.tidy()
    retention.delete_expired_data()
    assert (Match.objects.count(), Session.objects.count()) == (0, 0)


def test_deleted_account_leaves_no_name_in_its_practice_matches(client: Client) -> None:
    user = make_user("Chitra Deshpande")
    event = make_event()
    registration = make_players(event, 1)[0]
    registration.user, registration.name = user, "Chitra Deshpande"
    registration.save()
    client.force_login(user)
    play_as_guest(client)
    privacy.anonymize_person(registration, make_organizer(event), "Asked for it.")
    assert not Seat.objects.filter(name="Chitra Deshpande").exists()
