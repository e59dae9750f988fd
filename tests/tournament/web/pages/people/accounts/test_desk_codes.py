"""Tests of sign-in with a desk code, and of the limits of such a session."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer, make_registrations
from tests.tournament.second_factor import (
    authenticator_clock,
    compute_app_code,
    give_app,
    submit_factor_code,
)
from tests.tournament.visitors import PASSWORD, is_signed_in, read_code
from tests.typed import Response
from tournament.models import Event, Registration, User
from tournament.people.accounts.assurance import BY_DESK
from tournament.people.accounts.desk_codes import create_desk_code

__all__ = ["authenticator_clock"]

pytestmark = [pytest.mark.django_db, pytest.mark.event(title="Chem Fest", slug="chem-fest")]

SIGN_IN_PAGE = reverse("desk-sign-in")


@pytest.fixture
def player(event: Event) -> Registration:
    registration = make_registrations(event, 1)[0]
    registration.user.set_unusable_password()
    registration.user.save()
    return registration


@pytest.fixture
def code(player: Registration) -> str:
    return create_desk_code(player, make_organizer(player.event)).code


@pytest.fixture
def signed_in_phone(client: Client, code: str) -> Client:
    """Provide a phone that was signed in at the desk."""
    client.post(SIGN_IN_PAGE, {"code": code})
    return client


def list_messages(response: Response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def test_desk_code_signs_in_and_opens_my_table(
    client: Client, player: Registration, code: str
) -> None:
    answer = client.post(SIGN_IN_PAGE, {"code": code})
    assert answer["Location"] == reverse("my-table", args=["chem-fest"])
    assert get_user(client) == player.user


def test_unconfirmed_address_does_not_prevent_sign_in(
    client: Client, player: Registration, code: str, mailoutbox: list[EmailMessage]
) -> None:
    """Check that sign-in does not wait for a confirmation email, which may never arrive."""
    EmailAddress.objects.update(verified=False)
    client.post(SIGN_IN_PAGE, {"code": code})
    assert is_signed_in(client)
    assert mailoutbox == []


def test_qr_link_only_fills_in_the_code(client: Client, code: str) -> None:
    shown = client.get(reverse("desk-sign-in", args=[code])).content.decode()
    assert f'value="{code}"' in shown
    assert not is_signed_in(client)
    client.post(SIGN_IN_PAGE, {"code": code})
    assert is_signed_in(client)


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("AAAA-AAAA", "This code is wrong or has expired. Ask for a new one at the desk."),
        ("", "Enter the code shown at the desk."),
        ("x" * 21, "Ensure this value has at most 20 characters (it has 21)."),
    ],
)
def test_invalid_code_is_reported_at_its_field(client: Client, typed: str, fault: str) -> None:
    answer = client.post(SIGN_IN_PAGE, {"code": typed})
    assert (answer.status_code, answer.context["form"].errors) == (400, {"code": [fault]})
    assert not is_signed_in(client)


def test_signed_in_user_stays_signed_in_and_sees_the_account_name(
    client: Client, code: str
) -> None:
    other = make_organizer()
    client.force_login(other)
    answer = client.post(SIGN_IN_PAGE, {"code": code}, follow=True)
    assert get_user(client) == other
    assert f"You’re signed in as {other}. If that’s someone else, sign out first." in list_messages(
        answer
    )


@pytest.mark.usefixtures("authenticator_clock")
def test_second_factor_is_still_required(client: Client, player: Registration, code: str) -> None:
    secret = give_app(player.user)
    assert client.post(SIGN_IN_PAGE, {"code": code})["Location"] == reverse("mfa_authenticate")
    assert not is_signed_in(client)
    submit_factor_code(client, compute_app_code(secret))
    assert is_signed_in(client)


def test_desk_code_session_expires_at_the_end_of_the_day(signed_in_phone: Client) -> None:
    assert 12 * 3600 - signed_in_phone.session.get_expiry_age() in range(60)


# Actions that a session with a desk code does not allow


@pytest.mark.parametrize(
    "name", ["account_set_password", "account_email", "mfa_activate_totp", "mfa_add_webauthn"]
)
def test_desk_code_session_cannot_add_a_sign_in_method(signed_in_phone: Client, name: str) -> None:
    answer = signed_in_phone.get(reverse(name), follow=True)
    assert answer.request["PATH_INFO"] == reverse("profile")
    assert str(BY_DESK) in list_messages(answer)


def test_desk_code_session_cannot_set_a_password(
    signed_in_phone: Client, player: Registration
) -> None:
    new = {"password1": "eight-lucky-cards"}
    signed_in_phone.post(reverse("account_set_password"), new)
    assert not User.objects.get(pk=player.user.pk).has_usable_password()


def test_user_with_a_password_must_enter_it_to_add_a_second_factor(
    client: Client, player: Registration, code: str
) -> None:
    player.user.set_password(PASSWORD)
    player.user.save()
    client.post(SIGN_IN_PAGE, {"code": code})
    page = reverse("mfa_activate_totp")
    asked = client.get(page)
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    client.post(asked["Location"], {"password": PASSWORD, "next": page})
    assert client.get(page).status_code == 200


def test_player_promoted_to_staff_cannot_enter_the_admin_by_desk_code(
    signed_in_phone: Client, player: Registration
) -> None:
    User.objects.filter(pk=player.user.pk).update(is_staff=True)
    assert signed_in_phone.get(reverse("admin:index"))["Location"] == reverse("profile")


def test_later_email_code_sign_in_unlocks_account_changes(
    signed_in_phone: Client, player: Registration, mailoutbox: list[EmailMessage]
) -> None:
    signed_in_phone.post(reverse("account_logout"))
    asked = signed_in_phone.post(
        reverse("account_request_login_code"), {"email": player.user.email}
    )
    signed_in_phone.post(asked["Location"], {"code": read_code(mailoutbox[-1])})
    assert signed_in_phone.get(reverse("account_set_password")).status_code == 200


def test_sign_in_page_links_to_desk_codes(client: Client) -> None:
    assert f'href="{SIGN_IN_PAGE}"' in client.get(reverse("account_login")).content.decode()
    assert client.get(SIGN_IN_PAGE).status_code == 200
