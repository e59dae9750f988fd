"""Tests of the second factor that staff need to open the organizers' pages."""

from urllib.parse import quote

import pytest
from allauth.mfa.models import Authenticator
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.factories import give_role, make_event, make_organizer
from tests.tournament.organizing import page
from tests.tournament.second_factor import (
    authenticator_clock,
    compute_app_code,
    give_app,
    give_codes,
    submit_factor_code,
)
from tests.tournament.visitors import (
    PASSWORD,
    is_signed_in,
    make_asha,
    read_code,
    request_code,
    sign_in,
)
from tests.typed import Response
from tournament.models import Event, User
from tournament.people.accounts.assurance import NO_WAY, SET_UP

__all__ = ["authenticator_clock"]

pytestmark = [pytest.mark.django_db, pytest.mark.event(title="Chem Fest")]

INDEX = reverse("admin:index")
DESK_PAGES = ["desk", "rules", "list", "rounds", "control", "standings", "qualify", "sign-in"]


@pytest.fixture
def staff(event: Event) -> User:
    user = make_asha(is_staff=True)
    give_role(event, user)
    return user


@pytest.fixture
def second_factor_required(settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def new_client() -> Client:
    """Provide a browser that is not signed in."""
    return Client()


def sign_in_by_code(client: Client, mailoutbox: list[EmailMessage]) -> None:
    asked = request_code(client)
    client.post(asked, {"code": read_code(mailoutbox[-1])})


def list_messages(response: Response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def is_redirect_to(response: Response, name: str, back: str = "") -> bool:
    after = f"?next={quote(back, safe='')}" if back else ""
    return (response.status_code, response["Location"]) == (302, reverse(name) + after)


# Sign-in without a required second factor


def test_password_sign_in_opens_the_desk(new_client: Client, staff: User, event: Event) -> None:
    sign_in(new_client)
    assert new_client.get(page("desk", event)).status_code == 200


def test_email_code_sign_in_does_not_open_the_desk(
    new_client: Client, staff: User, event: Event, mailoutbox: list[EmailMessage]
) -> None:
    sign_in_by_code(new_client, mailoutbox)
    assert is_signed_in(new_client)
    desk = page("desk", event)
    assert is_redirect_to(new_client.get(desk), "account_reauthenticate", desk)


@pytest.mark.parametrize("name", DESK_PAGES)
def test_email_code_sign_in_opens_no_event_admin_page(
    new_client: Client, staff: User, event: Event, mailoutbox: list[EmailMessage], name: str
) -> None:
    sign_in_by_code(new_client, mailoutbox)
    address = page(name, event)
    assert is_redirect_to(new_client.get(address), "account_reauthenticate", address)
    assert is_redirect_to(new_client.post(address), "account_reauthenticate", address)


def test_password_after_an_email_code_opens_the_desk(
    new_client: Client, staff: User, mailoutbox: list[EmailMessage]
) -> None:
    sign_in_by_code(new_client, mailoutbox)
    asked = new_client.get(INDEX)
    answer = new_client.post(asked["Location"], {"password": PASSWORD, "next": INDEX})
    assert answer["Location"] == INDEX
    assert new_client.get(INDEX).status_code == 200


def test_account_without_password_sees_how_to_open_the_desk(
    new_client: Client, staff: User, mailoutbox: list[EmailMessage]
) -> None:
    staff.set_unusable_password()
    staff.save()
    sign_in_by_code(new_client, mailoutbox)
    answer = new_client.get(INDEX, follow=True)
    assert answer.request["PATH_INFO"] == reverse("profile")
    assert str(NO_WAY) in list_messages(answer)


@pytest.mark.parametrize(
    "name", ["account_set_password", "account_email", "mfa_activate_totp", "mfa_add_webauthn"]
)
def test_account_without_password_cannot_add_a_second_factor(
    new_client: Client, staff: User, mailoutbox: list[EmailMessage], name: str
) -> None:
    staff.set_unusable_password()
    staff.save()
    sign_in_by_code(new_client, mailoutbox)
    assert is_redirect_to(new_client.get(reverse(name)), "profile")
    assert is_redirect_to(new_client.post(reverse(name)), "profile")
    assert not Authenticator.objects.exists()


def reset_password(client: Client, mailoutbox: list[EmailMessage]) -> Response:
    asked = client.post(reverse("account_reset_password"), {"email": "asha@college.example"})
    form = client.post(asked["Location"], {"code": read_code(mailoutbox[-1])})
    passwords = {"password1": "eight-lucky-cards"}
    return client.post(form["Location"], passwords)


def test_new_staff_reauthenticate_after_a_password_reset_by_email(
    new_client: Client, staff: User, mailoutbox: list[EmailMessage]
) -> None:
    User.objects.filter(pk=staff.pk).update(is_staff=False)
    assert reset_password(new_client, mailoutbox)["Location"] == "/"
    User.objects.filter(pk=staff.pk).update(is_staff=True)
    assert is_redirect_to(new_client.get(INDEX), "account_reauthenticate", INDEX)


def test_staff_cannot_reset_their_password_by_email_only(
    new_client: Client, staff: User, mailoutbox: list[EmailMessage]
) -> None:
    answer = reset_password(new_client, mailoutbox)
    [fault] = answer.context["form"].errors["__all__"]
    assert fault.startswith("This account has access to the desk")
    staff.refresh_from_db()
    assert staff.check_password(PASSWORD)


def test_staff_with_a_second_factor_can_reset_their_password_by_email(
    new_client: Client, staff: User, mailoutbox: list[EmailMessage]
) -> None:
    give_app(staff)
    reset_password(new_client, mailoutbox)
    sign_in(new_client, password="eight-lucky-cards")
    assert not is_signed_in(new_client)


def test_players_need_only_an_email_code(
    new_client: Client, mailoutbox: list[EmailMessage]
) -> None:
    user = make_asha()
    user.set_unusable_password()
    user.save()
    sign_in_by_code(new_client, mailoutbox)
    assert new_client.get(reverse("account_set_password")).status_code == 200


# Sign-in with a required second factor


@pytest.mark.usefixtures("second_factor_required")
def test_staff_without_a_second_factor_are_sent_to_set_one_up(
    new_client: Client, staff: User
) -> None:
    sign_in(new_client)
    answer = new_client.get(INDEX, follow=True)
    assert answer.request["PATH_INFO"] == reverse("mfa_index")
    assert str(SET_UP) in list_messages(answer)


@pytest.mark.usefixtures("second_factor_required", "authenticator_clock")
@pytest.mark.parametrize("way", ["password", "code"])
def test_staff_with_a_second_factor_use_it_to_sign_in(
    new_client: Client, staff: User, mailoutbox: list[EmailMessage], way: str
) -> None:
    secret = give_app(staff)
    sign_in(new_client) if way == "password" else sign_in_by_code(new_client, mailoutbox)
    assert not is_signed_in(new_client)
    submit_factor_code(new_client, compute_app_code(secret))
    assert new_client.get(INDEX).status_code == 200


@pytest.mark.usefixtures("second_factor_required")
def test_recovery_code_opens_the_desk(new_client: Client, staff: User) -> None:
    give_app(staff)
    sign_in(new_client)
    submit_factor_code(new_client, give_codes(staff)[3])
    assert new_client.get(INDEX).status_code == 200


@pytest.mark.usefixtures("second_factor_required", "authenticator_clock")
def test_older_session_requires_the_second_factor_once(new_client: Client, staff: User) -> None:
    sign_in(new_client)
    secret = give_app(staff)
    asked = new_client.get(INDEX)
    assert is_redirect_to(asked, "mfa_reauthenticate", INDEX)
    new_client.post(asked["Location"], {"code": compute_app_code(secret), "next": INDEX})
    assert new_client.get(INDEX).status_code == 200


@pytest.mark.usefixtures("second_factor_required")
def test_user_with_only_a_passkey_signs_in_with_it(new_client: Client, staff: User) -> None:
    sign_in(new_client)
    Authenticator.objects.create(user=staff, type="webauthn", data={"name": "Key"})
    assert is_redirect_to(new_client.get(INDEX), "mfa_reauthenticate_webauthn", INDEX)


@pytest.mark.usefixtures("second_factor_required", "authenticator_clock")
def test_removing_the_second_factor_requires_setting_up_another(
    new_client: Client, staff: User
) -> None:
    secret = give_app(staff)
    sign_in(new_client)
    submit_factor_code(new_client, compute_app_code(secret))
    Authenticator.objects.all().delete()
    assert is_redirect_to(new_client.get(INDEX), "mfa_index")


@pytest.mark.parametrize("role", ["organizer", "superuser"])
def test_event_can_require_a_second_factor_of_organizers(
    new_client: Client, staff: User, event: Event, role: str
) -> None:
    event.second_factor = True
    event.save()
    if role == "superuser":
        event.roles.filter(role="owner").delete()
        staff.is_superuser = True
        staff.save()
    sign_in(new_client)
    assert is_redirect_to(new_client.get(page("desk", event)), "mfa_index")


def test_second_factor_is_not_required_of_organizers_of_other_events(
    new_client: Client, staff: User, event: Event
) -> None:
    other = make_event(second_factor=True)
    make_organizer(other)
    sign_in(new_client)
    assert new_client.get(page("desk", event)).status_code == 200


@pytest.mark.usefixtures("second_factor_required")
def test_signing_out_requires_no_second_factor(new_client: Client, staff: User) -> None:
    sign_in(new_client)
    new_client.post(reverse("admin:logout"))
    assert not is_signed_in(new_client)


def test_event_form_has_the_second_factor_switch(
    new_client: Client, staff: User, event: Event
) -> None:
    sign_in(new_client)
    form = new_client.get(
        reverse("admin:tournament_event_change", args=[event.pk])
    ).content.decode()
    assert 'name="second_factor"' in form


def test_second_factor_setup_is_two_taps_from_the_desk(
    new_client: Client, staff: User, event: Event
) -> None:
    sign_in(new_client)
    assert f'href="{reverse("mfa_index")}"' in new_client.get(page("desk", event)).content.decode()
    shown = new_client.get(reverse("mfa_index")).content.decode()
    assert f'href="{reverse("mfa_activate_totp")}"' in shown
    assert f'href="{reverse("mfa_add_webauthn")}"' in shown
