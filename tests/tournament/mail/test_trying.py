"""Tests of `manage.py sendtestemail`, which sends a test email in the same way as other emails."""

from collections.abc import Sequence

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tournament.mail.letters import PRINTING_BACKEND

OPTIONS = {"host": "mail.example.edu", "port": 587}
ADDRESS = "you@college.example"


class RefusingBackend(BaseEmailBackend):
    def __init__(self, **_options: object) -> None:
        super().__init__()

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        raise ConnectionRefusedError(111, "Connection refused")


class AcceptingBackend(RefusingBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        mail.outbox.extend(email_messages)
        return len(email_messages)


def use_mail_backend(settings: Settings, backend: str) -> None:
    settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": OPTIONS}}


def test_accepting_mail_server_is_named(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    use_mail_backend(settings, f"{__name__}.AcceptingBackend")
    call_command("sendtestemail", ADDRESS)
    assert capsys.readouterr().out == "mail.example.edu:587 accepted it.\n"
    assert [message.to for message in mail.outbox] == [[ADDRESS]]


def test_mail_server_answer_is_shown(settings: Settings) -> None:
    use_mail_backend(settings, f"{__name__}.RefusingBackend")
    text = (
        "mail.example.edu:587 did not accept it: ConnectionRefusedError(111, 'Connection refused')"
    )
    with pytest.raises(CommandError) as refused:
        call_command("sendtestemail", ADDRESS)
    assert str(refused.value) == text


def test_test_email_is_refused_without_a_mail_server(settings: Settings) -> None:
    settings.MAILERS = {"default": {"BACKEND": PRINTING_BACKEND}}
    with pytest.raises(CommandError) as refused:
        call_command("sendtestemail", ADDRESS)
    assert str(refused.value) == "No mail server is configured: set EMAIL_HOST."
