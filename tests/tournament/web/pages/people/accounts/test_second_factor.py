"""Tests of the account pages for two-factor authentication."""

import json
import re

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.tournament.second_factor import (
    Passkey,
    authenticator_clock,
    compute_app_code,
    get_challenge,
    give_app,
    give_codes,
    list_factors,
    submit_factor_code,
)
from tests.tournament.visitors import PASSWORD, is_signed_in, make_asha, sign_in
from tests.typed import Response
from tournament.models import User

__all__ = ["authenticator_clock"]

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("authenticator_clock"),
    pytest.mark.sql,
]

ACTIVATION_PAGE = reverse("mfa_activate_totp")
COMMITTING = pytest.mark.django_db(transaction=True)


@pytest.fixture
def user() -> User:
    return make_asha(is_staff=True)


@pytest.fixture
def signed_in_client(client: Client, user: User) -> Client:
    """Provide a client that has signed in and has just confirmed the password."""
    sign_in(client)
    confirm_password(client)
    return client


def confirm_password(client: Client) -> Response:
    return client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def set_up_authenticator(client: Client) -> Response:
    secret = client.get(ACTIVATION_PAGE).context["form"].secret
    return client.post(ACTIVATION_PAGE, {"code": compute_app_code(secret)})


def test_setup_requires_the_password_again(client: Client, user: User) -> None:
    sign_in(client)
    asked = client.get(ACTIVATION_PAGE)
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    back = client.post(asked["Location"], {"password": PASSWORD, "next": ACTIVATION_PAGE})
    assert back["Location"] == ACTIVATION_PAGE


def test_authenticator_secret_is_shown_as_picture_and_text(signed_in_client: Client) -> None:
    shown = signed_in_client.get(ACTIVATION_PAGE).content.decode()
    [secret] = re.findall(r"<code>([A-Z2-7]{32})</code>", shown)
    assert 'src="data:image/svg+xml;base64,' in shown
    assert secret == signed_in_client.session["mfa.totp.secret"]


@COMMITTING
def test_valid_code_enables_the_authenticator_and_shows_ten_recovery_codes(
    signed_in_client: Client,
    user: User,
) -> None:
    answer = set_up_authenticator(signed_in_client)
    assert answer["Location"] == reverse("mfa_view_recovery_codes")
    assert list_factors(user) == {"totp", "recovery_codes"}
    shown = signed_in_client.get(answer["Location"]).content.decode()
    assert len(re.findall(r"<code>\d{8}</code>", shown)) == 10


@COMMITTING
def test_staff_can_open_the_desk_right_after_setup(
    signed_in_client: Client,
    settings: Settings,
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    set_up_authenticator(signed_in_client)
    assert signed_in_client.get(reverse("admin:index")).status_code == 200


@COMMITTING
def test_user_is_notified_of_the_setup_by_email(
    signed_in_client: Client,
    mailoutbox: list[EmailMessage],
) -> None:
    set_up_authenticator(signed_in_client)
    assert [mail.to for mail in mailoutbox] == [["asha@college.example"]]
    assert "Authenticator" in mailoutbox[0].subject


def test_wrong_code_does_not_enable_the_authenticator(signed_in_client: Client, user: User) -> None:
    signed_in_client.get(ACTIVATION_PAGE)
    answer = signed_in_client.post(ACTIVATION_PAGE, {"code": "000000"})
    assert answer.context["form"].errors == {"code": ["Incorrect code."]}
    assert list_factors(user) == set()


def test_unconfirmed_address_cannot_set_up_a_second_factor(
    signed_in_client: Client, user: User
) -> None:
    EmailAddress.objects.update(verified=False)
    assert signed_in_client.get(ACTIVATION_PAGE)["Location"] == reverse("mfa_index")


def test_removing_the_authenticator_removes_its_recovery_codes(
    signed_in_client: Client, user: User
) -> None:
    give_app(user)
    give_codes(user)
    page = reverse("mfa_deactivate_totp")
    assert "Turn off the authenticator app" in signed_in_client.get(page).content.decode()
    signed_in_client.post(page)
    assert list_factors(user) == set()


def test_new_recovery_codes_invalidate_the_old_ones(signed_in_client: Client, user: User) -> None:
    give_app(user)
    before = give_codes(user)
    signed_in_client.post(reverse("mfa_generate_recovery_codes"))
    after = Authenticator.objects.get(user=user, type="recovery_codes").wrap().generate_codes()
    assert set(before) & set(after) == set()


def test_recovery_codes_can_be_downloaded(signed_in_client: Client, user: User) -> None:
    give_app(user)
    codes = give_codes(user)
    saved = signed_in_client.get(reverse("mfa_download_recovery_codes"))
    assert saved["Content-Disposition"] == 'attachment; filename="recovery-codes.txt"'
    assert saved.content.decode().split() == codes


def test_sign_in_requires_the_second_factor(client: Client, user: User) -> None:
    give_app(user)
    answer = client.post(
        reverse("account_login"), {"login": user.email, "password": PASSWORD}, follow=True
    )
    assert answer.request["PATH_INFO"] == reverse("mfa_authenticate")
    assert "One more step" in answer.content.decode()
    assert not is_signed_in(client)


# Passkeys


@pytest.fixture
def passkey(signed_in_client: Client) -> Passkey:
    """Provide a passkey that its owner has registered."""
    key = Passkey()
    key.add(signed_in_client)
    return key


def test_adding_a_passkey_creates_recovery_codes(signed_in_client: Client, user: User) -> None:
    answer = Passkey().add(signed_in_client)
    assert answer["Location"] == reverse("mfa_view_recovery_codes")
    assert list_factors(user) == {"webauthn", "recovery_codes"}


def test_sign_in_can_be_completed_with_the_passkey(user: User, passkey: Passkey) -> None:
    phone = Client()
    sign_in(phone)
    assert not is_signed_in(phone)
    assert "mfa_webauthn_authenticate" in phone.get(reverse("mfa_authenticate")).content.decode()
    passkey.use(phone)
    assert is_signed_in(phone)


def test_user_with_only_an_authenticator_needs_no_passkey(client: Client, user: User) -> None:
    give_app(user)
    sign_in(client)
    shown = client.get(reverse("mfa_authenticate")).content.decode()
    assert "mfa_webauthn_authenticate" not in shown


@pytest.mark.usefixtures("passkey")
def test_passkey_of_another_user_is_refused() -> None:
    phone = Client()
    sign_in(phone)
    Passkey().use(phone)
    assert not is_signed_in(phone)


def test_passkey_response_for_another_site_is_refused(passkey: Passkey) -> None:
    """Check that a response is refused if a page that imitates the site has obtained it."""
    phone = Client()
    sign_in(phone)
    passkey.origin = "https://testserver.evil.example"
    passkey.use(phone)
    assert not is_signed_in(phone)


def test_replayed_passkey_response_is_refused(passkey: Passkey) -> None:
    first, second = Client(), Client()
    sign_in(first)
    first.get(reverse("mfa_authenticate"))
    answer = {"credential": json.dumps(passkey.make_assertion(get_challenge(first)))}
    sign_in(second)
    second.get(reverse("mfa_authenticate"))
    for phone in (first, second):
        phone.post(reverse("mfa_authenticate"), answer)
    assert (is_signed_in(first), is_signed_in(second)) == (True, False)


def test_malformed_passkey_response_is_refused(user: User, passkey: Passkey) -> None:
    phone = Client()
    sign_in(phone)
    for answer in ("{}", "[]", "nonsense", ""):
        phone.get(reverse("mfa_authenticate"))
        shown = phone.post(reverse("mfa_authenticate"), {"credential": answer})
        assert shown.status_code == 200
    assert not is_signed_in(phone)


@pytest.mark.usefixtures("passkey")
def test_passkeys_can_be_listed_renamed_and_removed(signed_in_client: Client, user: User) -> None:
    key = Authenticator.objects.get(user=user, type="webauthn")
    assert "Phone" in signed_in_client.get(reverse("mfa_list_webauthn")).content.decode()
    signed_in_client.post(reverse("mfa_edit_webauthn", args=[key.pk]), {"name": "Laptop"})
    assert "Laptop" in signed_in_client.get(reverse("mfa_list_webauthn")).content.decode()
    remove = reverse("mfa_remove_webauthn", args=[key.pk])
    assert "Remove Laptop?" in signed_in_client.get(remove).content.decode()
    signed_in_client.post(remove)
    assert list_factors(user) == set()


@COMMITTING
def test_authenticator_setup_code_cannot_be_reused_to_sign_in(
    signed_in_client: Client, user: User, authenticator_clock: time_machine.Traveller
) -> None:
    """Check that a person who has seen the code on the screen cannot use it."""
    secret = signed_in_client.get(ACTIVATION_PAGE).context["form"].secret
    code = compute_app_code(secret)
    signed_in_client.post(ACTIVATION_PAGE, {"code": code})
    other = Client()
    sign_in(other)
    submit_factor_code(other, code)
    assert not is_signed_in(other)
    authenticator_clock.shift(30)
    submit_factor_code(other, compute_app_code(secret))
    assert is_signed_in(other)


# All pages use the site's design and comply with its content security policy

PAGES = [
    "mfa_index",
    "mfa_activate_totp",
    "mfa_add_webauthn",
    "mfa_list_webauthn",
    "mfa_generate_recovery_codes",
]


def is_allowed_by_policy(page: str) -> bool:
    scripts = re.findall(r"<script\b[^>]*>", page)
    data = [tag for tag in scripts if 'type="application/json"' in tag]
    loaded = [tag for tag in scripts if 'src="/' in tag]
    return len(data) + len(loaded) == len(scripts) and not re.search(r"<style|\sstyle=", page)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("has_app", [True, False])
def test_second_factor_pages_use_the_site_design(
    signed_in_client: Client, user: User, name: str, has_app: bool
) -> None:
    if has_app:
        give_app(user)
        give_codes(user)
    response = signed_in_client.get(reverse(name), follow=True)
    shown = response.content.decode()
    assert 'class="site-header"' in shown
    assert "<h1>" in shown
    assert is_allowed_by_policy(shown)
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("page", ["mfa_reauthenticate", "mfa_reauthenticate_webauthn"])
def test_reauthentication_pages_use_the_site_design(
    signed_in_client: Client, user: User, page: str
) -> None:
    give_app(user)
    Passkey().add(signed_in_client)
    shown = signed_in_client.get(reverse(page)).content.decode()
    assert "Confirm it’s you" in shown
    assert is_allowed_by_policy(shown)


@pytest.mark.parametrize(("has_app", "expected"), [(True, "on"), (False, "off")])
def test_profile_shows_the_second_factor_status_and_links_to_it(
    signed_in_client: Client, user: User, has_app: bool, expected: str
) -> None:
    if has_app:
        give_app(user)
    shown = signed_in_client.get(reverse("profile")).content.decode()
    assert f"<dt>Two-factor authentication</dt><dd>{expected}</dd>" in shown
    assert f'href="{reverse("mfa_index")}"' in shown


@pytest.mark.parametrize(("is_staff", "there"), [(True, True), (False, False)])
def test_only_staff_see_the_link_to_the_desk(
    signed_in_client: Client, user: User, is_staff: bool, there: bool
) -> None:
    give_app(user)
    user.is_staff = is_staff
    user.save()
    shown = signed_in_client.get(reverse("mfa_index")).content.decode()
    assert ("Go to the desk" in shown) is there
