"""The worker, which runs each queued task even after a crash or an outage."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.db import OperationalError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from games.models import Review, Sample, SampledFigures
from games.process.next_django import TaskResultStatus
from tests.games.reviewing import play_short_match
from tournament.mail import letters
from tournament.models import Letter
from tournament.serving import worker
from tournament.settings import TASKS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


@pytest.fixture(autouse=True)
def task_queue(settings: Settings) -> None:
    settings.TASKS = TASKS


def queue_letter(subject: str) -> None:
    message = EmailMessage(subject, "Hello", to=["asha@college.example"])
    letters.queue_letters([letters.write_letter(message)])


def create_claimed_task(by: str, ago: timedelta = timedelta()) -> None:
    """Create a task that a worker has claimed."""
    letters.send_due.enqueue()
    DBTaskResult.objects.update(
        status=TaskResultStatus.RUNNING, worker_ids=[by], started_at=timezone.now() - ago
    )


def list_task_states() -> list[str]:
    return [task.status for task in DBTaskResult.objects.all()]


@pytest.fixture
def running_worker() -> Iterator[threading.Thread]:
    """Run a worker in a thread that ends with the test."""
    ended = threading.Event()
    thread = threading.Thread(target=worker.work, args=("here", ended))
    thread.start()
    yield thread
    ended.set()
    thread.join(20)
    assert not thread.is_alive()


def wait_until(ready: Any, seconds: float = 10.0) -> None:
    end = threading.Event()
    for _ in range(int(seconds / 0.05)):
        if ready():
            return
        end.wait(0.05)
    raise AssertionError("not in time")


def test_due_task_runs_and_later_task_waits() -> None:
    queue_letter("now")
    letters.send_due.using(run_after=timezone.now() + timedelta(hours=1)).enqueue()
    worker.drain("mail", "here")
    assert [message.subject for message in mail.outbox] == ["now"]
    assert sorted(list_task_states()) == ["READY", "SUCCESSFUL"]


def test_drain_runs_only_the_tasks_of_its_queue() -> None:
    queue_letter("now")
    worker.drain("default", "here")
    assert (list_task_states(), mail.outbox) == (["READY"], [])


def test_worker_serves_every_queue_until_stopped(
    running_worker: threading.Thread,
) -> None:
    queue_letter("while it works")
    wait_until(lambda: not Letter.objects.exists())
    assert [message.subject for message in mail.outbox] == ["while it works"]


@pytest.mark.usefixtures("few_deals")
def test_finished_match_is_reviewed_automatically(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(worker, "ENDED_SECONDS", 0.05)
    match = play_short_match()
    request.getfixturevalue("running_worker")
    wait_until(lambda: Review.objects.filter(match=match, answer__isnull=False).exists())


@pytest.mark.usefixtures("few_deals")
def test_matches_are_reviewed_only_while_the_site_is_attended(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(worker, "ENDED_SECONDS", 0.05)
    Sample.objects.create(process="a", at=timezone.now(), figures=SampledFigures())
    play_short_match()
    request.getfixturevalue("running_worker")
    queue_letter("while nobody looks")
    wait_until(lambda: not Letter.objects.exists())
    assert not Review.objects.exists()
    visited = SampledFigures({}, {"lastcard_sockets": 1})
    Sample.objects.create(process="a", at=timezone.now(), figures=visited)
    wait_until(Review.objects.exists)


def test_task_of_an_ended_worker_in_the_same_slot_is_requeued() -> None:
    create_claimed_task(by="here")
    worker.requeue_tasks("here")
    assert list_task_states() == ["READY"]


def test_task_of_another_worker_is_requeued_after_an_hour() -> None:
    create_claimed_task(by="elsewhere", ago=timedelta(minutes=59))
    worker.requeue_tasks("here")
    assert list_task_states() == ["RUNNING"]
    create_claimed_task(by="elsewhere", ago=timedelta(minutes=61))
    worker.tidy()
    assert set(list_task_states()) == {"READY"}


def test_worker_continues_after_a_database_outage(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(worker, "RETRY_SECONDS", 0.05)
    answers = iter([OperationalError("the server closed the connection")])
    original_requeue = worker.requeue_tasks

    def requeue_tasks(slot: str) -> None:
        for error in answers:
            raise error
        original_requeue(slot)

    monkeypatch.setattr(worker, "requeue_tasks", requeue_tasks)
    ended = threading.Event()
    thread = threading.Thread(target=worker.work, args=("here", ended))
    thread.start()
    queue_letter("after the outage")
    wait_until(lambda: not Letter.objects.exists())
    ended.set()
    thread.join(20)
    assert "The worker waits for the database: the server closed" in caplog.text


def test_worker_can_be_stopped_during_an_outage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def raise_outage(slot: str) -> None:
        raise OperationalError

    monkeypatch.setattr(worker, "requeue_tasks", raise_outage)
    ended = threading.Event()
    ended.set()
    worker.work("here", ended)


@pytest.mark.parametrize(("before", "now"), worker.MOVED_TASKS.items())
def test_queued_task_runs_after_its_module_has_moved(before: str, now: str) -> None:
    queue_letter("now")
    DBTaskResult.objects.update(task_path=before)
    worker.requeue_tasks("here")
    waiting = DBTaskResult.objects.get()
    assert (waiting.task_path, callable(waiting.task.func)) == (now, True)
