"""Tests of the security log, which has a line for each sign-in, wrong guess and refusal."""

import logging
from collections.abc import Callable

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_organizer, make_user
from tests.tournament.organizing import page
from tests.tournament.second_factor import compute_app_code, give_app
from tests.tournament.visitors import PASSWORD, make_asha, read_code, request_code, sign_in, sign_up
from tournament.models import User

pytestmark = pytest.mark.django_db
ReadLog = Callable[[], list[str]]


@pytest.fixture
def read_security_log(caplog: pytest.LogCaptureFixture) -> ReadLog:
    """Provide a function that returns the lines of the security log."""
    caplog.set_level(logging.INFO, "lastcard.security")
    return lambda: [
        f"{record.levelname} {record.getMessage()}"
        for record in caplog.records
        if record.name == "lastcard.security"
    ]


def test_sign_in_and_sign_out_are_logged_with_method_and_address(
    client: Client, read_security_log: ReadLog
) -> None:
    key = make_asha().pk
    sign_in(client)
    client.post(reverse("account_logout"))
    assert read_security_log() == [
        f"INFO signed in (password): account {key} from 127.0.0.1 at /accounts/login/",
        f"INFO signed out: account {key} from 127.0.0.1 at /accounts/logout/",
    ]


def test_sign_in_by_emailed_code_is_logged_with_its_method(
    client: Client, read_security_log: ReadLog, mailoutbox: list[EmailMessage]
) -> None:
    key = make_asha().pk
    client.post(request_code(client), {"code": read_code(mailoutbox[-1])})
    assert read_security_log() == [
        f"INFO signed in (code): account {key} from 127.0.0.1 at /accounts/login/code/confirm/"
    ]


def test_first_sign_in_of_a_new_account_is_logged_as_a_sign_up(
    client: Client, read_security_log: ReadLog, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(client)
    page = reverse("account_email_verification_sent")
    client.post(page, {"code": read_code(mailoutbox[-1])})
    key = User.objects.get().pk
    assert (
        read_security_log()[-1]
        == f"INFO signed in (sign-up): account {key} from 127.0.0.1 at {page}"
    )


def test_sign_in_with_two_factors_is_logged_as_one_entry(
    client: Client, read_security_log: ReadLog
) -> None:
    user = make_asha()
    secret = give_app(user)
    sign_in(client)
    assert read_security_log() == []
    client.post(reverse("mfa_authenticate"), {"code": compute_app_code(secret)})
    assert read_security_log() == [
        f"INFO signed in (password, mfa): account {user.pk} from 127.0.0.1 "
        "at /accounts/2fa/authenticate/"
    ]


def test_wrong_password_is_logged_with_the_account_but_not_the_input(
    client: Client, read_security_log: ReadLog
) -> None:
    key = make_asha().pk
    sign_in(client, password="something-else-1")
    sign_in(client, login="ASHA@college.example", password="something-else-2")
    where = "from 127.0.0.1 at /accounts/login/"
    assert read_security_log() == [f"WARNING wrong password: account {key} {where}"] * 2


def test_password_for_an_unknown_account_is_logged_without_the_address(
    client: Client, read_security_log: ReadLog
) -> None:
    sign_in(client, login="nobody@college.example")
    assert read_security_log() == [
        "WARNING wrong password: visitor from 127.0.0.1 at /accounts/login/"
    ]


def test_rate_limited_attempts_are_logged(client: Client, read_security_log: ReadLog) -> None:
    make_asha()
    for _ in range(6):
        sign_in(client, password="something-else-1")
    assert (
        read_security_log()[-1]
        == "WARNING too many tries: visitor from 127.0.0.1 at /accounts/login/"
    )


def test_wrong_email_code_is_logged(client: Client, read_security_log: ReadLog) -> None:
    make_asha()
    client.post(request_code(client), {"code": "AAAA-AAAA"})
    assert read_security_log() == [
        "WARNING wrong code of an email: visitor from 127.0.0.1 at /accounts/login/code/confirm/"
    ]


def test_wrong_second_factor_is_logged_with_the_account(
    client: Client, read_security_log: ReadLog
) -> None:
    user = make_asha()
    give_app(user)
    sign_in(client)
    client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert read_security_log() == [
        f"WARNING wrong second factor: account {user.pk} from 127.0.0.1 "
        "at /accounts/2fa/authenticate/"
    ]


def test_wrong_desk_code_is_logged_without_the_code(
    client: Client, read_security_log: ReadLog
) -> None:
    client.post("/sign-in/ABCD-EFGH/", {"code": "ABCD-EFGH"})
    assert read_security_log() == [
        "WARNING code of the desk refused (no-code): visitor from 127.0.0.1 at /sign-in/<str:code>/"
    ]


def test_password_and_factor_changes_are_logged(client: Client, read_security_log: ReadLog) -> None:
    key = make_asha().pk
    sign_in(client)
    client.post(
        reverse("account_change_password"),
        {
            "oldpassword": PASSWORD,
            "password1": "eight-lucky-lamps",
        },
    )
    where = "from 127.0.0.1 at /accounts/password/change/"
    assert read_security_log()[-1] == f"INFO new password: account {key} {where}"


def test_access_to_another_organizers_event_is_logged(
    client: Client, read_security_log: ReadLog
) -> None:
    stranger, event = make_organizer(), make_event()
    client.force_login(stranger)
    client.get(page("desk", event))
    assert read_security_log()[-1] == (
        f"WARNING refused 404 GET: account {stranger.pk} from 127.0.0.1 at {page('desk', event)}"
    )


def test_player_opening_the_admin_login_is_logged(
    client: Client, read_security_log: ReadLog
) -> None:
    player = make_user()
    client.force_login(player)
    client.get("/admin/login/")
    assert read_security_log()[-1] == (
        f"WARNING refused 403 GET: account {player.pk} from 127.0.0.1 at /admin/login/"
    )


def test_csrf_failure_is_logged(read_security_log: ReadLog) -> None:
    client = Client(enforce_csrf_checks=True)
    client.post(reverse("account_login"), {"login": "a@b.example"})
    assert read_security_log() == [
        "WARNING refused 403 POST: visitor from 127.0.0.1 at /accounts/login/"
    ]


def test_missing_page_is_not_logged_for_visitors(
    client: Client, read_security_log: ReadLog
) -> None:
    client.get("/e/nothing/")
    assert read_security_log() == []


def test_successful_requests_are_not_logged(client: Client, read_security_log: ReadLog) -> None:
    client.force_login(make_asha())
    client.get(reverse("profile"))
    assert [line for line in read_security_log() if "WARNING" in line] == []
