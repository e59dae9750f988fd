"""Tests of the page "Privacy", which is built from the models' declarations and the settings."""

import re

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django import Settings

from games.models.personal import Retention, Topic
from tests.factories import make_event, make_user
from tournament.privacy.notice import build_notice, describe_retention_period, iterate_purposes
from tournament.privacy.queries import personal_columns

pytestmark = pytest.mark.django_db
RETENTION_DAYS = {
    "KEEP_EVENT_DAYS": 211,
    "KEEP_ACCOUNT_DAYS": 433,
    "KEEP_SESSION_DAYS": 17,
    "KEEP_MAIL_DAYS": 61,
    "KEEP_LOG_DAYS": 37,
    "KEEP_BACKUP_DAYS": 19,
}


@pytest.fixture
def retention_settings(settings: Settings) -> None:
    for name, days in RETENTION_DAYS.items():
        setattr(settings, name, days)


def read_notice(client: Client) -> str:
    answer = client.get(reverse("privacy"))
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text)).replace("&#x27;", "'")


def test_every_declared_purpose_is_on_the_page(client: Client) -> None:
    page = read_notice(client)
    models = [m for m in apps.get_models() if m._meta.app_label != "socialaccount"]
    declared = [each for model in models for each in personal_columns(model).purposes]
    assert [str(each.what) for each in declared if str(each.what) not in page] == []
    assert [str(each.why) for each in declared if str(each.why) not in page] == []


def test_every_topic_has_a_section_and_every_retention_period_a_sentence() -> None:
    assert [part.key for part in build_notice()] == [topic.value for topic in Topic]
    assert all(group.rows for part in build_notice() for group in part.groups)
    assert {each.until for each in iterate_purposes()} == {*Retention}
    assert all(describe_retention_period(until) for until in Retention)


def test_retention_periods_match_the_settings(client: Client, retention_settings: None) -> None:
    page = read_notice(client)
    assert [days for days in RETENTION_DAYS.values() if f"{days} days" not in page] == []


def test_notice_without_a_retention_period_names_who_deletes(client: Client) -> None:
    page = read_notice(client)
    assert "Until the event’s organizers delete it" in page
    assert "Until you have your account deleted. " in page


def test_contact_is_named(client: Client, settings: Settings) -> None:
    assert "contact the organizers of your event" in read_notice(client)
    settings.INSTITUTION = "Presidency <College>"
    settings.PRIVACY_CONTACT = "data@college.example"
    page = client.get(reverse("privacy")).text
    assert "<bdi>Presidency &lt;College&gt;</bdi> runs this site." in page
    assert 'href="mailto:data@college.example"' in page


def test_college_accounts_are_mentioned_only_if_they_are_enabled(
    client: Client, settings: Settings
) -> None:
    assert "If you sign in with a college account" not in read_notice(client)
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {}}
    assert "If you sign in with a college account" in read_notice(client)


def test_notice_is_linked_from_every_page_and_every_form_that_collects_data(client: Client) -> None:
    link = f'href="{reverse("privacy")}"'
    assert client.get("/").text.count(link) == 1
    assert client.get(reverse("account_signup")).text.count(link) == 2
    user, event = make_user(), make_event(state="open")
    client.force_login(user)
    assert client.get(reverse("event-register", args=[event.slug])).text.count(link) == 2
    assert client.get(reverse("profile")).text.count(link) == 2


@pytest.mark.parametrize("language", ["bn", "hi"])
def test_notice_is_available_in_other_languages(language: str) -> None:
    message = [
        text for each in iterate_purposes() for text in (each.what, each.why, each.seen.label)
    ]
    english = [str(text) for text in message]
    with translation.override(language):
        assert [text for text, now in zip(english, message, strict=True) if str(now) == text] == []
