"""Tests that letter case in email addresses makes no difference."""

import pytest
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from tests.factories import make_user
from tests.tournament.visitors import PASSWORD, read_code
from tournament.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_superuser_with_an_uppercase_address_can_sign_in(
    client: Client, mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command(
        "createsuperuser", username="Boss", email="Boss@College.Example", interactive=False
    )
    given = {"login": "Boss@College.Example", "password": PASSWORD}
    asked = client.post(reverse("account_login"), given)
    client.post(asked["Location"], {"code": read_code(mailoutbox[-1])})
    assert client.get("/admin/").status_code == 200
    assert User.objects.get().email == "boss@college.example"


def test_admin_form_saves_lowercase_addresses(admin_client: Client) -> None:
    data = {"username": "dean", "email": "Dean@College.Example", "display_name": "Dean"}
    data |= {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    admin_client.post(reverse("admin:tournament_user_add"), data)
    assert User.objects.get(username="dean").email == "dean@college.example"


def test_accounts_cannot_differ_only_in_letter_case() -> None:
    make_user(email="asha@college.example")
    with transaction.atomic(), pytest.raises(IntegrityError):
        User.objects.create(username="other", email="Asha@College.example")
    with pytest.raises(IntegrityError):
        make_user(email="Asha@College.example")
