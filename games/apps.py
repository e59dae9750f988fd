"""App configuration of live play, and its ports to the app that runs events."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Protocol

from django.apps import AppConfig, apps
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from games.play.codes import PlayCode
from games.protocol.desk import CountedResult, TableNews


class Commentary(Protocol):
    """Port that decides which users may see all cards of a match.

    Matches are identified by key.
    """

    def commentator_since(self, match: int, user: Any) -> datetime | None:
        """Return the time after which hands must be dealt for this signed-in user to see them."""

    def is_proven(self, user: Any, session_key: str) -> bool:
        """Return whether this session has sufficiently proved that it belongs to `user`."""

    def log_opening(self, match: int, user: Any, *, by_socket: bool) -> None:
        """Record that a commentator has opened the match, through a page or its socket."""


class NoCommentary:
    """Commentary port without commentators: live play itself grants that right to no one."""

    def commentator_since(self, match: int, user: Any) -> datetime | None:
        return None

    def is_proven(self, user: Any, session_key: str) -> bool:
        return False

    def log_opening(self, match: int, user: Any, *, by_socket: bool) -> None:
        """Do nothing, as there are no commentators."""


class SessionLimits(Protocol):
    """Port that limits some sessions to some matches.

    A limit is a number that only the organizing app understands.
    """

    def find(self, session: HttpRequest) -> int | None:
        """Return the session's limit, or None if it has none."""

    def covers(self, limit: int, match: int) -> bool:
        """Return whether a session with this limit may play in the match (by key)."""


class NoSessionLimits:
    """Port without limits: every session may play in all matches of its account."""

    def find(self, session: HttpRequest) -> int | None:
        return None

    def covers(self, limit: int, match: int) -> bool:
        return True


class DeskPort(Protocol):
    """Port to the organizers of a match's event.

    Matches are identified by key.
    """

    def news(self, matches: Collection[int]) -> dict[int, TableNews]:
        """Return the current desk news of the tables that belong to an event."""

    def result(self, match: int) -> CountedResult | None:
        """Return what counts of a finished match in its event; None without an event."""

    def call(self, match: int, seat: int, reason: str) -> None:
        """Call a referee to this seat.

        Raises games.services.RefusedError.
        """

    def take_back(self, match: int, seat: int) -> None:
        """Withdraw the seat's call for a referee.

        Raises games.services.RefusedError.
        """

    def check_reactions(self, match: int) -> None:
        """Check that players may react at this match's table.

        Raises games.services.RefusedError if they may not.
        """


class NoDesk:
    """Desk port for tables without an event: no referee calls and no reactions.

    There is no referee to call, and bots would not see any faces.
    """

    def news(self, matches: Collection[int]) -> dict[int, TableNews]:
        return {}

    def result(self, match: int) -> CountedResult | None:
        return None

    def call(self, match: int, seat: int, reason: str) -> None:
        self._refuse()

    def take_back(self, match: int, seat: int) -> None:
        self._refuse()

    def check_reactions(self, match: int) -> None:
        from games.play.answers import RefusedError

        raise RefusedError(
            PlayCode.NO_REACTIONS, gettext("Reactions are turned off at this table.")
        )

    def _refuse(self) -> None:
        from games.play.answers import RefusedError

        raise RefusedError(PlayCode.NO_DESK, gettext("You can’t call a referee to this table."))


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = gettext_lazy("Live play")
    # Set by who organizes matches, when that app is ready.
    commentary: Commentary = NoCommentary()
    desk: DeskPort = NoDesk()
    session_limits: SessionLimits = NoSessionLimits()

    def ready(self) -> None:
        from django.core import checks

        from games.checks import compiled_rules
        from games.language import CatalogueWords
        from games.rules import text

        checks.register(compiled_rules)
        text.install(CatalogueWords())


def get_games_config() -> GamesConfig:
    """Return the app's configuration, with the ports that are set there."""
    games = apps.get_app_config("games")
    assert isinstance(games, GamesConfig)
    return games
