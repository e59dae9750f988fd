"""Messages from the desk: their audience, how long they are shown, and refusals."""

from copy import deepcopy
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from tests.factories import make_user
from tests.tournament.helpers import get_refusal_code
from tests.tournament.staging import (
    match_of,
    organizer_of,
    player_at,
    running_round,
)
from tournament.models import AuditEntry, DeskMessage, Event, Table
from tournament.rounds.announcements import list_announcements, list_staff_messages, load_table_news
from tournament.rounds.desk_messages import send_message, withdraw_message
from tournament.web.live.boards import hash_public_facts

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_tables(shared_rows: None) -> list[Table]:
    """Provide the two tables of a running round."""
    return list(running_round(8).tables.order_by("number"))


@pytest.fixture
def tables(shared_tables: list[Table]) -> list[Table]:
    return deepcopy(shared_tables)


def get_event(tables: list[Table]) -> Event:
    return tables[0].round.stage.event


def send_to_audience(tables: list[Table], audience: str, table: Table | None = None) -> DeskMessage:
    event = get_event(tables)
    return send_message(event, organizer_of(event), f"For {audience}.", audience, table=table)


def list_messages_by_audience(tables: list[Table]) -> list[list[str]]:
    """Return the messages for players at both tables, then those for viewers of the first."""
    news = load_table_news([match_of(table).pk for table in tables])
    rows = [news[match_of(table).pk] for table in tables]
    lists = [rows[0].players, rows[1].players, rows[0].viewers]
    return [[str(line.said) for line in lines] for lines in lists]


@pytest.mark.parametrize(
    ("audience", "read"),
    [
        ("all", [True, True, True]),
        ("players", [True, True, False]),
        ("viewers", [False, False, True]),
        ("staff", [False, False, False]),
    ],
)
def test_message_reaches_its_audience_at_the_tables(
    tables: list[Table], audience: str, read: list[bool]
) -> None:
    send_to_audience(tables, audience)
    assert list_messages_by_audience(tables) == [[f"For {audience}."] * each for each in read]


def test_message_to_one_table_is_shown_only_there(tables: list[Table]) -> None:
    send_to_audience(tables, "table", tables[1])
    assert list_messages_by_audience(tables) == [[], ["For table."], []]


def test_pages_show_messages_to_their_audience(tables: list[Table]) -> None:
    event, visitor = get_event(tables), AnonymousUser()
    assert list_announcements(event, visitor) == []
    for audience in ("all", "players", "viewers", "staff"):
        send_to_audience(tables, audience)
    send_to_audience(tables, "table", tables[0])

    def list_audiences(user: object) -> list[str]:
        return sorted(message.audience for message in list_announcements(event, user))

    assert list_audiences(visitor) == ["all", "viewers"]
    assert list_audiences(make_user()) == ["all", "viewers"]
    assert list_audiences(player_at(tables[0])) == ["all", "players", "table"]
    assert list_audiences(player_at(tables[1])) == ["all", "players"]
    assert sorted(m.audience for m in list_staff_messages(event)) == ["all", "staff"]


def test_message_expires_and_can_be_withdrawn(tables: list[Table]) -> None:
    event = get_event(tables)
    first, second = send_to_audience(tables, "all"), send_to_audience(tables, "all")
    DeskMessage.objects.filter(pk=first.pk).update(expires_at=timezone.now())
    withdraw_message(second, organizer_of(event))
    assert list_messages_by_audience(tables) == [[], [], []]
    assert [
        get_refusal_code(withdraw_message, each, organizer_of(event)) for each in (first, second)
    ] == [
        "over",
        "over",
    ]
    log = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(log)[-3:] == ["message", "message", "message-back"]


def test_public_facts_change_when_a_message_is_sent_or_withdrawn(tables: list[Table]) -> None:
    event = get_event(tables)
    before = hash_public_facts(event)
    message = send_to_audience(tables, "players")
    said = hash_public_facts(event)
    withdraw_message(message, organizer_of(event))
    assert (before == said, hash_public_facts(event) == before) == (False, True)


def test_messages_of_other_events_are_not_shown(tables: list[Table]) -> None:
    other = list(running_round(8).tables.order_by("number"))
    send_to_audience(other, "all")
    assert list_messages_by_audience(tables) == [[], [], []]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"text": "  "}, "text"),
        ({"text": "x" * 301}, "text"),
        ({"minutes": 0}, "minutes"),
        ({"minutes": 1441}, "minutes"),
        ({"audience": "cats"}, "audience"),
        ({"audience": "table"}, "table"),
    ],
)
def test_invalid_message_is_refused(
    tables: list[Table], message: dict[str, object], code: str
) -> None:
    event = get_event(tables)
    fields = {"text": "Hello.", "audience": "all", "minutes": 5} | message
    assert get_refusal_code(send_message, event, organizer_of(event), **fields) == code
    assert not DeskMessage.objects.exists()


def test_table_is_accepted_only_for_the_audience_of_one_table(tables: list[Table]) -> None:
    event = get_event(tables)
    asked = get_refusal_code(
        send_message, event, organizer_of(event), "Hi.", "all", table=tables[0]
    )
    assert asked == "table"


def test_message_is_stored_on_one_line_with_the_requested_duration(tables: list[Table]) -> None:
    event = get_event(tables)
    message = send_message(event, organizer_of(event), " Pause\n now. ", "all", minutes=7)
    assert message.text == "Pause now."
    assert message.expires_at - message.sent_at == timedelta(minutes=7)
