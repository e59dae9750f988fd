"""F36: session fixation, and cookies that scripts or other sites could use."""

from collections.abc import Callable
from http.cookies import Morsel
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.house.test_settings import PRODUCTION, get_setting
from tests.tournament.visitors import (
    is_signed_in,
    make_asha,
    read_code,
    request_code,
    sign_in,
    sign_up,
)

pytestmark = pytest.mark.django_db

Mails = list[EmailMessage]
COOKIE_SETTINGS = ("SESSION", "CSRF", "LANGUAGE", "DEVICE", "MESSAGES")
FLAG_SETTINGS = ("HTTPS", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "LANGUAGE_COOKIE_SECURE")


def sign_in_by_password(client: Client, _mails: Mails) -> None:
    make_asha()
    sign_in(client)


def sign_in_by_code(client: Client, mails: Mails) -> None:
    make_asha()
    page = request_code(client)
    client.post(page, {"code": read_code(mails[-1])})


def sign_up_by_code(client: Client, mails: Mails) -> None:
    page = sign_up(client)["Location"]
    client.post(page, {"code": read_code(mails[-1])})


SIGN_IN_METHODS: list[Callable[[Client, Mails], None]] = [
    sign_in_by_password,
    sign_in_by_code,
    sign_up_by_code,
]


def plant_session(client: Client) -> str:
    """Start a session in this browser before anyone signs in, and return its key."""
    client.get(reverse("account_login"))
    session = client.session
    session["planted"] = "yes"
    session.save()
    return str(session.session_key)


@pytest.mark.parametrize("way", SIGN_IN_METHODS)
def test_signing_in_creates_a_new_session_key(
    client: Client, mailoutbox: Mails, way: Callable[[Client, Mails], None], settings: Settings
) -> None:
    before = plant_session(client)
    way(client, mailoutbox)
    assert is_signed_in(client)
    assert client.session.session_key != before
    stranger = Client()
    stranger.cookies[settings.SESSION_COOKIE_NAME] = before
    assert not is_signed_in(stranger)


def test_session_key_invented_by_the_browser_is_rejected(
    client: Client, settings: Settings
) -> None:
    make_asha()
    client.cookies[settings.SESSION_COOKIE_NAME] = "made-up-by-somebody-else-32-long"
    sign_in(client)
    assert is_signed_in(client)
    assert client.session.session_key != "made-up-by-somebody-else-32-long"


def test_old_cookie_is_useless_after_sign_out(client: Client, settings: Settings) -> None:
    make_asha()
    sign_in(client)
    kept = client.cookies[settings.SESSION_COOKIE_NAME].value
    client.post(reverse("account_logout"))
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = kept
    assert not is_signed_in(thief)
    assert thief.get(reverse("profile")).status_code == 302


def test_new_password_ends_all_earlier_sessions(client: Client) -> None:
    user = make_asha()
    sign_in(client)
    user.set_password("eight-lucky-cards")
    user.save()
    assert not is_signed_in(client)


def list_cookies(client: Client) -> dict[str, Morsel[str]]:
    """Choose a language and sign in, and return all cookies."""
    make_asha()
    client.get(reverse("account_login"))
    client.post(reverse("set_language"), {"language": "en"})
    sign_in(client)
    assert is_signed_in(client)
    return dict(client.cookies)


def test_cookies_are_hidden_from_scripts_and_other_sites(client: Client) -> None:
    cookies = list_cookies(client)
    assert {name: morsel["samesite"] for name, morsel in cookies.items()} == dict.fromkeys(
        cookies, "Lax"
    )
    assert [name for name, morsel in cookies.items() if not morsel["httponly"]] == []
    assert {"sessionid", "device"} <= cookies.keys()


@pytest.fixture
def production_cookies(tmp_path: Path, settings: Settings) -> None:
    """Apply the cookie names and flags of a production site with HTTPS."""
    names = [f"{name}_COOKIE_NAME" for name in COOKIE_SETTINGS] + list(FLAG_SETTINGS)
    listed = ", ".join(f"settings.{name}" for name in names)
    values: list[Any] = get_setting(tmp_path, f"__class__ and [{listed}]", **PRODUCTION)
    for name, value in zip(names, values, strict=True):
        setattr(settings, name, value)


@pytest.mark.usefixtures("production_cookies")
def test_cookies_are_bound_to_this_host_under_https() -> None:
    cookies = list_cookies(Client())
    assert {f"__Host-{name}" for name in ("sessionid", "csrftoken", "device")} <= cookies.keys()
    found = {name: (m["secure"], m["path"], m["domain"]) for name, m in cookies.items()}
    assert found == dict.fromkeys(cookies, (True, "/", ""))
    assert [name for name in cookies if not name.startswith("__Host-")] == []
