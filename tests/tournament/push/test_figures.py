"""Tests of the counts of push messages."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games.models import Match
from games.process import Process
from tests.factories import make_user
from tests.tournament.organizing import page
from tests.tournament.staging import first_table, match_of, organizer_of, running_round
from tournament.models import PushMessage, PushSubscription
from tournament.push.figures import push_counts
from tournament.serving.state.report import load_site_state

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def create_push_messages(match: Match, sent: int, failed: int, waiting: int = 0) -> None:
    now = timezone.now()
    device = PushSubscription.objects.create(user=make_user(), endpoint="1", used_at=now)
    states = [(now, None)] * sent + [(None, None)] * failed + [(None, now)] * waiting
    PushMessage.objects.bulk_create(
        PushMessage(
            subscription=device,
            match=match,
            call=str(number),
            written_at=now,
            until=now,
            sent_at=sent_at,
            due=due,
        )
        for number, (sent_at, due) in enumerate(states)
    )


def list_remarks() -> list[tuple[str, bool]]:
    remarks = load_site_state(timezone.now()).remarks
    return [(each.text, each.wrong) for each in remarks if each.title == "Push messages"]


def test_control_room_counts_recent_messages_of_the_event(client: Client) -> None:
    played = running_round()
    event = played.stage.event
    client.force_login(organizer_of(event))
    assert "Push messages" not in client.get(page("control", event)).text
    create_push_messages(match_of(first_table(played)), 3, 1, waiting=2)
    sentence = "Push messages in the last hour: 3 sent, 1 failed."
    assert sentence in client.get(page("control", event)).text
    assert sentence not in client.get(page("control", event), {"part": ""}).text
    PushMessage.objects.update(written_at=timezone.now() - timedelta(hours=2))
    assert push_counts(event) == (0, 0)


def test_site_status_counts_messages_and_warns_if_most_fail(
    process: Process, settings: Settings
) -> None:
    assert list_remarks() == [("No push messages in the last hour.", False)]
    match = match_of(first_table(running_round()))
    create_push_messages(match, 1, 2)
    assert list_remarks() == [("Push messages in the last hour: 1 sent, 2 failed.", True)]
    settings.PUSH_MESSAGES = False
    assert list_remarks() == [("Turned off in the settings.", False)]
