"""Tests of sessions opened by a desk code: full access to its event, a visitor's elsewhere."""

from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from games.sockets.entrance.access import admit
from games.sockets.entrance.identity import identify
from tests.factories import make_event
from tests.tournament import test_urls
from tests.tournament.test_urls import URLS, VisitedEvent, event, sign_in, visited_event
from tests.tournament.visitors import PASSWORD, create_registration, sign_in_at_desk
from tests.typed import Response, sure
from tournament.models import Event, LogAction, Registration, Table, User
from tournament.oversight.history_texts import history
from tournament.people.accounts.assurance import BY_DESK
from tournament.people.accounts.desk_sessions import ALWAYS, PUBLIC

__all__ = ["event", "visited_event"]

pytestmark = [pytest.mark.django_db, pytest.mark.patient]

PROFILE = reverse("profile")
# Visitors can read these pages. People who are signed in do not need them.
SIGN_IN_PAGES = {
    "account_signup",
    "account_signup_by_passkey",
    "account_request_login_code",
    "account_confirm_login_code",
    "account_inactive",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "account_email_verification_sent",
    "account_confirm_email",
    "account_complete_password_reset",
    "account_confirm_password_reset_code",
    "mfa_authenticate",
    "mfa_login_webauthn",
    "mfa_signup_webauthn",
    "mfa_trust",
    "admin:login",
}


@pytest.fixture
def player(event: Event) -> User:
    found = event.registrations.all()[0].user
    found.set_unusable_password()
    found.save()
    return found


@pytest.fixture
def other_registration(player: User) -> Registration:
    """Provide the player's registration in another event."""
    return create_registration(make_event(title="Lunch League", slug="lunch-league"), player)


@pytest.fixture
def other_event_phone(other_registration: Registration) -> Client:
    """Provide a phone that was signed in by the desk of another event."""
    return sign_in_at_desk(other_registration)


@pytest.fixture
def event_phone(event: Event, player: User) -> Client:
    """Provide a phone that was signed in by the desk of this event."""
    return sign_in_at_desk(event.registrations.get(user=player))


def list_addresses(site: VisitedEvent) -> dict[str, str]:
    """Return every address by name, with 1 for values unknown to the test."""
    known = site.known | {"which": "list"}
    return {
        name: reverse(name, kwargs={key: known.get(key, 1) for key in parameters})
        for name, parameters in URLS.items()
        if name != "admin:app_list" and not name.endswith("-")
    }


def asks_for_proof(answer: Response) -> bool:
    return answer.status_code == 302 and answer["Location"] == PROFILE


def asks_to_sign_in(answer: Response) -> bool:
    return answer.status_code == 302 and answer["Location"].partition("?")[0] in (
        reverse("account_login"),
        reverse("account_signup"),
        reverse("admin:login"),
    )


def test_outside_its_event_it_reads_what_a_visitor_reads(
    visited_event: VisitedEvent, other_event_phone: Client
) -> None:
    """Check that outside its event a desk session reads only the same pages as a visitor.

    Every other address asks for proof.
    """
    found: dict[str, Any] = {}
    for name, address in list_addresses(visited_event).items():
        if name in ALWAYS | SIGN_IN_PAGES | {"profile", "my-table-now"}:
            continue
        visitor, answer = Client().get(address), other_event_phone.get(address)
        if name in PUBLIC or name.startswith("api:"):
            fits = answer.status_code == visitor.status_code and not asks_to_sign_in(visitor)
        else:
            fits = asks_for_proof(answer)
        if not fits:
            found[name] = visitor.status_code, answer.status_code
    assert found == {}


def test_every_page_that_visitors_read_is_open_to_it(visited_event: VisitedEvent) -> None:
    pages = {
        name: audience
        for name, (_methods, audience) in test_urls.PAGES.items()
        if audience[0] == 200
    }
    assert pages.keys() - PUBLIC - ALWAYS == {n for n in pages if n.startswith("api:")}


def test_pages_of_other_events_do_not_know_it(
    visited_event: VisitedEvent, other_event_phone: Client
) -> None:
    known = {
        name: other_event_phone.get(address)
        for name, address in list_addresses(visited_event).items()
        if name in PUBLIC and {"slug", "public_id", "certificate", "profile"} & {*URLS[name]}
    }
    contexts = [answer.context for answer in known.values() if answer.context]
    assert contexts
    assert [one for one in contexts if "user" in one and one["user"].is_authenticated] == []


def test_outside_its_event_it_writes_nothing(
    visited_event: VisitedEvent, other_event_phone: Client
) -> None:
    addresses = list_addresses(visited_event)
    found = {name: other_event_phone.post(addresses[name]) for name in addresses.keys() - ALWAYS}
    assert {name for name, answer in found.items() if not asks_for_proof(answer)} == {
        "my-table-now"
    }


def test_in_its_event_it_does_what_its_player_does(
    visited_event: VisitedEvent, event_phone: Client, player: User
) -> None:
    addresses = {
        name: visited_event.address(name)
        for name in test_urls.PAGES
        if {"slug", "public_id"} & {*URLS[name]} and not name.startswith("api:")
    }
    own = {name: event_phone.get(address).status_code for name, address in addresses.items()}
    whole = sign_in(player)
    assert own == {name: whole.get(address).status_code for name, address in addresses.items()}


def test_my_table_is_that_of_its_event(other_event_phone: Client) -> None:
    assert other_event_phone.get("/my-table/")["Location"] == "/e/lunch-league/my-table/"


def test_no_socket_lets_it_play_elsewhere(
    event: Event, player: User, other_event_phone: Client, event_phone: Client
) -> None:
    table = Table.objects.get(round__stage__event=event)
    public_id = sure(table.match).public_id
    seats = []
    for client in (sign_in(player), event_phone, other_event_phone):
        found = sure(identify(client.cookies["sessionid"].value))
        seats.append(admit(public_id, found.user, found.limit).seat is not None)
    assert seats == [True, True, False]


def test_a_password_opens_everything(player: User, other_registration: Registration) -> None:
    player.set_password(PASSWORD)
    player.save()
    client = sign_in_at_desk(other_registration)
    asked = client.get(reverse("my-data"))
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    client.post(asked["Location"], {"password": PASSWORD, "next": reverse("my-data")})
    assert client.get(reverse("my-data")).status_code == 200
    assert client.get(reverse("my-events")).status_code == 200


def test_a_sentence_says_what_opens_the_rest(other_event_phone: Client) -> None:
    answer = other_event_phone.get(reverse("my-data"), follow=True)
    assert str([*answer.context["messages"]][-1]) == str(BY_DESK)


def test_it_makes_no_device_known(other_event_phone: Client) -> None:
    assert "device" not in other_event_phone.cookies


# Actions in its own event are reported


def test_a_withdrawal_is_told_as_done_with_a_desk_code(
    other_registration: Registration,
    other_event_phone: Client,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        other_event_phone.post("/e/lunch-league/withdraw/")
    other_registration.refresh_from_db()
    assert (other_registration.state, other_registration.reason) == (
        Registration.State.WITHDRAWN,
        "Signed in with a code from the desk.",
    )
    entry = other_registration.event.audit.get(action=LogAction.WITHDRAW)
    assert entry.text == "Asha withdrew. (Signed in with a code from the desk of Lunch League.)"
    mail = mailoutbox[-1]
    assert mail.subject == "You’ve withdrawn from Lunch League"
    assert (
        "This was done in a session opened with a code from the desk of Lunch League. "
        "If it wasn’t you, tell the organizers."
    ) in mail.body


def test_leaving_a_match_is_told_to_the_person_and_in_the_history(
    event: Event,
    event_phone: Client,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: Any,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        event_phone.post(f"/e/{event.slug}/withdraw/")
    [line, *_before] = history(event).rows
    assert line.by == "a player signed in with a code from the desk"
    assert mailoutbox[-1].subject == f"You’ve withdrawn from {event.title}"


def test_a_withdrawal_of_one_s_own_is_told_as_before(
    event: Event, other_registration: Registration, player: User
) -> None:
    client = sign_in(player)
    client.post("/e/lunch-league/withdraw/")
    entry = other_registration.event.audit.get(action=LogAction.WITHDRAW)
    assert (entry.text, entry.reason) == ("Asha withdrew.", "")
    client.post(f"/e/{event.slug}/withdraw/")
    assert history(event).rows[0].by == "a player"
