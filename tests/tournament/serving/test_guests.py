"""A guest signs up, signs in or out: whose the practice match then is."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from games import queries
from games.models import Match, Seat
from tests.factories import make_event, make_organizer, make_players, make_user
from tests.tournament.visitors import asha, code_in, sign_in, sign_up
from tournament.models import User
from tournament.privacy import retention
from tournament.privacy import services as privacy
from tournament.serving import worker

pytestmark = pytest.mark.django_db

ORIGIN = {"origin": "http://testserver"}


def play(client: Client) -> Match:
    client.post("/practice/", {"ruleset": "ocho", "seats": 2}, headers=ORIGIN)
    match = Match.objects.order_by("-pk").first()
    assert match is not None
    return match


def sits(client: Client, match: Match) -> bool:
    answer = client.get(match.get_absolute_url())
    return answer.status_code == 200 and answer.context["view"]["you"] == 0


def test_the_front_page_begins_a_practice_with_one_tap_and_its_form_takes_no_cookie() -> None:
    shown = Client().get("/").content.decode()
    form = shown.split('<form method="post" action="/practice/">')[1].split("</form>")[0]
    assert form.startswith(
        '<input type="hidden" name="ruleset" value="uno-500">'
        '<input type="hidden" name="seats" value="4">'
    )
    assert "csrf" not in form


def test_signing_up_keeps_the_match_and_leads_back_to_it(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    match = play(client)
    page = match.get_absolute_url()
    assert f'href="/accounts/signup/?next={page}"' in client.get("/").content.decode()
    confirm = sign_up(client, next=page)["Location"]
    assert sits(client, match)
    answer = client.post(confirm, {"code": code_in(mailoutbox[-1])})
    assert answer["Location"] == page
    assert sits(client, match)
    assert Seat.objects.get(match=match, number=0).user == User.objects.get()
    assert "guest" not in client.session


def test_signing_in_keeps_the_match_and_signing_out_leaves_it(client: Client) -> None:
    user, match = asha(), play(client)
    sign_in(client)
    assert sits(client, match)
    client.post("/accounts/logout/")
    assert not sits(client, match)
    assert queries.running_match(user) == match
    assert 'class="own-match"' not in client.get("/").content.decode()


def test_the_next_person_at_the_browser_gets_nothing_of_the_one_before(client: Client) -> None:
    asha()
    match = play(client)
    sign_in(client)
    client.post("/accounts/logout/")
    other = play(client)
    assert (sits(client, match), sits(client, other)) == (False, True)


def test_a_wrong_password_changes_nothing(client: Client) -> None:
    asha()
    match = play(client)
    sign_in(client, password="wrong")
    assert sits(client, match)


def test_both_matches_are_there_for_who_had_one_and_the_newest_is_offered(client: Client) -> None:
    user = asha()
    client.force_login(user)
    first = play(client)
    guest = Client()
    second = play(guest)
    sign_in(guest)
    assert (sits(guest, first), sits(guest, second)) == (True, True)
    assert queries.running_match(user) == second


def test_a_guest_is_offered_the_table_on_every_page_and_may_keep_it(client: Client) -> None:
    match = play(client)
    for path in ("/", "/rules/", "/practice/"):
        shown = client.get(path).content.decode()
        assert "Your practice table is waiting." in shown
        assert f'href="/accounts/signup/?next={match.get_absolute_url()}"' in shown
    assert "Back to your practice table" in client.get("/").content.decode()
    assert "Sign up to keep the table" not in Client().get("/").content.decode()


def test_pages_with_a_guests_table_are_kept_by_no_cache(client: Client) -> None:
    assert "no-store" not in client.get("/").get("Cache-Control", "")
    play(client)
    assert "no-store" in client.get("/")["Cache-Control"]


def test_a_guest_is_signed_in_nowhere(client: Client) -> None:
    event = make_event()
    play(client)
    for page in ("/my-events/", "/accounts/profile/", f"/e/{event.slug}/register/", "/admin/"):
        assert client.get(page).status_code == 302
    assert User.objects.count() == 0


def test_a_guests_session_ends_after_a_day_and_another_match_prolongs_it(client: Client) -> None:
    play(client)
    assert client.session.get_expiry_age() == 24 * 3600
    assert client.cookies["sessionid"]["max-age"] == 24 * 3600
    play(client)
    assert client.session.get_expiry_age() == 24 * 3600


def test_an_account_session_is_as_long_as_ever(client: Client) -> None:
    asha()
    play(client)
    sign_in(client)
    assert client.session.get_expiry_age() > 10 * 24 * 3600


def test_the_worker_forgets_guests_and_sessions_that_have_ended(client: Client) -> None:
    play(client)
    old = timezone.now() - timedelta(days=1, minutes=1)
    Match.objects.update(created_at=old)
    Session.objects.update(expire_date=old)
    worker.tidy()
    worker.tidy()
    retention.carry_out()
    assert (Match.objects.count(), Session.objects.count()) == (0, 0)


def test_an_account_that_is_forgotten_leaves_no_name_in_its_practice(client: Client) -> None:
    user = make_user("Chitra Deshpande")
    event = make_event()
    registration = make_players(event, 1)[0]
    registration.user, registration.name = user, "Chitra Deshpande"
    registration.save()
    client.force_login(user)
    play(client)
    privacy.anonymise(registration, make_organizer(event), "Asked for it.")
    assert not Seat.objects.filter(name="Chitra Deshpande").exists()
