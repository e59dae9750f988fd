"""Tests of desk sessions, which are opened with a desk code and limited to one event."""

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
# Pages for signing in or up. Only visitors need them.
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
    """Provide a phone with a desk session for another event."""
    return sign_in_at_desk(other_registration)


@pytest.fixture
def event_phone(event: Event, player: User) -> Client:
    """Provide a phone with a desk session for this event."""
    return sign_in_at_desk(event.registrations.get(user=player))


def map_names_to_addresses(site: VisitedEvent) -> dict[str, str]:
    """Return the address of each URL name, with 1 for arguments missing from `site.known`."""
    known = site.known | {"which": "list"}
    return {
        name: reverse(name, kwargs={key: known.get(key, 1) for key in parameters})
        for name, parameters in URLS.items()
        if name != "admin:app_list" and not name.endswith("-")
    }


def redirects_to_profile(answer: Response) -> bool:
    return answer.status_code == 302 and answer["Location"] == PROFILE


def redirects_to_sign_in(answer: Response) -> bool:
    return answer.status_code == 302 and answer["Location"].partition("?")[0] in (
        reverse("account_login"),
        reverse("account_signup"),
        reverse("admin:login"),
    )


def test_desk_session_sees_other_events_like_a_visitor(
    visited_event: VisitedEvent, other_event_phone: Client
) -> None:
    """Check that outside its event, a desk session sees the same pages as a visitor.

    All other pages redirect to the profile.
    """
    found: dict[str, Any] = {}
    for name, address in map_names_to_addresses(visited_event).items():
        if name in ALWAYS | SIGN_IN_PAGES | {"profile", "my-table-now"}:
            continue
        visitor, answer = Client().get(address), other_event_phone.get(address)
        if name in PUBLIC or name.startswith("api:"):
            fits = answer.status_code == visitor.status_code and not redirects_to_sign_in(visitor)
        else:
            fits = redirects_to_profile(answer)
        if not fits:
            found[name] = visitor.status_code, answer.status_code
    assert found == {}


def test_every_public_page_is_open_to_desk_sessions(visited_event: VisitedEvent) -> None:
    pages = {
        name: audience
        for name, (_methods, audience) in test_urls.PAGES.items()
        if audience[0] == 200
    }
    assert pages.keys() - PUBLIC - ALWAYS == {n for n in pages if n.startswith("api:")}


def test_desk_session_is_anonymous_on_pages_of_other_events(
    visited_event: VisitedEvent, other_event_phone: Client
) -> None:
    known = {
        name: other_event_phone.get(address)
        for name, address in map_names_to_addresses(visited_event).items()
        if name in PUBLIC and {"slug", "public_id", "certificate", "profile"} & {*URLS[name]}
    }
    contexts = [answer.context for answer in known.values() if answer.context]
    assert contexts
    assert [one for one in contexts if "user" in one and one["user"].is_authenticated] == []


def test_desk_session_cannot_post_outside_its_event(
    visited_event: VisitedEvent, other_event_phone: Client
) -> None:
    addresses = map_names_to_addresses(visited_event)
    found = {name: other_event_phone.post(addresses[name]) for name in addresses.keys() - ALWAYS}
    assert {name for name, answer in found.items() if not redirects_to_profile(answer)} == {
        "my-table-now"
    }


def test_desk_session_opens_the_same_pages_of_its_event_as_a_full_session(
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


def test_my_table_of_a_desk_session_is_in_its_event(other_event_phone: Client) -> None:
    assert other_event_phone.get("/my-table/")["Location"] == "/e/lunch-league/my-table/"


def test_desk_session_has_no_seat_at_sockets_of_other_events(
    event: Event, player: User, other_event_phone: Client, event_phone: Client
) -> None:
    table = Table.objects.get(round__stage__event=event)
    public_id = sure(table.match).public_id
    seats = []
    for client in (sign_in(player), event_phone, other_event_phone):
        found = sure(identify(client.cookies["sessionid"].value))
        seats.append(admit(public_id, found.user, found.limit).seat is not None)
    assert seats == [True, True, False]


def test_entering_the_password_ends_the_limit_of_a_desk_session(
    player: User, other_registration: Registration
) -> None:
    player.set_password(PASSWORD)
    player.save()
    client = sign_in_at_desk(other_registration)
    asked = client.get(reverse("my-data"))
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    client.post(asked["Location"], {"password": PASSWORD, "next": reverse("my-data")})
    assert client.get(reverse("my-data")).status_code == 200
    assert client.get(reverse("my-events")).status_code == 200


def test_refused_page_explains_how_to_end_the_limit(other_event_phone: Client) -> None:
    answer = other_event_phone.get(reverse("my-data"), follow=True)
    assert str([*answer.context["messages"]][-1]) == str(BY_DESK)


def test_desk_session_does_not_make_its_device_known(other_event_phone: Client) -> None:
    assert "device" not in other_event_phone.cookies


# Actions in the session's own event


def test_withdrawal_in_a_desk_session_is_marked_in_the_log_and_email(
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


def test_withdrawal_during_a_match_is_marked_in_the_history(
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


def test_withdrawal_in_a_full_session_is_not_marked(
    event: Event, other_registration: Registration, player: User
) -> None:
    client = sign_in(player)
    client.post("/e/lunch-league/withdraw/")
    entry = other_registration.event.audit.get(action=LogAction.WITHDRAW)
    assert (entry.text, entry.reason) == ("Asha withdrew.", "")
    client.post(f"/e/{event.slug}/withdraw/")
    assert history(event).rows[0].by == "a player"
