"""Tests of messages that are stored for the next page."""

import pytest
from django.contrib.messages import get_messages
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from tests.tournament.visitors import make_asha
from tournament.site.messages import MessageCookieStorage

pytestmark = pytest.mark.django_db


def test_message_cookie_uses_the_configured_name(settings: Settings) -> None:
    settings.MESSAGES_COOKIE_NAME = "__Host-messages"
    assert MessageCookieStorage(RequestFactory().get("/")).cookie_name == "__Host-messages"


def test_message_cookie_is_hidden_from_scripts(client: Client, settings: Settings) -> None:
    client.force_login(make_asha())
    answer = client.post(reverse("profile"), {"display_name": "Asha B"})
    cookie = answer.cookies[settings.MESSAGES_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    page = client.get(reverse("profile"))
    assert [str(each) for each in get_messages(page.wsgi_request)] == ["Your name has been saved."]
