"""Tests of pauses, outages and extra time."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournament.helpers import start_drafted_round
from tests.tournament.organizing import page, press_button
from tournament.models import Event, Round, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def started_round(event: Event, organizer: User, drafted_round: Round) -> Round:
    return start_drafted_round(drafted_round, organizer, paper=False)


def test_outage_pauses_all_tables_until_it_ends(
    client: Client, event: Event, started_round: Round
) -> None:
    assert page("outages", event) in client.get(page("control", event)).text
    address = page("outages", event)
    assert "No pauses or outages yet." in client.get(address).text
    said = press_button(client, address, "outage", reason="The network is down.")
    assert "2 tables are paused until you resume them." in said
    assert "The tables are paused, and no one is losing time." in said
    said = press_button(client, address, "over")
    assert "2 tables resumed." in said
    assert said.count("The network is down.") == 1
    assert "No tables were paused." in press_button(
        client, page("control", event), "resume", round=started_round.pk
    )


def test_past_outage_can_be_recorded(client: Client, event: Event, started_round: Round) -> None:
    now = timezone.now()
    Round.objects.update(started_at=now - timedelta(minutes=10))
    times = {"began": now - timedelta(minutes=5), "ended": now - timedelta(minutes=3)}
    given = {name: f"{time:%Y-%m-%dT%H:%M:%S}" for name, time in times.items()}
    said = press_button(client, page("outages", event), "note", reason="No power.", **given)
    assert "Outage recorded. Every table gets the lost time back." in said
    assert ("2:00" in said, "No power." in said) == (True, True)
    for wrong in ("", "2026-99-99T00:00"):
        said = press_button(
            client, page("outages", event), "note", reason="P.", began=wrong, ended=wrong
        )
        assert "Enter both times." in said


def test_outage_cannot_start_without_a_running_round(client: Client, event: Event) -> None:
    assert "Pause all tables" not in client.get(page("outages", event)).text
    assert client.post(page("outages", event), {"action": "outage"}).status_code == 404


def test_table_gets_extra_minutes_and_its_turn_extra_seconds(
    client: Client, event: Event, started_round: Round
) -> None:
    address = page("table", event, started_round.tables.get(number=1).pk)
    assert (
        "The round has been extended at this table, and the table has received a message."
        in press_button(client, address, "minutes", minutes="5")
    )
    assert "This turn has been extended, and the table has received a message." in press_button(
        client, address, "turn", seconds="30"
    )
    assert "Enter a whole number." in press_button(client, address, "turn", seconds="soon")
