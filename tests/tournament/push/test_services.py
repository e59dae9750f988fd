"""Tests of subscribing and removing devices."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.conf import settings as site
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.factories import make_user
from tests.push_service import FakeDevice
from tournament.models import PushSubscription, User
from tournament.people.accounts.services import sign_out_everywhere
from tournament.privacy import retention
from tournament.privacy.accounts import forget_account
from tournament.privacy.own_data import collect_own_data
from tournament.push import services
from tournament.push.services import DeviceKeys, iterate_signed_in, subscribe, unsubscribe

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

FCM_ADDRESS = "https://fcm.googleapis.com/fcm/send/"


def make_device_keys(name: str = "1") -> DeviceKeys:
    content = FakeDevice(f"{FCM_ADDRESS}{name}").to_json()
    return DeviceKeys(content["endpoint"], **content["keys"])


def sign_in(user: User) -> str:
    """Sign the user in and return the session's key."""
    client = Client()
    client.force_login(user)
    return client.cookies[site.SESSION_COOKIE_NAME].value


def subscribe_signed_in_device(user: User, name: str = "1") -> str:
    key = sign_in(user)
    subscribe(user, key, "en", make_device_keys(name))
    return key


def list_device_names() -> list[str]:
    return [each.endpoint.removeprefix(FCM_ADDRESS) for each in PushSubscription.objects.all()]


def list_signed_in_devices() -> list[str]:
    rows = PushSubscription.objects.select_related("user")
    return [
        each.subscription.endpoint.removeprefix(FCM_ADDRESS) for each in iterate_signed_in(rows)
    ]


def test_device_belongs_only_to_its_last_account() -> None:
    first, second = make_user(), make_user()
    subscribe(first, "a" * 32, "en", make_device_keys())
    subscribe(second, "b" * 32, "hi", make_device_keys())
    [kept] = PushSubscription.objects.all()
    assert (kept.user, kept.session, kept.language) == (second, "b" * 32, "hi")
    unsubscribe(first, kept.endpoint)
    assert list_device_names() == ["1"]
    unsubscribe(second, kept.endpoint)
    assert list_device_names() == []


def test_device_unused_for_longest_is_removed_at_the_limit() -> None:
    user = make_user()
    for number in range(services.MAX_DEVICES):
        subscribe(user, "a" * 32, "en", make_device_keys(str(number)))
    subscribe(user, "a" * 32, "en", make_device_keys("0"))
    subscribe(user, "a" * 32, "en", make_device_keys("new"))
    assert {*list_device_names()} == {"0", *map(str, range(2, services.MAX_DEVICES)), "new"}


@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": "https://10.0.0.1/"},
        {"p256dh": "AAAA"},
        {"p256dh": make_device_keys().p256dh[:-4]},
        {"p256dh": "B" + "A" * 86},
        {"p256dh": "not base64!"},
        {"auth": ""},
        {"auth": "AAAA"},
        {"auth": "A" * 40},
    ],
)
def test_device_without_a_usable_address_or_keys_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"address|host|key|base64|point|bytes"):
        subscribe(make_user(), "a" * 32, "en", make_device_keys()._replace(**changes))
    assert list_device_names() == []


def test_signing_out_removes_only_this_device() -> None:
    user = make_user()
    subscribe_signed_in_device(user, "other")
    client = Client()
    client.force_login(user)
    subscribe(user, client.session.session_key or "", "en", make_device_keys("this"))
    client.post("/accounts/logout/")
    assert list_device_names() == ["other"]


def test_device_is_not_called_after_its_session_ends() -> None:
    user = make_user()
    subscribe_signed_in_device(user)
    assert list_signed_in_devices() == ["1"]
    sign_out_everywhere(user)
    assert (list_signed_in_devices(), list_device_names()) == ([], [])


def test_new_password_stops_calls_to_all_devices() -> None:
    user = make_user()
    subscribe_signed_in_device(user)
    user.set_password("another long password")
    user.save()
    assert (list_signed_in_devices(), list_device_names()) == ([], [])


def test_inactive_account_is_not_called() -> None:
    user = make_user()
    subscribe_signed_in_device(user)
    User.objects.update(is_active=False)
    assert (list_signed_in_devices(), list_device_names()) == ([], [])


def test_device_with_the_session_of_another_account_is_not_called() -> None:
    key = sign_in(make_user())
    subscribe(make_user(), key, "en", make_device_keys())
    assert (list_signed_in_devices(), list_device_names()) == ([], [])


def test_guest_session_receives_no_calls() -> None:
    store = import_module(site.SESSION_ENGINE).SessionStore()
    store.create()
    subscribe(make_user(), store.session_key, "en", make_device_keys())
    assert list_signed_in_devices() == []


def test_retention_deletes_signed_out_and_unused_devices(settings: Settings) -> None:
    user = make_user()
    for name in ("kept", "expired", "ended", "unused"):
        key = subscribe_signed_in_device(user, name)
        if name == "expired":
            then = timezone.now() - timedelta(seconds=1)
            Session.objects.filter(session_key=key).update(expire_date=then)
        if name == "ended":
            Session.objects.filter(session_key=key).delete()
    long_ago = timezone.now() - timedelta(days=settings.KEEP_SESSION_DAYS + 1)
    PushSubscription.objects.filter(endpoint=f"{FCM_ADDRESS}unused").update(used_at=long_ago)
    assert retention.count_expired_data(timezone.now())["devices"] == 3
    assert retention.delete_expired_data()["devices"] == 3
    assert list_device_names() == ["kept"]
    settings.PUSH_MESSAGES = False
    retention.delete_expired_data()
    assert list_device_names() == []


def test_deleting_an_account_deletes_its_devices() -> None:
    user = make_user()
    subscribe_signed_in_device(user)
    forget_account(user)
    assert list_device_names() == []


def test_own_data_lists_the_device_without_its_keys() -> None:
    user = make_user()
    subscribe_signed_in_device(user)
    [row] = collect_own_data(user)["tournament.pushsubscription"]
    assert {*row} == {"language", "created_at", "used_at"}
