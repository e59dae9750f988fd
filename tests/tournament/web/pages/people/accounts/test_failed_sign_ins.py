"""Tests of the response to failed sign-ins, which docs/protocol.md describes."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.factories import make_user

pytestmark = pytest.mark.django_db

DOCUMENTED_CODE = re.compile(r"the sign-in failed\. The status is then (\d+), with the form")


def test_failed_sign_in_returns_the_status_documented_in_the_protocol(client: Client) -> None:
    text = (settings.BASE_DIR / "docs" / "protocol.md").read_text()
    [status] = DOCUMENTED_CODE.findall(text)
    user = make_user("Asha")
    data = {"login": user.email, "password": "not this one"}
    for _ in range(7):  # the last attempts exceed the limit
        answer = client.post(reverse("account_login"), data)
        assert answer.status_code == int(status)
        assert "Location" not in answer.headers
        assert 'name="password"' in answer.content.decode()
