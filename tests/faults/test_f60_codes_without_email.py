"""F60: without a mail server, the desk signs players in."""

import re
from collections.abc import Sequence

import pytest
import time_machine
from django.contrib.auth import get_user
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from tests.factories import make_event, make_organizer, make_registrations
from tests.tournament.organizing import page
from tests.tournament.visitors import is_signed_in, request_code
from tournament.models import Registration
from tournament.people.accounts.desk_codes import create_desk_code

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


class UnreachableMailServer(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        raise ConnectionRefusedError


@pytest.fixture
def player(settings: Settings) -> Registration:
    settings.MAILERS = {"default": {"BACKEND": f"{__name__}.UnreachableMailServer"}}
    return make_registrations(make_event(), 1)[0]


def test_student_waiting_for_a_code_gets_one_at_the_desk(player: Registration) -> None:
    phone, desk = Client(), Client()
    waiting = request_code(phone, player.user.email)
    assert (
        "The mail server isn’t accepting emails right now." in phone.get(waiting).content.decode()
    )
    desk.force_login(make_organizer(player.event))
    shown = desk.post(
        page("sign-in", player.event), {"action": "show", "registration": player.pk}
    ).content.decode()
    [code] = re.findall(r"<strong>(\w{4}-\w{4})</strong>", shown)
    phone.post(reverse("desk-sign-in"), {"code": code})
    assert get_user(phone) == player.user


def test_failed_notification_email_does_not_block_the_sign_in(
    player: Registration, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    code = create_desk_code(player, make_organizer(player.event)).code
    phone = Client()
    with django_capture_on_commit_callbacks(execute=True):
        phone.post(reverse("desk-sign-in"), {"code": code})
    assert is_signed_in(phone)


def test_unused_desk_code_expires_after_five_minutes(
    player: Registration,
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        old, phone = create_desk_code(player, make_organizer(player.event)).code, Client()
        clock.shift(301)
        phone.post(reverse("desk-sign-in"), {"code": old})
        assert not is_signed_in(phone)
        fresh = create_desk_code(player, make_organizer(player.event)).code
        clock.shift(290)
        phone.post(reverse("desk-sign-in"), {"code": fresh})
        assert is_signed_in(phone)
