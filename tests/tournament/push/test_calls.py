"""Calls of absent players: what is sent to whom, once to each turn, and what becomes of it."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games import services as play
from games.models import Match
from tests.factories import make_user
from tests.games.helpers import act, begin, make_match
from tests.push_service import FakeDevice, PushReply, PushService
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.typed import sure
from tournament.models import Event, PushMessage, PushSubscription, User
from tournament.push import calls, hosts, transport
from tournament.push.figures import push_counts
from tournament.push.services import DeviceKeys, join
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

Join = Callable[..., FakeDevice]


@pytest.fixture
def join_device(push_service: PushService) -> Join:
    """Return a function that signs a user in on a new device with the bell on."""

    def join_new(user: User | None, language: str = "en") -> FakeDevice:
        client = Client()
        client.force_login(sure(user))
        device = push_service.make_device(str(PushSubscription.objects.count()))
        keys = DeviceKeys(device.endpoint, **device.to_json()["keys"])
        join(sure(user), client.session.session_key or "", language, keys)
        return device

    return join_new


def play_two(**fields: Any) -> Match:
    """Begin a match of two long ago, with seat 0 to act."""
    match = begin(["R1 R2 RS", "R3 R4 G5"], "R7", "R9 G2 G3 G4", **{"turn_seconds": 60} | fields)
    Match.objects.update(started_at=timezone.now() - timedelta(minutes=6))
    return match


def player(match: Match, seat: int) -> User | None:
    return match.seats.get(number=seat).user


def go_on(**time: float) -> None:
    """Let the worker look again, as if so much time had passed for messages that wait."""
    for message in PushMessage.objects.filter(due__isnull=False):
        message.due = sure(message.due) - timedelta(**time)
        message.save()
    calls.carry_out()


def test_absent_player_in_turn_is_called_once(push_service: PushService, join_device: Join) -> None:
    match = play_two()
    device = join_device(player(match, 0))
    join_device(player(match, 1))
    for _ in range(3):
        calls.carry_out()
    [got] = push_service.got
    assert device.read(got.body) == {
        "title": "Your turn",
        "body": "",
        "address": match.get_absolute_url(),
        "language": "en",
    }
    assert push_counts() == (1, 0)


def test_request_is_signed_and_says_how_long_the_call_is_worth(
    push_service: PushService, join_device: Join
) -> None:
    match = play_two(turn_seconds=40)
    device = join_device(player(match, 0))
    calls.carry_out()
    [got] = push_service.got
    assert f"{push_service.origin}{got.path}" == device.endpoint
    assert got.check_signature(push_service.origin)["aud"] == push_service.origin
    assert got.headers["content-encoding"] == "aes128gcm"
    assert got.headers["urgency"] == "high"
    assert 30 <= int(got.headers["ttl"]) <= 40


def test_each_turn_replaces_the_one_before(push_service: PushService, join_device: Join) -> None:
    match = play_two()
    join_device(player(match, 0))
    calls.carry_out()
    act(match, 0, {"play": "R1"})
    calls.carry_out()
    act(match, 1, {"play": "R3"})
    calls.carry_out()
    topics = [got.headers["topic"] for got in push_service.got]
    assert len(topics) == 2
    assert len({*topics}) == 1
    assert len(topics[0]) <= 32
    assert match.public_id not in topics[0]


def test_player_at_the_table_is_not_called(push_service: PushService, join_device: Join) -> None:
    match = play_two()
    join_device(player(match, 0))
    match.seats.filter(number=0).update(here="process")
    calls.carry_out()
    assert (push_service.got, PushMessage.objects.count()) == ([], 0)
    match.seats.filter(number=0).update(here="")
    calls.carry_out()
    assert len(push_service.got) == 1


def test_all_devices_of_a_player_are_called_each_in_its_language(
    push_service: PushService, join_device: Join
) -> None:
    match = play_two()
    for language in ("en", "xx"):
        join_device(player(match, 0), language)
    calls.carry_out()
    assert {got.path for got in push_service.got} == {"/push/0?v=2", "/push/1?v=2"}
    assert {each.subscription.language for each in PushMessage.objects.all()} == {"en", "xx"}


def start_event(players: int = 4) -> tuple[Event, list[Match]]:
    event, organizer = make_organized_event(players, title="Spring Cup")
    drafted = seat_round(first_stage(event), organizer)
    played = start_drafted_round(drafted, organizer, paper=False)
    return event, [sure(table.match) for table in played.tables.all()]


def test_players_of_an_event_are_called_to_the_beginning_of_their_match(
    push_service: PushService, join_device: Join
) -> None:
    event, matches = start_event()
    seats = [seat for match in matches for seat in match.seats.all()]
    devices = [join_device(seat.user) for seat in seats]
    calls.carry_out()
    by_path = {got.path: got for got in push_service.got}
    texts = [device.read(by_path[f"/push/{n}?v=2"].body) for n, device in enumerate(devices)]
    assert {text["body"] for text in texts} == {"Spring Cup"}
    assert {text["title"] for text in texts} <= {"Your match begins", "Your turn"}
    names = [seat.name for seat in seats]
    assert not any(name in json.dumps(text) for name in names for text in texts)
    assert push_counts(event) == (len(seats), 0)
    other, _organizer = make_organized_event(4)
    assert push_counts(other) == (0, 0)


def test_call_to_the_beginning_is_worth_some_minutes(
    push_service: PushService, join_device: Join
) -> None:
    match = make_match(people=2, share_seconds=60)
    join_device(player(match, 0))
    play.start_match(match)
    calls.carry_out()
    [got] = push_service.got
    assert 280 <= int(got.headers["ttl"]) <= 300


def test_long_title_is_cut(push_service: PushService, join_device: Join) -> None:
    event, [match, *_others] = start_event()
    Event.objects.filter(pk=event.pk).update(title="त्योहार " * 14)
    device = join_device(player(match, 0))
    calls.carry_out()
    body = device.read(push_service.got[0].body)["body"]
    assert len(body) <= calls.MOST_TITLE
    assert body.endswith("…")


@pytest.mark.parametrize("status", [404, 410])
def test_device_that_is_gone_is_forgotten(
    push_service: PushService, join_device: Join, status: int
) -> None:
    match = play_two()
    join_device(player(match, 0))
    push_service.replies = [PushReply(status)]
    calls.carry_out()
    assert not PushSubscription.objects.exists()
    assert push_counts() == (0, 0)


@pytest.mark.parametrize("status", [400, 401, 403, 413, 301, 307])
def test_refused_message_is_not_tried_again(
    push_service: PushService, join_device: Join, status: int
) -> None:
    match = play_two()
    join_device(player(match, 0))
    push_service.replies = [PushReply(status, (("Location", f"{push_service.origin}/x"),))]
    calls.carry_out()
    go_on(seconds=60)
    assert len(push_service.got) == 1
    assert PushMessage.objects.get().error == f"refused {status}"
    assert push_counts().sentence == "Push messages in the last hour: 0 sent, 1 failed."


def test_failing_service_is_tried_again_with_growing_pauses(
    push_service: PushService, join_device: Join
) -> None:
    match = play_two(turn_seconds=600)
    join_device(player(match, 0))
    push_service.replies = [PushReply(500), PushReply(502), PushReply(503)]
    pauses = []
    for _ in range(3):
        go_on(seconds=60)
        message = PushMessage.objects.get()
        pauses.append(round((sure(message.due) - timezone.now()).total_seconds()))
    assert pauses == [2, 4, 8]
    calls.carry_out()
    assert len(push_service.got) == 3
    go_on(seconds=60)
    assert push_counts() == (1, 0)
    assert PushMessage.objects.get().error == ""


def test_service_is_asked_again_when_it_says(push_service: PushService, join_device: Join) -> None:
    match = play_two(turn_seconds=600)
    join_device(player(match, 0))
    push_service.replies = [PushReply(429, (("Retry-After", "45"),))]
    calls.carry_out()
    message = PushMessage.objects.get()
    assert 43 <= (sure(message.due) - timezone.now()).total_seconds() <= 45
    calls.carry_out()
    assert len(push_service.got) == 1
    go_on(seconds=45)
    assert push_counts() == (1, 0)


@pytest.mark.parametrize("told", ["3600", "99999999999999999999"])
def test_service_that_wants_more_time_than_the_turn_has_is_given_up(
    push_service: PushService, join_device: Join, told: str
) -> None:
    match = play_two(turn_seconds=60)
    join_device(player(match, 0))
    push_service.replies = [PushReply(429, (("Retry-After", told),))]
    calls.carry_out()
    assert PushMessage.objects.get().due is None
    assert push_counts() == (0, 1)


def test_message_of_a_turn_that_is_over_is_not_sent(
    push_service: PushService, join_device: Join
) -> None:
    match = play_two()
    join_device(player(match, 0))
    push_service.replies = [PushReply(500)]
    calls.carry_out()
    act(match, 0, {"play": "R1"})
    go_on(seconds=60)
    assert len(push_service.got) == 1
    assert PushMessage.objects.count() == 0


def test_message_to_a_player_who_has_come_is_not_sent(
    push_service: PushService, join_device: Join
) -> None:
    match = play_two()
    join_device(player(match, 0))
    push_service.replies = [PushReply(500)]
    calls.carry_out()
    match.seats.filter(number=0).update(here="process")
    go_on(seconds=60)
    assert len(push_service.got) == 1


@pytest.mark.parametrize("reason", ["away", "slow"])
def test_service_that_does_not_answer_is_tried_again(
    push_service: PushService,
    join_device: Join,
    monkeypatch: pytest.MonkeyPatch,
    reason: str,
) -> None:
    match = play_two()
    join_device(player(match, 0))
    monkeypatch.setattr(transport, "TIMEOUT_SECONDS", 0.3)
    push_service.replies = [PushReply(seconds=1)]
    if reason == "away":
        push_service.stop()
    calls.carry_out()
    message = PushMessage.objects.get()
    assert message.error == {"away": "ConnectionRefusedError", "slow": "TimeoutError"}[reason]
    assert message.due is not None


def test_few_requests_run_at_a_time_however_many_are_called(
    push_service: PushService, join_device: Join
) -> None:
    match = play_two()
    for _ in range(10):
        join_device(player(match, 0))
    push_service.replies = [PushReply(seconds=0.2) for _ in range(10)]
    calls.carry_out()
    assert len(push_service.got) == 10
    assert 1 < push_service.most_at_once <= calls.THREADS


def test_message_is_claimed_by_one_worker(push_service: PushService, join_device: Join) -> None:
    match = play_two()
    join_device(player(match, 0))
    push_service.replies = [PushReply(500)]
    calls.carry_out()
    message, same = PushMessage.objects.get(), PushMessage.objects.get()
    now = timezone.now()
    assert [calls._claim(message, now), calls._claim(same, now)] == [True, False]
    calls.carry_out()
    assert len(push_service.got) == 1


def test_address_that_the_settings_no_longer_name_is_not_tried_again(
    push_service: PushService, join_device: Join, settings: Settings
) -> None:
    match = play_two()
    join_device(player(match, 0))
    settings.PUSH_SERVICES = []
    calls.carry_out()
    message = PushMessage.objects.get()
    assert (message.error, message.due, push_service.got) == ("refused host", None, [])


def test_device_whose_address_leads_nowhere_does_not_keep_others_from_being_called(
    push_service: PushService, join_device: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = play_two()
    for _ in range(2):
        join_device(player(match, 0))
    real = hosts.find_address

    def find_address(host: str, port: int) -> str:
        monkeypatch.setattr(transport, "find_address", real)
        raise UnicodeError("label too long")

    monkeypatch.setattr(calls, "THREADS", 1)
    monkeypatch.setattr(transport, "find_address", find_address)
    calls.carry_out()
    assert len(push_service.got) == 1
    assert push_counts() == (1, 1)


def test_unexpected_error_does_not_end_the_worker(
    push_service: PushService,
    join_device: Join,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    match = play_two()
    join_device(player(match, 0))
    with monkeypatch.context() as broken:
        broken.setattr(calls, "encrypt", None)
        calls.carry_out()
    assert [record.message for record in caplog.records] == ["Absent players are not called"]
    go_on(seconds=60)
    assert len(push_service.got) == 1


def test_site_without_push_messages_calls_nobody(
    push_service: PushService, join_device: Join, settings: Settings
) -> None:
    match = play_two()
    join_device(player(match, 0))
    settings.PUSH_MESSAGES = False
    calls.carry_out()
    assert push_service.got == []


def test_look_costs_one_query_without_devices(django_assert_num_queries: Any) -> None:
    play_two()
    with django_assert_num_queries(1):
        calls.carry_out()


def test_player_who_has_signed_out_is_not_called(
    push_service: PushService, join_device: Join
) -> None:
    match = play_two()
    user = sure(player(match, 0))
    join_device(user)
    user.set_password("another long password")
    user.save()
    calls.carry_out()
    assert (push_service.got, PushSubscription.objects.count()) == ([], 0)
    join_device(make_user())
    calls.carry_out()
    assert push_service.got == []
