"""Tests of push messages that call absent players to their table."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games import services as play
from games.models import Match
from tests.factories import make_event, make_user
from tests.games.helpers import act, begin, make_match
from tests.push_service import FakeDevice, PushReply, PushService
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.visitors import create_registration, sign_in_at_desk
from tests.typed import sure
from tournament.models import Event, PushMessage, PushSubscription, User
from tournament.push import calls, hosts, transport
from tournament.push.figures import push_counts
from tournament.push.services import DeviceKeys, subscribe
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

SubscribeDevice = Callable[..., FakeDevice]


@pytest.fixture
def subscribe_device(push_service: PushService) -> SubscribeDevice:
    """Return a function that signs in a user on a new device and subscribes it."""

    def subscribe_new_device(user: User | None, language: str = "en", at_desk: Any = None) -> Any:
        client = at_desk or Client()
        if not at_desk:
            client.force_login(sure(user))
        device = push_service.make_device(str(PushSubscription.objects.count()))
        keys = DeviceKeys(device.endpoint, **device.to_json()["keys"])
        subscribe(sure(user), client.session.session_key or "", language, keys)
        return device

    return subscribe_new_device


def start_overdue_match(**fields: Any) -> Match:
    """Begin a match of two players that started six minutes ago, with seat 0 to act."""
    match = begin(["R1 R2 RS", "R3 R4 G5"], "R7", "R9 G2 G3 G4", **{"turn_seconds": 60} | fields)
    Match.objects.update(started_at=timezone.now() - timedelta(minutes=6))
    return match


def get_user_at(match: Match, seat: int) -> User | None:
    return match.seats.get(number=seat).user


def let_time_pass(**time: float) -> None:
    """Make waiting messages due this much earlier, then run the worker."""
    for message in PushMessage.objects.filter(due__isnull=False):
        message.due = sure(message.due) - timedelta(**time)
        message.save()
    calls.call_absent_players()


def test_absent_player_in_turn_is_called_once(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match()
    device = subscribe_device(get_user_at(match, 0))
    subscribe_device(get_user_at(match, 1))
    for _ in range(3):
        calls.call_absent_players()
    [request] = push_service.requests
    assert device.read(request.body) == {
        "title": "Your turn",
        "body": "",
        "address": match.get_absolute_url(),
        "language": "en",
    }
    assert push_counts() == (1, 0)


def test_request_is_signed_and_limits_the_lifetime_of_the_call(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match(turn_seconds=40)
    device = subscribe_device(get_user_at(match, 0))
    calls.call_absent_players()
    [request] = push_service.requests
    assert f"{push_service.origin}{request.path}" == device.endpoint
    assert request.check_signature(push_service.origin)["aud"] == push_service.origin
    assert request.headers["content-encoding"] == "aes128gcm"
    assert request.headers["urgency"] == "high"
    assert 30 <= int(request.headers["ttl"]) <= 40


def test_call_to_a_new_turn_replaces_the_previous_call(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    calls.call_absent_players()
    act(match, 0, {"play": "R1"})
    calls.call_absent_players()
    act(match, 1, {"play": "R3"})
    calls.call_absent_players()
    topics = [request.headers["topic"] for request in push_service.requests]
    assert len(topics) == 2
    assert len({*topics}) == 1
    assert len(topics[0]) <= 32
    assert match.public_id not in topics[0]


def test_player_at_the_table_is_not_called(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    match.seats.filter(number=0).update(here="process")
    calls.call_absent_players()
    assert (push_service.requests, PushMessage.objects.count()) == ([], 0)
    match.seats.filter(number=0).update(here="")
    calls.call_absent_players()
    assert len(push_service.requests) == 1


def test_each_device_of_a_player_is_called_in_its_own_language(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match()
    for language in ("en", "xx"):
        subscribe_device(get_user_at(match, 0), language)
    calls.call_absent_players()
    assert {request.path for request in push_service.requests} == {"/push/0?v=2", "/push/1?v=2"}
    assert {each.subscription.language for each in PushMessage.objects.all()} == {"en", "xx"}


def start_event(players: int = 4) -> tuple[Event, list[Match]]:
    event, organizer = make_organized_event(players, title="Spring Cup")
    drafted = seat_round(first_stage(event), organizer)
    played = start_drafted_round(drafted, organizer, paper=False)
    return event, [sure(table.match) for table in played.tables.all()]


def test_players_of_an_event_are_called_when_their_match_begins(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    event, matches = start_event()
    seats = [seat for match in matches for seat in match.seats.all()]
    devices = [subscribe_device(seat.user) for seat in seats]
    calls.call_absent_players()
    by_path = {request.path: request for request in push_service.requests}
    texts = [device.read(by_path[f"/push/{n}?v=2"].body) for n, device in enumerate(devices)]
    assert {text["body"] for text in texts} == {"Spring Cup"}
    assert Counter(text["title"] for text in texts) == {"Your match has started": 3, "Your turn": 1}
    names = [seat.name for seat in seats]
    assert not any(name in json.dumps(text) for name in names for text in texts)
    assert push_counts(event) == (len(seats), 0)
    other, _organizer = make_organized_event(4)
    assert push_counts(other) == (0, 0)


def test_device_signed_in_at_a_desk_is_called_only_for_the_event_of_the_desk(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    event, _matches = start_event()
    row = sure(event.registrations.first())
    elsewhere = create_registration(make_event(), sure(row.user))
    devices = [
        subscribe_device(row.user, at_desk=sign_in_at_desk(each)) for each in (row, elsewhere)
    ]
    calls.call_absent_players()
    [request] = push_service.requests
    assert f"{push_service.origin}{request.path}" == devices[0].endpoint


def test_call_to_a_new_match_expires_after_five_minutes(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = make_match(people=2, share_seconds=60)
    subscribe_device(get_user_at(match, 0))
    play.start_match(match)
    calls.call_absent_players()
    [request] = push_service.requests
    assert 280 <= int(request.headers["ttl"]) <= 300


def test_long_title_is_cut(push_service: PushService, subscribe_device: SubscribeDevice) -> None:
    event, [match, *_others] = start_event()
    Event.objects.filter(pk=event.pk).update(title="त्योहार " * 14)
    device = subscribe_device(get_user_at(match, 0))
    calls.call_absent_players()
    body = device.read(push_service.requests[0].body)["body"]
    assert len(body) <= calls.MAX_TITLE_LENGTH
    assert body.endswith("…")


@pytest.mark.parametrize("status", [404, 410])
def test_device_that_no_longer_exists_is_deleted(
    push_service: PushService, subscribe_device: SubscribeDevice, status: int
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    push_service.replies = [PushReply(status)]
    calls.call_absent_players()
    assert not PushSubscription.objects.exists()
    assert push_counts() == (0, 0)


@pytest.mark.parametrize("status", [400, 401, 403, 413, 301, 307])
def test_refused_message_is_not_retried(
    push_service: PushService, subscribe_device: SubscribeDevice, status: int
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    push_service.replies = [PushReply(status, (("Location", f"{push_service.origin}/x"),))]
    calls.call_absent_players()
    let_time_pass(seconds=60)
    assert len(push_service.requests) == 1
    assert PushMessage.objects.get().error == f"refused {status}"
    assert push_counts().sentence == "Push messages in the last hour: 0 sent, 1 failed."


def test_failing_service_is_retried_with_growing_pauses(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match(turn_seconds=600)
    subscribe_device(get_user_at(match, 0))
    push_service.replies = [PushReply(500), PushReply(502), PushReply(503)]
    pauses = []
    for _ in range(3):
        let_time_pass(seconds=60)
        message = PushMessage.objects.get()
        pauses.append(round((sure(message.due) - timezone.now()).total_seconds()))
    assert pauses == [2, 4, 8]
    calls.call_absent_players()
    assert len(push_service.requests) == 3
    let_time_pass(seconds=60)
    assert push_counts() == (1, 0)
    assert PushMessage.objects.get().error == ""


def test_retry_waits_as_long_as_the_service_requests(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match(turn_seconds=600)
    subscribe_device(get_user_at(match, 0))
    push_service.replies = [PushReply(429, (("Retry-After", "45"),))]
    calls.call_absent_players()
    message = PushMessage.objects.get()
    assert 43 <= (sure(message.due) - timezone.now()).total_seconds() <= 45
    calls.call_absent_players()
    assert len(push_service.requests) == 1
    let_time_pass(seconds=45)
    assert push_counts() == (1, 0)


@pytest.mark.parametrize("retry_after", ["3600", "99999999999999999999"])
def test_message_is_not_retried_after_the_end_of_the_turn(
    push_service: PushService, subscribe_device: SubscribeDevice, retry_after: str
) -> None:
    match = start_overdue_match(turn_seconds=60)
    subscribe_device(get_user_at(match, 0))
    push_service.replies = [PushReply(429, (("Retry-After", retry_after),))]
    calls.call_absent_players()
    assert PushMessage.objects.get().due is None
    assert push_counts() == (0, 1)


def test_message_about_a_finished_turn_is_not_sent(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    push_service.replies = [PushReply(500)]
    calls.call_absent_players()
    act(match, 0, {"play": "R1"})
    let_time_pass(seconds=60)
    assert len(push_service.requests) == 1
    assert PushMessage.objects.count() == 0


def test_message_to_a_player_who_has_arrived_is_not_sent(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    push_service.replies = [PushReply(500)]
    calls.call_absent_players()
    match.seats.filter(number=0).update(here="process")
    let_time_pass(seconds=60)
    assert len(push_service.requests) == 1


@pytest.mark.parametrize("reason", ["away", "slow"])
def test_unanswered_message_is_retried(
    push_service: PushService,
    subscribe_device: SubscribeDevice,
    monkeypatch: pytest.MonkeyPatch,
    reason: str,
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    monkeypatch.setattr(transport, "TIMEOUT_SECONDS", 0.3)
    push_service.replies = [PushReply(seconds=1)]
    if reason == "away":
        push_service.stop()
    calls.call_absent_players()
    message = PushMessage.objects.get()
    assert message.error == {"away": "ConnectionRefusedError", "slow": "TimeoutError"}[reason]
    assert message.due is not None


def test_number_of_simultaneous_requests_is_limited(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match()
    for _ in range(10):
        subscribe_device(get_user_at(match, 0))
    push_service.replies = [PushReply(seconds=0.2) for _ in range(10)]
    calls.call_absent_players()
    assert len(push_service.requests) == 10
    assert 1 < push_service.most_at_once <= calls.THREADS


def test_message_is_claimed_by_one_worker(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    push_service.replies = [PushReply(500)]
    calls.call_absent_players()
    message, same = PushMessage.objects.get(), PushMessage.objects.get()
    now = timezone.now()
    assert [calls._claim_message(message, now), calls._claim_message(same, now)] == [True, False]
    calls.call_absent_players()
    assert len(push_service.requests) == 1


def test_address_removed_from_the_settings_is_not_retried(
    push_service: PushService, subscribe_device: SubscribeDevice, settings: Settings
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    settings.PUSH_SERVICES = []
    calls.call_absent_players()
    message = PushMessage.objects.get()
    assert (message.error, message.due, push_service.requests) == ("refused host", None, [])


def test_unusable_address_of_one_device_does_not_affect_others(
    push_service: PushService, subscribe_device: SubscribeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = start_overdue_match()
    for _ in range(2):
        subscribe_device(get_user_at(match, 0))
    real = hosts.find_address

    def find_address(host: str, port: int) -> str:
        monkeypatch.setattr(transport, "find_address", real)
        raise UnicodeError("label too long")

    monkeypatch.setattr(calls, "THREADS", 1)
    monkeypatch.setattr(transport, "find_address", find_address)
    calls.call_absent_players()
    assert len(push_service.requests) == 1
    assert push_counts() == (1, 1)


def test_unexpected_error_does_not_stop_the_worker(
    push_service: PushService,
    subscribe_device: SubscribeDevice,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    with monkeypatch.context() as broken:
        broken.setattr(calls, "encrypt", None)
        calls.call_absent_players()
    assert [record.message for record in caplog.records] == ["Could not call absent players"]
    let_time_pass(seconds=60)
    assert len(push_service.requests) == 1


def test_site_without_push_messages_sends_none(
    push_service: PushService, subscribe_device: SubscribeDevice, settings: Settings
) -> None:
    match = start_overdue_match()
    subscribe_device(get_user_at(match, 0))
    settings.PUSH_MESSAGES = False
    calls.call_absent_players()
    assert push_service.requests == []


def test_search_for_absent_players_takes_one_query_without_devices(
    django_assert_num_queries: Any,
) -> None:
    start_overdue_match()
    with django_assert_num_queries(1):
        calls.call_absent_players()


def test_player_is_not_called_on_a_device_that_is_signed_out(
    push_service: PushService, subscribe_device: SubscribeDevice
) -> None:
    match = start_overdue_match()
    user = sure(get_user_at(match, 0))
    subscribe_device(user)
    user.set_password("another long password")
    user.save()
    calls.call_absent_players()
    assert (push_service.requests, PushSubscription.objects.count()) == ([], 0)
    subscribe_device(make_user())
    calls.call_absent_players()
    assert push_service.requests == []
