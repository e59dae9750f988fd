"""F70: every email is sent once although the mail server, the site and the worker fail."""

import os
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.core.mail import EmailMessage
from pytest_django import Settings

from tests.faults.cases import TryCounter
from tests.live import SiteProcess
from tests.services import find_free_port, wait_for
from tournament.mail import letters
from tournament.models import Event, Letter
from tournament.settings import TASKS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.sql,
    pytest.mark.event(players=0),
]
# In seconds. The worker has low priority, and other tests may use the machine.
PATIENCE = 240


class MailServer:
    """Mail server that can be stopped and restarted on the same port.

    subjects: number of different Message-IDs by subject line
    copies: number of deliveries by Message-ID
    """

    def __init__(self) -> None:
        self.port = find_free_port()
        self.subjects: Counter[str] = Counter()
        self.copies: Counter[str] = Counter()
        self._controller: Controller | None = None

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        lines = envelope.content.decode().splitlines()
        [identity] = [line for line in lines if line.startswith("Message-ID: ")]
        self.copies[identity] += 1
        if self.copies[identity] == 1:
            self.subjects.update(line for line in lines if line.startswith("Subject: "))
        return "250 OK"

    def open(self) -> None:
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def close(self) -> None:
        if self._controller is not None:
            self._controller.stop()
            self._controller = None


class MailingSite(SiteProcess):
    """Site with a worker that sends emails through `mail_server`."""

    worker = True

    def __init__(self, collected_static: Path, mail_server: MailServer) -> None:
        super().__init__(collected_static)
        self.mail_server = mail_server

    def popen_options(self) -> dict[str, Any]:
        options = super().popen_options()
        mail = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": str(self.mail_server.port)}
        options["env"] |= mail | {"EMAIL_USE_TLS": "0"}
        return options

    def list_worker_ids(self) -> list[int]:
        """Return the ids of the site's child processes."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    boxes = MailServer()
    yield boxes
    boxes.close()


@pytest.fixture
def site(
    collected_static: Path, mail_server: MailServer, settings: Settings
) -> Iterator[MailingSite]:
    settings.TASKS = TASKS
    with MailingSite(collected_static, mail_server) as site:
        yield site


def post_notices(event: Event, numbers: Iterable[int]) -> list[str]:
    """Queue an email for each of `numbers` and an email with a code.

    Return the subject lines of these emails.
    """
    names = [f"You have place {number}" for number in numbers]
    for name in names:
        message = EmailMessage(name, "Hello", to=["asha@college.example"])
        letters.queue_letters([letters.write_letter(message, event=event, name="Asha")])
    code = EmailMessage("Your code", "123456", to=["asha@college.example"])
    letters.queue_letters([letters.write_letter(code, urgent=True)])
    return [f"Subject: {name}" for name in [*names, "Your code"]]


def count_unsent() -> int:
    return Letter.objects.filter(sent_at=None).count()


def test_every_email_is_sent_once_after_an_outage_and_two_crashes(
    site: MailingSite, mail_server: MailServer, event: Event, tries: TryCounter
) -> None:
    posted = post_notices(event, tries(12, 300))
    wait_for(lambda: not Letter.objects.filter(error="").exists(), "all to be tried", PATIENCE)
    assert {letter.error for letter in Letter.objects.all()} == {"ConnectionRefusedError"}
    site.crash()
    mail_server.open()
    site.start()
    wait_for(lambda: bool(site.list_worker_ids()), "a worker", 30)
    os.kill(site.list_worker_ids()[0], signal.SIGKILL)
    wait_for(lambda: count_unsent() == 0, "all mails to be sent", PATIENCE)
    assert mail_server.subjects == Counter(posted)
    # The email that the killed worker was sending may arrive twice.
    assert mail_server.copies.total() <= len(posted) + 1
    assert {letter.state for letter in event.letters.all()} == {"sent"}


def test_code_is_sent_within_two_seconds_when_the_mail_server_is_up(
    site: MailingSite, mail_server: MailServer, event: Event
) -> None:
    mail_server.open()
    post_notices(event, [1])
    wait_for(lambda: count_unsent() == 0, "the worker's first mails", 30)
    post_notices(event, [])
    wait_for(lambda: count_unsent() == 0, "the code", 2)
    assert mail_server.subjects["Subject: Your code"] == 2


def test_mail_worker_has_low_priority_and_stops_with_its_site(site: MailingSite) -> None:
    wait_for(lambda: bool(site.list_worker_ids()), "a worker", 30)
    [worker] = site.list_worker_ids()
    own = os.getpriority(os.PRIO_PROCESS, 0)
    wait_for(lambda: os.getpriority(os.PRIO_PROCESS, worker) == min(own + 10, 19), "it", 10)
    site.crash()
    wait_for(lambda: not is_running(worker), "the worker's end", 15)


def is_running(pid: int) -> bool:
    """Return whether a process with this id is still running."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_two_sites_share_a_worker_and_the_remaining_site_takes_over(
    site: MailingSite, mail_server: MailServer, collected_static: Path
) -> None:
    wait_for(lambda: bool(site.list_worker_ids()), "a worker", 30)
    with MailingSite(collected_static, mail_server) as other:
        wait_for(lambda: other.log.read_text() != "", "the other site", 10)
        assert other.list_worker_ids() == []
        site.crash()
        wait_for(lambda: bool(other.list_worker_ids()), "the other site's worker", 20)
