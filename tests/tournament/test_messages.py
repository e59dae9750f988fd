"""Sentences that wait for the next page."""

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from tests.tournament.visitors import asha
from tournament.plumbing.messages import Cookies

pytestmark = pytest.mark.django_db


def test_their_cookie_has_the_name_that_the_settings_give() -> None:
    assert Cookies.cookie_name == settings.MESSAGES_COOKIE_NAME


def test_a_sentence_waits_in_a_cookie_that_scripts_do_not_read(client: Client) -> None:
    client.force_login(asha())
    answer = client.post(reverse("profile"), {"display_name": "Asha B"})
    cookie = answer.cookies[settings.MESSAGES_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    page = client.get(reverse("profile"))
    assert [str(each) for each in get_messages(page.wsgi_request)] == ["Your name is saved."]
