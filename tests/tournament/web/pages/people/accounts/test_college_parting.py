"""The pages on which an account is parted from the college's: its owner's, and a superuser's."""

import logging

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.factories import make_organizer
from tests.issuer import Issuer
from tests.tournament.visitors import PASSWORD, asha, signed_in
from tests.tournament.web.pages.people.accounts.test_college import (
    ADDRESS,
    PROVED,
    issuer,
    password_sign_up_closed,
    running_issuer,
    walk,
)
from tournament.models import Event, User

__all__ = ["issuer", "password_sign_up_closed", "running_issuer"]  # fixtures
pytestmark = pytest.mark.django_db

PART, PROFILE = reverse("college-part"), reverse("profile")


@pytest.fixture
def came(client: Client, issuer: Issuer) -> User:
    """Provide a user whose account is by the college's alone, signed in with it."""
    issuer.knows("asha", **PROVED)
    walk(client)
    return User.objects.get()


def test_the_account_s_page_leads_there_where_there_is_one(client: Client, came: User) -> None:
    assert f'href="{PART}"' in client.get(PROFILE).content.decode()
    shown = client.get(PART).content.decode()
    assert f"a code that we email to <strong>{ADDRESS}</strong>" in shown
    SocialAccount.objects.all().delete()
    assert PART not in client.get(PROFILE).content.decode()
    assert "No college account is linked to this account." in client.get(PART).content.decode()


def test_parted_it_opens_the_account_no_longer(
    client: Client, came: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    elsewhere = Client()
    walk(elsewhere)
    shown = client.post(PART, follow=True).content.decode()
    assert "Your college account has been unlinked." in shown
    assert not SocialAccount.objects.exists()
    assert signed_in(client)
    assert not signed_in(elsewhere)
    assert f"college account parted: account {came.pk}" in caplog.text


def test_the_college_s_account_is_then_another_one_where_the_address_has_changed(
    client: Client, came: User
) -> None:
    EmailAddress.objects.update(email="asha@private.example")
    User.objects.update(email="asha@private.example")
    client.post(PART)
    stranger = Client()
    walk(stranger)
    assert stranger.session["_auth_user_id"] != str(came.pk)


def test_with_the_same_address_signing_in_joins_it_again(client: Client, came: User) -> None:
    """As the page says."""
    assert "will link it to this account again" in client.get(PART).content.decode()
    client.post(PART)
    again = Client()
    walk(again)
    assert SocialAccount.objects.get().user == came


def test_where_no_way_would_be_left_a_sentence_says_so(client: Client, came: User) -> None:
    EmailAddress.objects.update(verified=False)
    shown = client.post(PART, follow=True).content.decode()
    assert "no one could sign in to this account" in shown
    assert SocialAccount.objects.exists()


def test_who_has_a_password_gives_it_again(client: Client, issuer: Issuer) -> None:
    """Guard against a passer-by who unlinks the college account in an open window."""
    asha()
    issuer.knows("asha", **PROVED)
    walk(client)
    asked = client.post(PART)["Location"]
    assert asked.startswith(reverse("account_reauthenticate"))
    assert SocialAccount.objects.exists()
    client.post(asked, {"password": PASSWORD})
    assert not SocialAccount.objects.exists()
    assert signed_in(client)


def test_a_session_of_the_desk_parts_nothing(client: Client, came: User) -> None:
    session = client.session
    session["account_authentication_methods"] = [{"method": "desk", "at": 0}]
    session.save()
    assert client.post(PART)["Location"] == PROFILE
    assert SocialAccount.objects.exists()


# --- a superuser


@pytest.fixture
def root(settings: Settings) -> Client:
    settings.STAFF_SECOND_FACTOR = False
    client = Client()
    client.force_login(make_organizer(name="Root", is_superuser=True))
    return client


def get_help_page_url(person: User) -> str:
    return reverse("admin:tournament_user_college", args=[person.pk])


def test_a_superuser_parts_it_for_somebody_with_a_reason(
    client: Client, came: User, root: Client
) -> None:
    account = reverse("admin:tournament_user_change", args=[came.pk])
    assert f'href="{get_help_page_url(came)}"' in root.get(account).content.decode()
    assert "Give a reason" in root.post(get_help_page_url(came), follow=True).content.decode()
    shown = root.post(get_help_page_url(came), {"reason": "Met her."}, follow=True).content.decode()
    assert "Asha Rao’s college account has been unlinked." in shown
    assert get_help_page_url(came) not in shown
    assert not SocialAccount.objects.exists()
    assert not signed_in(client)
    [entry] = LogEntry.objects.all()
    assert entry.change_message == "Unlinked Asha Rao’s college account. Met her."


def test_where_there_is_none_a_superuser_reads_so(root: Client) -> None:
    shown = root.get(get_help_page_url(asha())).content.decode()
    assert "No college account is linked to this account." in shown


def test_organizers_part_nothing(came: User) -> None:
    organizer = Client()
    organizer.force_login(make_organizer())
    assert organizer.post(get_help_page_url(came), {"reason": "So."}).status_code == 403
    assert SocialAccount.objects.exists()


@pytest.mark.usefixtures("password_sign_up_closed")
def test_without_sign_up_who_registers_signs_in_first(client: Client, event: Event) -> None:
    page = client.get(reverse("event-register", args=[event.slug]))["Location"]
    assert page.startswith(reverse("account_login"))


@pytest.mark.usefixtures("password_sign_up_closed")
def test_a_superuser_still_gets_in_by_password(client: Client) -> None:
    asha(is_staff=True, is_superuser=True)
    data = {"login": ADDRESS, "password": "seven-lucky-cards"}
    client.post(reverse("account_login"), data)
    assert signed_in(client)
