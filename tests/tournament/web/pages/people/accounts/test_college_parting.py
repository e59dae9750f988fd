"""Tests of the pages that unlink a college account."""

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
from tests.tournament.visitors import PASSWORD, is_signed_in, make_asha
from tests.tournament.web.pages.people.accounts.test_college import (
    ADDRESS,
    CLAIMS,
    disable_password_sign_up,
    issuer,
    running_issuer,
    sign_in_at_college,
)
from tournament.models import Event, User

__all__ = ["disable_password_sign_up", "issuer", "running_issuer"]  # fixtures
pytestmark = pytest.mark.django_db

PART, PROFILE = reverse("college-part"), reverse("profile")


@pytest.fixture
def college_user(client: Client, issuer: Issuer) -> User:
    """Provide a signed-in user who can sign in only with a college account."""
    issuer.add_user("asha", **CLAIMS)
    sign_in_at_college(client)
    return User.objects.get()


def test_profile_links_to_unlinking_only_with_a_college_account(
    client: Client, college_user: User
) -> None:
    assert f'href="{PART}"' in client.get(PROFILE).content.decode()
    shown = client.get(PART).content.decode()
    assert f"a code that we email to <strong>{ADDRESS}</strong>" in shown
    SocialAccount.objects.all().delete()
    assert PART not in client.get(PROFILE).content.decode()
    assert "No college account is linked to this account." in client.get(PART).content.decode()


def test_unlinked_college_account_no_longer_signs_in(
    client: Client, college_user: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    elsewhere = Client()
    sign_in_at_college(elsewhere)
    shown = client.post(PART, follow=True).content.decode()
    assert "Your college account has been unlinked." in shown
    assert not SocialAccount.objects.exists()
    assert is_signed_in(client)
    assert not is_signed_in(elsewhere)
    assert f"college account parted: account {college_user.pk}" in caplog.text


def test_unlinked_college_account_with_a_different_address_is_a_new_user(
    client: Client, college_user: User
) -> None:
    EmailAddress.objects.update(email="asha@private.example")
    User.objects.update(email="asha@private.example")
    client.post(PART)
    stranger = Client()
    sign_in_at_college(stranger)
    assert stranger.session["_auth_user_id"] != str(college_user.pk)


def test_unlinked_college_account_with_the_same_address_is_relinked(
    client: Client, college_user: User
) -> None:
    """Check that signing in links the account again, as the page says."""
    assert "will link it to this account again" in client.get(PART).content.decode()
    client.post(PART)
    again = Client()
    sign_in_at_college(again)
    assert SocialAccount.objects.get().user == college_user


def test_unlinking_the_only_sign_in_method_is_refused(client: Client, college_user: User) -> None:
    EmailAddress.objects.update(verified=False)
    shown = client.post(PART, follow=True).content.decode()
    assert "no one could sign in to this account" in shown
    assert SocialAccount.objects.exists()


def test_unlinking_requires_the_password_again(client: Client, issuer: Issuer) -> None:
    """Check that no one else can unlink the account in an unattended browser."""
    make_asha()
    issuer.add_user("asha", **CLAIMS)
    sign_in_at_college(client)
    asked = client.post(PART)["Location"]
    assert asked.startswith(reverse("account_reauthenticate"))
    assert SocialAccount.objects.exists()
    client.post(asked, {"password": PASSWORD})
    assert not SocialAccount.objects.exists()
    assert is_signed_in(client)


def test_desk_code_session_cannot_unlink(client: Client, college_user: User) -> None:
    session = client.session
    session["account_authentication_methods"] = [{"method": "desk", "at": 0}]
    session.save()
    assert client.post(PART)["Location"] == PROFILE
    assert SocialAccount.objects.exists()


# --- a superuser


@pytest.fixture
def superuser_client(settings: Settings) -> Client:
    settings.STAFF_SECOND_FACTOR = False
    client = Client()
    client.force_login(make_organizer(name="Root", is_superuser=True))
    return client


def get_help_page_url(person: User) -> str:
    return reverse("admin:tournament_user_college", args=[person.pk])


def test_superuser_can_unlink_for_a_user_with_a_reason(
    client: Client, college_user: User, superuser_client: Client
) -> None:
    account = reverse("admin:tournament_user_change", args=[college_user.pk])
    assert (
        f'href="{get_help_page_url(college_user)}"'
        in superuser_client.get(account).content.decode()
    )
    assert (
        "Give a reason"
        in superuser_client.post(get_help_page_url(college_user), follow=True).content.decode()
    )
    shown = superuser_client.post(
        get_help_page_url(college_user), {"reason": "Met her."}, follow=True
    ).content.decode()
    assert "Asha Rao’s college account has been unlinked." in shown
    assert get_help_page_url(college_user) not in shown
    assert not SocialAccount.objects.exists()
    assert not is_signed_in(client)
    [entry] = LogEntry.objects.all()
    assert entry.change_message == "Unlinked Asha Rao’s college account. Met her."


def test_superuser_sees_that_no_college_account_is_linked(superuser_client: Client) -> None:
    shown = superuser_client.get(get_help_page_url(make_asha())).content.decode()
    assert "No college account is linked to this account." in shown


def test_organizers_cannot_unlink(college_user: User) -> None:
    organizer = Client()
    organizer.force_login(make_organizer())
    assert organizer.post(get_help_page_url(college_user), {"reason": "So."}).status_code == 403
    assert SocialAccount.objects.exists()


@pytest.mark.usefixtures("disable_password_sign_up")
def test_registration_leads_to_sign_in_if_sign_up_is_disabled(client: Client, event: Event) -> None:
    page = client.get(reverse("event-register", args=[event.slug]))["Location"]
    assert page.startswith(reverse("account_login"))


@pytest.mark.usefixtures("disable_password_sign_up")
def test_superuser_can_still_sign_in_with_a_password(client: Client) -> None:
    make_asha(is_staff=True, is_superuser=True)
    data = {"login": ADDRESS, "password": "seven-lucky-cards"}
    client.post(reverse("account_login"), data)
    assert is_signed_in(client)
