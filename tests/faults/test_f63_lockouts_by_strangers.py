"""F63: failed sign-ins by strangers do not lock out an account's owner."""

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from tests.factories import make_user
from tests.faults.cases import TryCounter
from tests.tournament.second_factor import authenticator_clock
from tests.tournament.visitors import (
    PASSWORD,
    is_signed_in,
    make_asha,
    read_code,
    record_guesses_of_strangers,
    request_code,
    sign_in,
)
from tournament.models import User

__all__ = ["authenticator_clock"]

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HIS, HERS = "192.0.2.66", "198.51.100.7"
ADDRESS_PAIRS = [(HIS, HERS), ("2001:db8:66::1", "2001:db8:7::1"), (HIS, "2001:db8:7::1")]
FOR_EACH_ADDRESS_PAIR = pytest.mark.parametrize(
    ("his", "hers"), ADDRESS_PAIRS, ids=["IPv4", "IPv6", "both"]
)


def guess_passwords(address: str, times: int = 20) -> None:
    for _ in range(times):
        sign_in(Client(REMOTE_ADDR=address), password="wrong-wrong-wrong")


def request_codes(address: str, times: int = 20) -> None:
    for _ in range(times):
        client = Client(REMOTE_ADDR=address)
        client.post(reverse("account_request_login_code"), {"email": "asha@college.example"})


def can_sign_in_by_code(client: Client, mailoutbox: list[EmailMessage]) -> bool:
    page = request_code(client)
    client.post(page, {"code": read_code(mailoutbox[-1])})
    return is_signed_in(client)


@FOR_EACH_ADDRESS_PAIR
def test_owner_signs_in_from_a_new_device_despite_guesses_by_others(his: str, hers: str) -> None:
    make_asha()
    guess_passwords(his)
    owner = Client(REMOTE_ADDR=hers)
    sign_in(owner)
    assert is_signed_in(owner)


def test_locked_out_guesser_cannot_use_the_right_password() -> None:
    make_asha()
    guess_passwords(HIS)
    stranger = Client(REMOTE_ADDR=HIS)
    sign_in(stranger)
    assert not is_signed_in(stranger)


@FOR_EACH_ADDRESS_PAIR
def test_owner_gets_a_code_on_a_new_device_despite_requests_by_others(
    his: str, hers: str, mailoutbox: list[EmailMessage]
) -> None:
    make_asha()
    request_codes(his)
    assert can_sign_in_by_code(Client(REMOTE_ADDR=hers), mailoutbox)


def test_attacked_accounts_stay_open_to_owners_and_closed_to_the_guesser(
    tries: TryCounter,
) -> None:
    for _ in tries(20, 200):
        user = make_user()
        user.set_password(PASSWORD)
        user.save()
        stranger, owner = Client(REMOTE_ADDR=HIS), Client(REMOTE_ADDR=HERS)
        for _guess in range(6):
            sign_in(stranger, login=user.email, password="wrong-wrong-wrong")
        sign_in(stranger, login=user.email)
        sign_in(owner, login=user.email)
        assert (is_signed_in(stranger), is_signed_in(owner)) == (False, True)


# Known devices have separate tries


@pytest.fixture
def phone() -> Client:
    """Provide Asha's phone, on which she has signed in before."""
    make_asha()
    client = Client(REMOTE_ADDR=HERS)
    sign_in(client)
    client.post(reverse("account_logout"))
    assert not is_signed_in(client)
    return client


def test_known_device_has_separate_tries_on_a_shared_network(phone: Client) -> None:
    guess_passwords(HERS)
    sign_in(phone)
    assert is_signed_in(phone)


def test_known_device_has_limited_guesses(phone: Client) -> None:
    for _ in range(5):
        sign_in(phone, password="wrong-wrong-wrong")
    sign_in(phone)
    assert not is_signed_in(phone)


def test_known_device_signs_in_by_password_during_a_distributed_attack(phone: Client) -> None:
    record_guesses_of_strangers(310)
    stranger = Client(REMOTE_ADDR=HIS)
    sign_in(stranger)
    sign_in(phone)
    assert (is_signed_in(stranger), is_signed_in(phone)) == (False, True)


def test_known_device_gets_a_code_during_a_distributed_attack(
    phone: Client, mailoutbox: list[EmailMessage]
) -> None:
    for number in range(12):
        request_codes(f"203.0.113.{number}", times=3)
    assert len(mailoutbox) == 30  # the hourly limit for codes requested by strangers
    assert can_sign_in_by_code(phone, mailoutbox)


def test_device_is_known_only_for_the_account_that_used_it(phone: Client) -> None:
    ben = make_user("Ben", email="ben@college.example")
    ben.set_password(PASSWORD)
    ben.save()
    for _ in range(5):
        sign_in(Client(REMOTE_ADDR=HERS), login=ben.email, password="wrong-wrong-wrong")
    sign_in(phone, login=ben.email)
    assert not is_signed_in(phone)


@pytest.mark.parametrize("after", ["a new password", "signing out everywhere"])
def test_device_is_unknown_after_a_password_change_or_global_sign_out(
    phone: Client, after: str
) -> None:
    user = User.objects.get()
    if after == "a new password":
        user.set_password("eight-lucky-cards")
        user.save()
    else:
        own = Client(REMOTE_ADDR=HIS)
        own.force_login(user)
        own.post(reverse("sign-out-everywhere"))
    guess_passwords(HERS, times=5)
    sign_in(phone, password=PASSWORD if after != "a new password" else "eight-lucky-cards")
    assert not is_signed_in(phone)


# Guesser and owner on the same network


@pytest.mark.parametrize("guesses", [6, 40])
def test_owner_on_the_same_network_waits_seconds_and_signs_in(
    authenticator_clock: time_machine.Traveller, guesses: int
) -> None:
    make_asha()
    guess_passwords(HERS, guesses)
    owner = Client(REMOTE_ADDR=HERS)
    answer = sign_in(owner)
    assert "Wait 30 seconds and sign in again" in answer.text if guesses > 9 else True
    assert "or sign in with a code from an email or the desk" in answer.text
    authenticator_clock.shift(1)
    sign_in(owner)
    assert not is_signed_in(owner)
    # Further guesses do not extend her wait.
    guess_passwords(HERS, 10)
    authenticator_clock.shift(30)
    sign_in(owner)
    assert is_signed_in(owner)


def test_guesser_waits_longer_with_each_failure(
    authenticator_clock: time_machine.Traveller,
) -> None:
    make_asha()
    guess_passwords(HIS, 5)
    waited, guesser = [], Client(REMOTE_ADDR=HIS)
    for _ in range(4):
        message = sign_in(guesser, password="wrong-wrong-wrong").text
        waited.append(int(message.split("Wait ")[1].split(" second")[0]))
        authenticator_clock.shift(waited[-1])
        sign_in(guesser, password="wrong-wrong-wrong")
    assert waited == sorted(waited)
    assert waited[-1] == 30


def test_parallel_guesses_do_not_shorten_the_wait(
    authenticator_clock: time_machine.Traveller,
) -> None:
    make_asha()
    guess_passwords(HIS, 15)
    browsers = [Client(REMOTE_ADDR=HIS) for _ in range(20)]
    for browser in browsers:
        sign_in(browser, password="wrong-wrong-wrong")
    authenticator_clock.shift(31)
    answers = [sign_in(browser, password="wrong-wrong-wrong").text for browser in browsers]
    checked = ["Wrong email address or password." in answer for answer in answers]
    assert checked == [True] + [False] * 19
    assert "only one is checked every 30 seconds. Sign in with a code from" in answers[1]
    authenticator_clock.shift(31)
    answers = [sign_in(browser, password="wrong-wrong-wrong").text for browser in browsers[1:]]
    assert ["Wrong email address or password." in each for each in answers].count(True) == 1


def test_owner_crowded_out_by_guesses_signs_in_with_a_code_or_elsewhere(
    authenticator_clock: time_machine.Traveller, mailoutbox: list[EmailMessage]
) -> None:
    make_asha()
    guess_passwords(HERS, 15)
    guesser, owner = Client(REMOTE_ADDR=HERS), Client(REMOTE_ADDR=HERS)
    for browser in (guesser, owner):
        sign_in(browser, password="wrong-wrong-wrong")
    authenticator_clock.shift(31)
    sign_in(guesser, password="wrong-wrong-wrong")
    sign_in(owner)
    assert not is_signed_in(owner)
    assert can_sign_in_by_code(owner, mailoutbox)
    elsewhere = Client(REMOTE_ADDR=HIS)
    sign_in(elsewhere)
    assert is_signed_in(elsewhere)
