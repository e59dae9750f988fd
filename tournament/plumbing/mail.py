"""Mail goes out beside the requests: one thread sends what they hand over.

A mail server that is slow or silent then costs no page its time and keeps no request's connection
to the database. What fails is logged, by the address's domain alone.
"""

import atexit
import contextlib
import itertools
import logging
import threading
from concurrent.futures import Future
from queue import Full, PriorityQueue
from typing import Any, NamedTuple

from django.conf import settings
from django.core.mail import EmailMessage, get_connection

logger = logging.getLogger(__name__)

# A few hundred notices and a code for everybody in a hall; more is a server that is away.
MOST_WAITING = 2000
# Short enough for systemd's and Docker's patience with a process that is to end.
FLUSH_SECONDS = 5.0


class Letter(NamedTuple):
    """Codes first: somebody waits for them. Else in the order in which they came."""

    rank: int
    number: int
    message: EmailMessage
    sent: Future[bool]


letters: PriorityQueue[Letter] = PriorityQueue(MOST_WAITING)
_numbers = itertools.count()
_start = threading.Lock()
_thread: threading.Thread | None = None


def post(message: EmailMessage, *, urgent: bool = False) -> Future[bool]:
    """Hand over a mail, after the commit; the answer is whether the mail server has taken it."""
    letter = Letter(0 if urgent else 1, next(_numbers), message, Future())
    if not settings.MAIL_THREAD:
        _send(letter, get_connection())
        return letter.sent
    _ensure_thread()
    try:
        letters.put_nowait(letter)
    except Full:
        _fail(letter, f"{letters.maxsize} others wait")
    return letter.sent


def flush(seconds: float = FLUSH_SECONDS) -> int:
    """Wait until all is sent, but not for longer; how many mails are left."""
    with letters.all_tasks_done:
        letters.all_tasks_done.wait_for(lambda: not letters.unfinished_tasks, seconds)
        left = letters.unfinished_tasks
    if left:
        mails = "1 mail has" if left == 1 else f"{left} mails have"
        logger.error("The process ends, and %s not been sent.", mails)
    return left


def _ensure_thread() -> None:
    global _thread
    with _start:
        if _thread is None:
            atexit.register(flush)
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_work, name="mail", daemon=True)
            _thread.start()


def _work() -> None:
    """Send for ever; mails that wait together share a connection."""
    while True:
        letter = letters.get()
        connection = get_connection()
        while _sent(letter, connection) and not letters.empty():
            letter = letters.get()
        with contextlib.suppress(OSError):
            connection.close()


def _sent(letter: Letter, connection: Any) -> bool:
    try:
        return _send(letter, connection)
    finally:
        letters.task_done()


def _send(letter: Letter, connection: Any) -> bool:
    try:
        connection.open()
        connection.send_messages([letter.message])
    except Exception as error:
        # Not its text, which may hold the address; and whatever it is, the next mail has its turn.
        _fail(letter, type(error).__name__)
        return False
    letter.sent.set_result(True)
    return True


def _fail(letter: Letter, reason: str) -> None:
    domains = {"@" + address.rpartition("@")[2] for address in letter.message.to}
    logger.error("A mail to %s was not sent: %s.", ", ".join(sorted(domains)), reason)
    letter.sent.set_result(False)
