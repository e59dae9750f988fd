"""Tests of error pages, robots.txt, the icon and security headers."""

import errno
from typing import NoReturn

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import InternalError, OperationalError
from django.http import HttpRequest
from django.test import Client
from django.urls import path, reverse
from pytest_django import DjangoAssertNumQueries

from games.process import here
from tests.factories import make_event, make_user
from tests.tournament.visitors import make_asha, sign_in
from tests.typed import Response
from tournament.models import Event
from tournament.urls import urlpatterns as site_patterns
from tournament.web.pages.site import errors

pytestmark = pytest.mark.django_db


def raise_failure(request: HttpRequest) -> NoReturn:
    raise RuntimeError("a fault with a secret in it")


def raise_forbidden(request: HttpRequest) -> NoReturn:
    raise PermissionDenied


def raise_suspicious(request: HttpRequest) -> NoReturn:
    raise SuspiciousOperation("odd")


def raise_database_failure(request: HttpRequest) -> NoReturn:
    raise OperationalError("database or disk is full, at a secret place")


def raise_read_only(request: HttpRequest) -> NoReturn:
    raise InternalError("cannot execute UPDATE in a read-only transaction: secret")


def raise_disk_full(request: HttpRequest) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device: secret")


def raise_unreadable(request: HttpRequest) -> NoReturn:
    raise PermissionError(errno.EACCES, "secret")


handler400 = errors.show_bad_request
handler500 = errors.show_failure
urlpatterns = [
    *site_patterns,
    path("away/", raise_database_failure),
    path("standby/", raise_read_only),
    path("full/", raise_disk_full),
    path("unreadable/", raise_unreadable),
    path("broken/", raise_failure),
    path("forbidden/", raise_forbidden),
    path("suspicious/", raise_suspicious),
]


def test_robots_txt_excludes_accounts_and_matches(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response["Content-Type"] == "text/plain"
    assert "Disallow: /accounts/" in response.content.decode().splitlines()
    assert "Disallow: /m/" in response.content.decode().splitlines()


def test_link_preview_bots_may_read_matches(client: Client) -> None:
    groups = client.get("/robots.txt").content.decode().split("\n\n")
    assert "User-agent: Twitterbot" in groups[0]
    assert "/m/" not in groups[0]


def test_favicon_is_served_without_loading_a_page(client: Client) -> None:
    assert client.get("/favicon.ico")["Location"] == "/static/img/favicon.ico"


def test_every_page_has_the_security_headers(client: Client) -> None:
    headers = client.get(reverse("home")).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Permissions-Policy"].startswith("camera=()")


def test_unsupported_form_encoding_is_refused_with_an_explanation() -> None:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    form = "application/x-www-form-urlencoded; charset=utf-16"
    client.get("/accounts/login/")
    response = client.post("/accounts/login/", "login=a", content_type=form)
    assert response.status_code == 400
    assert "We couldn’t understand that request" in response.content.decode()


def remove_own_address(response: Response) -> str:
    """Return the page without its own address, because the address differs between requests."""
    return response.content.decode().replace(response.wsgi_request.get_full_path(), "")


def test_unknown_and_forbidden_pages_look_the_same(client: Client) -> None:
    make_event(slug="draft", state=Event.State.DRAFT)
    unknown, draft = client.get("/e/nothing/"), client.get("/e/draft/")
    assert unknown.status_code == draft.status_code == 404
    assert "Page not found" in unknown.content.decode()
    assert remove_own_address(unknown) == remove_own_address(draft)


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "status", "heading"),
    [
        ("/broken/", 500, "Something went wrong on our side"),
        ("/away/", 503, "The site can’t save anything right now"),
        ("/standby/", 503, "The site can’t save anything right now"),
        ("/full/", 503, "The site can’t save anything right now"),
        ("/unreadable/", 500, "Something went wrong on our side"),
        ("/forbidden/", 403, "You don’t have access"),
        ("/suspicious/", 400, "We couldn’t understand that request"),
    ],
)
def test_error_pages_use_the_site_design_and_reveal_no_internals(
    client: Client, address: str, status: int, heading: str
) -> None:
    client.raise_request_exception = False
    response = client.get(address)
    assert response.status_code == status
    assert heading in response.content.decode()
    assert "secret" not in response.content.decode()


@pytest.mark.urls(__name__)
@pytest.mark.urls(__name__)
def test_page_error_from_an_unavailable_database_is_recorded(
    client: Client,
) -> None:
    client.raise_request_exception = False
    client.get("/broken/")
    assert not here().database.refused
    client.get("/away/")
    assert here().database.refused


@pytest.mark.parametrize("address", ["/broken/", "/away/"])
def test_server_error_page_needs_no_database(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, address: str
) -> None:
    client.raise_request_exception = False
    with django_assert_num_queries(0):
        client.get(address)


@pytest.mark.urls(__name__)
def test_temporary_error_sends_retry_after(client: Client) -> None:
    client.raise_request_exception = False
    headers = client.get("/away/").headers
    assert (headers["Retry-After"], headers["Cache-Control"]) == ("60", "no-store")


def test_failure_to_save_a_session_is_treated_as_an_outage(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_disk_full_error(self: SessionStore, **_how: object) -> NoReturn:
        raise OperationalError("database or disk is full")

    make_asha()
    client.raise_request_exception = False
    monkeypatch.setattr(SessionStore, "save", raise_disk_full_error)
    response = sign_in(client)
    assert response.status_code == 503
    assert "Try again in a minute." in response.content.decode()


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "a b"])
def test_unknown_host_is_refused(client: Client, host: str) -> None:
    response = client.get("/", headers={"host": host})
    assert response.status_code == 400
    assert "We couldn’t understand that request" in response.content.decode()


def test_form_without_a_csrf_token_is_refused_with_an_explanation() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post(reverse("account_login"), {"login": "a@b.example", "password": "x"})
    assert response.status_code == 403
    assert "Send the form again" in response.content.decode()


def test_admin_redirects_visitors_to_the_site_sign_in(client: Client) -> None:
    response = client.get("/admin/login/?next=/admin/")
    assert response.status_code == 302
    assert response["Location"] == "/accounts/login/?next=%2Fadmin%2F"


def test_players_cannot_open_the_admin(client: Client) -> None:
    client.force_login(make_user())
    assert client.get("/admin/login/").status_code == 403


@pytest.mark.parametrize("address", ["/", "/accounts/login/", "/admin/", "/practice/", "/static/x"])
def test_trace_requests_are_not_echoed(client: Client, address: str) -> None:
    """Check that TRACE is refused, because it would reveal HTTP-only cookies to scripts."""
    answer = client.trace(address, headers={"X-Secret": "only-for-this-test"})
    assert answer.status_code != 200
    assert "only-for-this-test" not in answer.content.decode() + str(answer.headers)
