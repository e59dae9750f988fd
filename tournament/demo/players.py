"""Automatic players for the demo's students, so that visitors find hands in progress.

They act through the same service as a player's socket, and take time to think. They do not play for
the student whose password is printed: that account is for the visitor.
"""

import logging
import random
import secrets
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.utils import timezone

from games import facts, services
from games.models import Match, Seat
from games.rules.bots import bots
from tournament.demo.league import Director
from tournament.demo.people import DOMAIN
from tournament.serving.state.samples import is_attended

logger = logging.getLogger(__name__)

CHECK_SECONDS = 0.4
DIRECTING_SECONDS = 3.0
# A longer interval for times without visitors, when no one is waiting for the next round.
UNATTENDED_DIRECTING_SECONDS = 20.0
THINKING_SECONDS = (1.2, 4.5)
STRENGTH = "plain"

_rng = random.SystemRandom()


class Players(threading.Thread):
    """A thread that plays for all demo students except `visitor`, until the process ends.

    `visitor` is a user name.
    """

    def __init__(self, visitor: str) -> None:
        super().__init__(name="demo-players", daemon=True)
        self.visitor = visitor
        self.director = Director(visitor)
        self.ended = threading.Event()
        self._marked_at = self._direct_next = float("-inf")

    def run(self) -> None:
        while not self.ended.wait(CHECK_SECONDS):
            for step in (self.mark_present, self.act_where_due, self.direct_leagues):
                _run_and_log_errors(step)

    def mark_present(self) -> None:
        """Record the students as present, like players with an open table page."""
        if time.monotonic() - self._marked_at < services.HEARTBEAT_SECONDS:
            return
        self._marked_at = time.monotonic()
        seats = Seat.objects.filter(match__practice=False, user__username__endswith="@" + DOMAIN)
        unfinished = seats.exclude(match__phase=Match.Phase.OVER)
        services.record_presence(
            unfinished.exclude(user__username=self.visitor).values_list("pk", flat=True)
        )

    def direct_leagues(self) -> None:
        """Advance the leagues every few seconds, or less often while there are no visitors."""
        now = time.monotonic()
        if now >= self._direct_next:
            pause = DIRECTING_SECONDS if is_attended() else UNATTENDED_DIRECTING_SECONDS
            self._direct_next = now + pause
            self.director.advance_leagues()

    def act_where_due(self, now: datetime | None = None) -> int:
        """Check every table once, and return the number of players who acted."""
        now = now or timezone.now()
        playing = Match.objects.filter(
            practice=False, phase=Match.Phase.PLAYING, paused_at__isnull=True
        )
        return sum(
            self._act_in_match(pk, version, now)
            for pk, version in playing.values_list("pk", "version")
        )

    def _act_in_match(self, pk: int, version: int, now: datetime) -> bool:
        turn = facts.turn(pk, version)
        if turn is None or not self._is_played_here(turn.seat) or now < _find_decision_time(turn):
            return False
        return _play_turn(turn, now)

    def _is_played_here(self, seat: Seat) -> bool:
        name = seat.user.username if seat.user else ""
        return name.endswith("@" + DOMAIN) and name != self.visitor


def _run_and_log_errors(step: Callable[[], object]) -> None:
    """Run the step and log any error, so that the demo continues."""
    try:
        step()
    except DatabaseError as error:
        logger.warning("The demo's players wait for the database: %s", error)
    except Exception:
        logger.exception("A step of the demo's players failed. They continue")


def _find_decision_time(turn: facts.Turn) -> datetime:
    """Return the time at which the player will act, after a random thinking time."""
    seed = f"{turn.seat.match_id}:{turn.version}"
    generator = random.Random(seed)  # noqa: S311 - not used for security
    return turn.began + timedelta(seconds=generator.uniform(*THINKING_SECONDS))


def _play_turn(turn: facts.Turn, now: datetime) -> bool:
    """Choose and play a move, using only information that the seat has.

    Returns False if another player was faster, or if a race is not decided yet.
    """
    action = bots.choose_action(turn.view(), turn.rules, STRENGTH, _rng)
    try:
        services.act(
            turn.seat.match_id,
            turn.seat.number,
            action.to_json(),
            version=turn.version,
            client_id=secrets.token_hex(8),
            now=now,
        )
    except (services.RefusedError, services.UndecidedError):
        return False
    return True
