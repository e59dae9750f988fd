"""The worker for queued tasks. Each queue has its own thread, so that emails never wait.

Tasks are database rows (django-tasks with its database backend), so none are lost if a process
ends, and several workers can share them. A worker checks whether there are tasks before it claims
one, because claiming takes SQLite's only write lock.
"""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from games.process.db import DATABASE_DOWN
from games.process.next_django import TaskResultStatus
from games.services import delete_guest_matches, request_recent_reviews
from tournament.mail import letters
from tournament.planning import outlook_task
from tournament.privacy import retention
from tournament.push import calls
from tournament.serving.state.samples import is_attended

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.5
RETRY_SECONDS = 2.0
TIDY_SECONDS = 60.0
# Seconds between deletions of expired data.
RETENTION_SECONDS = 600.0
# Seconds between updates of the players' chances to advance. An update takes a second or two.
OUTLOOK_SECONDS = 5.0
# Seconds between searches for absent players to call.
CALL_SECONDS = 1.0
# Seconds between searches for finished matches that need a review.
ENDED_SECONDS = 5.0
# If a task has been running for longer than this, its worker must have ended.
LONGEST_TASK = timedelta(hours=1)
# New paths of moved tasks, by old path. A task may have been queued before its module moved.
MOVED_TASKS = {
    "tournament.services.letters.send_due": "tournament.mail.letters.send_due",
    "tournament.services.forecasting.simulate": "tournament.planning.forecasts.simulate",
    "games.services.reviewing.review_match": "games.reviews.task.review_match",
}


def work(slot: str, ended: threading.Event) -> None:
    """Run the worker until `ended` is set.

    `slot` identifies this worker. Any earlier worker with the same slot has ended.
    """
    while not _run_with_database(lambda: requeue_tasks(slot)):
        if ended.wait(RETRY_SECONDS):
            return
    connection.close()  # From here on, each queue's thread opens its own connection.
    jobs: list[tuple[Callable[[], object], float]] = [
        (tidy, TIDY_SECONDS),
        (retention.delete_expired_data, RETENTION_SECONDS),
        (partial(_run_if_attended, outlook_task.update_chances), OUTLOOK_SECONDS),
        (partial(_run_if_attended, request_recent_reviews), ENDED_SECONDS),
        (calls.call_absent_players, CALL_SECONDS),
    ]
    jobs += [(partial(drain, queue, slot), POLL_SECONDS) for queue in list_queues()]
    threads = [threading.Thread(target=_repeat_until_ended, args=(*job, ended)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def list_queues() -> list[str]:
    names = settings.TASKS["default"]["QUEUES"]
    assert isinstance(names, list)
    return names


def drain(queue: str, slot: str) -> None:
    """Run all due tasks of a queue, then return."""
    if has_ready_tasks(queue):
        Worker(
            queue_names=[queue],
            interval=0.0,
            batch=True,
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=slot,
            excluded_queue_names=[],
        ).run()


def has_ready_tasks(queue: str) -> bool:
    return DBTaskResult.objects.ready().filter(queue_name=queue).exists()


def requeue_tasks(slot: str) -> None:
    """Requeue the tasks of workers that have ended, and update the paths of moved tasks.

    `slot` identifies a worker that has ended.
    """
    for old_path, new_path in MOVED_TASKS.items():
        DBTaskResult.objects.ready().filter(task_path=old_path).update(task_path=new_path)
    oldest_start = timezone.now() - LONGEST_TASK
    for task in DBTaskResult.objects.running():
        if task.worker_ids[-1:] == [slot] or (task.started_at and task.started_at < oldest_start):
            own_task = DBTaskResult.objects.running().filter(pk=task.pk, started_at=task.started_at)
            own_task.update(status=TaskResultStatus.READY)


def tidy() -> None:
    """Restart abandoned tasks and emails, and delete expired guests."""
    requeue_tasks("")
    delete_guest_matches(timezone.now())
    letters.tidy()


def _run_if_attended(job: Callable[[], object]) -> None:
    """Run an expensive job if the site has visitors who could see the result."""
    if is_attended():
        job()


def _repeat_until_ended(job: Callable[[], object], pause: float, ended: threading.Event) -> None:
    try:
        while not ended.wait(pause if _run_with_database(job) else RETRY_SECONDS):
            pass
    finally:
        connection.close()


def _run_with_database(job: Callable[[], object]) -> bool:
    """Run a job, and return whether the database was available."""
    try:
        job()
    except DATABASE_DOWN as error:
        logger.error("The worker waits for the database: %s", error)
        return False
    finally:
        # A thread keeps its SQLite connection, but returns a PostgreSQL connection to the pool.
        if connection.vendor != "sqlite":
            connection.close()
    return True
