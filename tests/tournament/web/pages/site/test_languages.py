"""Tests of the choice of language and of the message catalogues for scripts."""

import gzip
from typing import Any

import brotli
import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from pytest_django import Settings

from tournament.site.catalogues import catalogue_version

pytestmark = pytest.mark.django_db

SAME_ORIGIN = "same-origin"


@pytest.fixture
def use_two_languages(settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("ar", "Arabic")]


def read_home_page(client: Client, **headers: Any) -> str:
    return client.get(reverse("home"), **headers).content.decode()


def test_site_with_one_language_has_no_language_menu_or_catalogue(
    client: Client, settings: Settings
) -> None:
    settings.LANGUAGES = [("en", "English")]
    page = read_home_page(client, HTTP_ACCEPT_LANGUAGE="ar")
    assert '<html lang="en" dir="ltr">' in page
    assert reverse("set_language") not in page
    assert "/words/" not in page


@pytest.mark.usefixtures("use_two_languages")
def test_page_uses_the_browser_language(client: Client) -> None:
    response = client.get(reverse("home"), HTTP_ACCEPT_LANGUAGE="ar, en;q=0.5")
    assert '<html lang="ar" dir="rtl">' in response.content.decode()
    assert response.headers["Content-Language"] == "ar"
    assert {"Accept-Language", "Cookie"} <= set(response.headers["Vary"].split(", "))


@pytest.mark.usefixtures("use_two_languages")
def test_chosen_language_is_kept_for_a_year(client: Client) -> None:
    page = read_home_page(client)
    assert reverse("set_language") in page
    assert '<button name="language" value="en" lang="en" aria-current="true"' in page
    answer = client.post(reverse("set_language"), {"language": "ar", "next": "/rules/"})
    assert (answer.status_code, answer["Location"]) == (302, "/rules/")
    cookie = client.cookies["language"]
    assert (cookie["max-age"], cookie["httponly"], cookie["samesite"]) == (31_536_000, True, "Lax")
    assert '<html lang="ar" dir="rtl">' in read_home_page(client, HTTP_ACCEPT_LANGUAGE="en")


@pytest.mark.usefixtures("use_two_languages")
def test_language_form_is_the_same_for_all_users_and_needs_no_cookie() -> None:
    client = Client(enforce_csrf_checks=True)
    page = read_home_page(client)
    assert ("csrfmiddlewaretoken" in page, bool(client.cookies)) == (False, False)
    answer = client.post(
        reverse("set_language"), {"language": "ar"}, HTTP_SEC_FETCH_SITE=SAME_ORIGIN
    )
    assert (answer.status_code, client.cookies["language"].value) == (302, "ar")


@pytest.mark.parametrize("elsewhere", ["cross-site", "same-site", "none"])
def test_form_on_another_site_cannot_set_the_language(client: Client, elsewhere: str) -> None:
    sent = {"language": "en"}
    answer = client.post(reverse("set_language"), sent, HTTP_SEC_FETCH_SITE=elsewhere)
    assert (answer.status_code, bool(client.cookies)) == (403, False)


@pytest.mark.usefixtures("use_two_languages")
def test_page_loads_the_translation_catalog_before_its_scripts(client: Client) -> None:
    page = read_home_page(client, HTTP_ACCEPT_LANGUAGE="ar")
    address = reverse("catalogue", args=["ar", catalogue_version("ar")])
    assert page.index(f'<script src="{address}"></script>') < page.index('<script type="module"')


@pytest.mark.usefixtures("use_two_languages")
def test_versioned_catalog_is_cached_by_browsers(client: Client) -> None:
    with override("en"):
        response = client.get(reverse("catalogue", args=["ar", catalogue_version("ar")]))
    assert response.headers["Cache-Control"] == "public, immutable, max-age=31536000"
    assert response.headers["Content-Type"] == 'text/javascript; charset="utf-8"'
    assert "django.ngettext" in response.content.decode()


@pytest.mark.usefixtures("use_two_languages")
def test_catalog_under_an_outdated_version_is_not_cached(client: Client) -> None:
    response = client.get(reverse("catalogue", args=["ar", "0" * 12]))
    assert response.headers["Cache-Control"] == "no-cache"


def test_unsupported_language_has_no_catalog(client: Client) -> None:
    assert client.get(reverse("catalogue", args=["ar", "0" * 12])).status_code == 404


def test_table_catalogue_has_only_the_texts_of_the_first_table_script(client: Client) -> None:
    address = reverse("catalogue", args=["hi", catalogue_version("hi")])
    texts, first = (client.get(address + part).content.decode() for part in ("", "?table"))
    for text in ("%(count)s card", "clockwise"):
        assert f'"{text}": ' in first
    for text in ("Volume", "Your cards"):
        assert f'"{text}": ' in texts
        assert f'"{text}": ' not in first
    assert "django.ngettext" in first


@pytest.mark.parametrize("accepted", ["gzip, deflate, br", "gzip", ""])
def test_catalogue_is_the_same_with_every_compression(client: Client, accepted: str) -> None:
    address = reverse("catalogue", args=["hi", catalogue_version("hi")])
    plain = client.get(address).content
    answer = client.get(address, HTTP_ACCEPT_ENCODING=accepted)
    kind = answer.headers.get("Content-Encoding", "")
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}[kind]
    assert unpack(answer.content) == plain
    assert kind == ("br" if "br" in accepted else accepted)
    assert len(answer.content) <= {"br": 14_000, "gzip": 17_000, "": len(plain)}[kind]
    if kind:
        assert "Accept-Encoding" in answer.headers["Vary"].split(", ")
