"""F40: limits on guessing passwords, codes and second factors."""

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import resolve, reverse

from tests.factories import make_event, make_organizer, make_registrations
from tests.tournament.second_factor import (
    authenticator_clock,
    compute_app_code,
    give_app,
    give_codes,
    submit_factor_code,
)
from tests.tournament.visitors import (
    is_signed_in,
    make_asha,
    read_code,
    record_guesses_of_strangers,
    request_code,
    sign_in,
)
from tournament.people.accounts.desk_codes import create_desk_code
from tournament.serving import flood_gate

__all__ = ["authenticator_clock"]

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
WRONG_PASSWORD = "wrong-wrong-wrong"


def test_five_wrong_passwords_lock_the_account_temporarily_for_this_network(
    client: Client, authenticator_clock: time_machine.Traveller
) -> None:
    make_asha()
    for _ in range(5):
        sign_in(client, password=WRONG_PASSWORD)
    sign_in(client)
    assert not is_signed_in(client)
    authenticator_clock.shift(301)
    sign_in(client)
    assert is_signed_in(client)


def test_successful_sign_ins_in_between_grant_no_extra_tries(client: Client) -> None:
    make_asha()
    for _ in range(5):
        sign_in(Client(), password=WRONG_PASSWORD)
        sign_in(Client())
    sign_in(client)
    assert not is_signed_in(client)


def test_strangers_on_all_networks_share_three_hundred_guesses_an_hour(
    authenticator_clock: time_machine.Traveller,
) -> None:
    make_asha()
    record_guesses_of_strangers(299)
    sign_in(Client(REMOTE_ADDR="192.0.2.66"), password=WRONG_PASSWORD)
    last = Client(REMOTE_ADDR="198.51.100.7")
    sign_in(last)
    assert not is_signed_in(last)
    authenticator_clock.shift(3601)
    sign_in(last)
    assert is_signed_in(last)


def test_all_addresses_of_an_ipv6_line_count_as_one_network(client: Client) -> None:
    make_asha()
    for number in range(5):
        sign_in(Client(REMOTE_ADDR=f"2001:db8:1:{number}::1"), password=WRONG_PASSWORD)
    last = Client(REMOTE_ADDR="2001:db8:1:99::1")
    sign_in(last)
    assert not is_signed_in(last)


def test_code_works_once_and_allows_three_tries(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    make_asha()
    page = request_code(client)
    for _ in range(3):
        client.post(page, {"code": "XXXX-XXXX"})
    client.post(page, {"code": read_code(mailoutbox[0])})
    assert not is_signed_in(client)


def test_code_does_not_work_on_another_device(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    make_asha()
    page = request_code(Client())
    client.post(page, {"code": read_code(mailoutbox[0])})
    assert not is_signed_in(client)


def test_five_wrong_app_codes_lock_the_account_temporarily(
    client: Client, authenticator_clock: time_machine.Traveller
) -> None:
    secret = give_app(make_asha())
    sign_in(client)
    wrong = str((int(compute_app_code(secret)) + 1) % 10**6).zfill(6)
    for _ in range(5):
        submit_factor_code(client, wrong)
    submit_factor_code(client, compute_app_code(secret))
    assert not is_signed_in(client)
    authenticator_clock.shift(301)
    submit_factor_code(client, compute_app_code(secret))
    assert is_signed_in(client)


@pytest.mark.parametrize("late", [0, 29])
def test_app_code_works_once_within_its_half_minute(
    authenticator_clock: time_machine.Traveller, late: int
) -> None:
    secret = give_app(make_asha())
    code = compute_app_code(secret)
    first, second = Client(), Client()
    for device, wait in ((first, 0), (second, late)):
        authenticator_clock.shift(wait)
        sign_in(device)
        submit_factor_code(device, code)
    assert (is_signed_in(first), is_signed_in(second)) == (True, False)


def test_app_code_of_the_previous_half_minute_is_refused(
    client: Client, authenticator_clock: time_machine.Traveller
) -> None:
    secret = give_app(make_asha())
    code = compute_app_code(secret)
    authenticator_clock.shift(30)
    sign_in(client)
    submit_factor_code(client, code)
    assert not is_signed_in(client)


def test_recovery_code_works_once() -> None:
    user = make_asha()
    give_app(user)
    code = give_codes(user)[0]
    first, second = Client(), Client()
    for device in (first, second):
        sign_in(device)
        submit_factor_code(device, code)
    assert (is_signed_in(first), is_signed_in(second)) == (True, False)


def test_desk_code_expires_after_five_minutes(
    client: Client, authenticator_clock: time_machine.Traveller
) -> None:
    (player,) = make_registrations(make_event(), 1)
    code = create_desk_code(player, make_organizer(player.event)).code
    authenticator_clock.shift(301)
    client.post(reverse("desk-sign-in"), {"code": code})
    assert not is_signed_in(client)


def test_desk_code_guesses_are_limited_to_ten_per_second() -> None:
    """Check that the limit covers the form and the address that contains the code.

    There are 30 ** 8 codes, and each expires after five minutes.
    """
    assert (flood_gate.IMMEDIATE_POSTS["desk-sign-in"], flood_gate.GAP) == (300, 0.1)
    for path in ("/sign-in/", "/sign-in/AAAA-AAAA/"):
        assert resolve(path).url_name == "desk-sign-in"
