"""Mail goes out beside the requests: a mail server that hangs or refuses holds up nobody."""

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from threading import Event

import pytest
from django.core import mail as django_mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.live import background
from games.process import here
from tests.tournament.visitors import asha, ask_for_code, code_in, sign_up, signed_in
from tournament import asgi
from tournament.models import User
from tournament.plumbing import mail
from tournament.plumbing.mail import Mail
from tournament.services.notices import Outbox

HERE = "tests.tournament.test_mail"
PATIENCE = 20


class Silent(EmailBackend):
    """Takes no mail until it is told to answer."""

    asked = Event()
    answers = Event()

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        self.asked.set()
        if not self.answers.wait(PATIENCE):
            raise TimeoutError
        return super().send_messages(messages)


class Refusing(BaseEmailBackend):
    def open(self) -> None:
        raise ConnectionRefusedError("no mail server here for asha@college.example")


@pytest.fixture(autouse=True)
def beside_requests(settings: Settings) -> Iterator[None]:
    settings.MAIL_THREAD = True
    yield
    Silent.answers.set()
    assert here().part(Mail).flush(PATIENCE) == 0


@pytest.fixture
def silent(settings: Settings, beside_requests: None) -> type[Silent]:
    settings.EMAIL_BACKEND = f"{HERE}.Silent"
    Silent.asked.clear()
    Silent.answers.clear()
    return Silent


def letter(subject: str) -> EmailMessage:
    return EmailMessage(subject, "Hello", to=["asha@college.example"])


def subjects() -> list[str]:
    return [str(message.subject) for message in django_mail.outbox]


def sentences(client: Client, address: str) -> list[str]:
    return [str(message) for message in client.get(address).context["messages"]]


@pytest.mark.django_db
def test_pages_answer_while_the_mail_server_is_silent(client: Client, silent: type[Silent]) -> None:
    asha()
    page = ask_for_code(client)
    assert silent.asked.wait(PATIENCE)
    assert "We have sent a code" in client.get(page).content.decode()
    assert client.get(reverse("healthz")).status_code == 200
    assert subjects() == []
    silent.answers.set()
    assert here().part(Mail).flush(PATIENCE) == 0
    client.post(page, {"code": code_in(django_mail.outbox[0])})
    assert signed_in(client)


@pytest.mark.django_db
def test_signing_up_with_the_mail_server_away_can_go_on_when_it_is_back(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = f"{HERE}.Refusing"
    page = sign_up(client)["Location"]
    assert here().part(Mail).flush(PATIENCE) == 0
    assert caplog.messages == ["A mail to @college.example was not sent: ConnectionRefusedError."]
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    cache.clear()  # ten seconds later
    client.post(page, {"action": "resend"})
    assert here().part(Mail).flush(PATIENCE) == 0
    client.post(page, {"code": code_in(django_mail.outbox[0])})
    assert signed_in(client)
    assert User.objects.count() == 1


def test_a_failure_leaves_no_address_in_the_log_and_the_next_mail_its_turn(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = f"{HERE}.Refusing"
    assert mail.post(letter("first")).result(PATIENCE) is False
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert mail.post(letter("second")).result(PATIENCE) is True
    assert subjects() == ["second"]
    assert "asha" not in caplog.text


@pytest.mark.django_db
def test_when_too_much_mail_waits_the_person_is_told(
    client: Client, silent: type[Silent], monkeypatch: pytest.MonkeyPatch
) -> None:
    asha()
    mail.post(letter("in the server's hands"))
    assert silent.asked.wait(PATIENCE)
    monkeypatch.setattr(here().part(Mail).letters, "maxsize", 1)
    mail.post(letter("waits"))
    page = ask_for_code(client)
    assert "We could not send the mail. Please try again in a few minutes." in sentences(
        client, page
    )


def test_codes_go_before_notices(silent: type[Silent]) -> None:
    mail.post(letter("in the server's hands"))
    assert silent.asked.wait(PATIENCE)
    mail.post(letter("notice"))
    mail.post(letter("code"), urgent=True)
    silent.answers.set()
    assert here().part(Mail).flush(PATIENCE) == 0
    assert subjects() == ["in the server's hands", "code", "notice"]


def test_an_organizer_waits_for_no_slow_server_and_is_told_so(
    silent: type[Silent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.services.notices.PATIENCE", 0.0)
    box = Outbox([(f"Student {number}", letter("You have a place")) for number in range(300)])
    box.deliver()
    assert box.sentence == (
        "300 mails are still on the way; if one fails, the server's log names its domain."
    )


def test_the_end_of_the_process_waits_only_so_long(
    silent: type[Silent], caplog: pytest.LogCaptureFixture
) -> None:
    mail.post(letter("never sent"))
    assert here().part(Mail).flush(0) == 1
    assert caplog.messages == ["The process ends, and 1 mail has not been sent."]


def test_the_server_ends_when_the_mail_is_out(
    silent: type[Silent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "running", lambda process: contextlib.nullcontext())
    mail.post(letter("the last"))
    told = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
    said = []

    async def receive() -> dict[str, str]:
        return next(told)

    async def send(message: dict[str, str]) -> None:
        said.append((message["type"], subjects()))
        silent.answers.set()

    asyncio.run(asgi.Site(here())({"type": "lifespan"}, receive, send))
    assert said == [
        ("lifespan.startup.complete", []),
        ("lifespan.shutdown.complete", ["the last"]),
    ]
