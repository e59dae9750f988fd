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

from games.process import here
from games.process.parts import Part

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


# Sorts after all letters: the thread has nothing more to do.
END = (2, 0)


class Mail(Part):
    """A process's mail that waits, and the thread that sends it."""

    def __init__(self) -> None:
        self.letters: PriorityQueue[Any] = PriorityQueue(MOST_WAITING)
        self._numbers = itertools.count()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def post(self, message: EmailMessage, *, urgent: bool) -> Future[bool]:
        """Like the module's `post`."""
        letter = Letter(0 if urgent else 1, next(self._numbers), message, Future())
        if not settings.MAIL_THREAD:
            _send(letter, get_connection())
            return letter.sent
        self._ensure_thread()
        try:
            self.letters.put_nowait(letter)
        except Full:
            _fail(letter, f"{self.letters.maxsize} others wait")
        return letter.sent

    def flush(self, seconds: float = FLUSH_SECONDS) -> int:
        """Wait until all is sent, but not for longer; how many mails are left."""
        queue = self.letters
        with queue.all_tasks_done:
            queue.all_tasks_done.wait_for(lambda: not queue.unfinished_tasks, seconds)
            left = queue.unfinished_tasks
        if left:
            mails = "1 mail has" if left == 1 else f"{left} mails have"
            logger.error("The process ends, and %s not been sent.", mails)
        return left

    def close(self) -> None:
        """Send what waits and end the thread. What is left after that is lost with the process."""
        left = self.flush()
        atexit.unregister(self.flush)
        with self._starting:
            thread, self._thread = self._thread, None
        if thread is not None and not left:
            self.letters.put(END)
            thread.join(FLUSH_SECONDS)

    def _ensure_thread(self) -> None:
        with self._starting:
            if self._thread is None:
                atexit.register(self.flush)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="mail", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        """Send until the end; mails that wait together share a connection."""
        for first in iter(self.letters.get, END):
            letter, connection = first, get_connection()
            while self._sent(letter, connection) and self._others_wait():
                letter = self.letters.get()
            with contextlib.suppress(OSError):
                connection.close()
        self.letters.task_done()

    def _others_wait(self) -> bool:
        return not self.letters.empty() and self.letters.queue[0] != END

    def _sent(self, letter: Letter, connection: Any) -> bool:
        try:
            return _send(letter, connection)
        finally:
            self.letters.task_done()


def post(message: EmailMessage, *, urgent: bool = False) -> Future[bool]:
    """Hand over a mail, after the commit; the answer is whether the mail server has taken it."""
    return here().part(Mail).post(message, urgent=urgent)


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
