"""Sentences that wait for the next page."""

import pytest
from django.contrib.messages import get_messages
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from tests.tournament.visitors import asha
from tournament.site.messages import Cookies

pytestmark = pytest.mark.django_db


def test_their_cookie_has_the_name_that_the_settings_give(settings: Settings) -> None:
    settings.MESSAGES_COOKIE_NAME = "__Host-messages"
    assert Cookies(RequestFactory().get("/")).cookie_name == "__Host-messages"


def test_a_sentence_waits_in_a_cookie_that_scripts_do_not_read(
    client: Client, settings: Settings
) -> None:
    client.force_login(asha())
    answer = client.post(reverse("profile"), {"display_name": "Asha B"})
    cookie = answer.cookies[settings.MESSAGES_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    page = client.get(reverse("profile"))
    assert [str(each) for each in get_messages(page.wsgi_request)] == ["Your name has been saved."]
