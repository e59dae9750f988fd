"""App configuration for live play, with its ports to the app that runs events."""

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

    Matches are identified by primary key.
    """

    def commentator_since(self, match: int, user: Any) -> datetime | None:
        """Return the time from which this user may see all cards of the match, or None.

        A commentator sees the cards of all hands dealt after that time.
        """

    def is_proven(self, user: Any, session_key: str) -> bool:
        """Return whether this session is verified strongly enough for commentary."""

    def log_opening(self, match: int, user: Any, *, by_socket: bool) -> None:
        """Log that a commentator has opened the match's page or its socket."""


class NoCommentary:
    """Default `Commentary` port: no user is a commentator."""

    def commentator_since(self, match: int, user: Any) -> datetime | None:
        return None

    def is_proven(self, user: Any, session_key: str) -> bool:
        return False

    def log_opening(self, match: int, user: Any, *, by_socket: bool) -> None:
        """Do nothing, because there are no commentators."""


class SessionLimits(Protocol):
    """Port that restricts a session to certain matches.

    A limit is a number that only the organizing app can interpret.
    """

    def find(self, session: HttpRequest) -> int | None:
        """Return the limit of this session, or None if it has none."""

    def covers(self, limit: int, match: int) -> bool:
        """Return whether a session with this limit may play in the match with this primary key."""


class NoSessionLimits:
    """Default `SessionLimits` port: no session is restricted."""

    def find(self, session: HttpRequest) -> int | None:
        return None

    def covers(self, limit: int, match: int) -> bool:
        return True


class DeskPort(Protocol):
    """Port to the organizers of a match's event.

    Matches are identified by primary key.
    """

    def news(self, matches: Collection[int]) -> dict[int, TableNews]:
        """Return the desk's news for each match that belongs to an event, by primary key."""

    def result(self, match: int) -> CountedResult | None:
        """Return how this finished match counts in its event, or None if it belongs to no event."""

    def call_referee(self, match: int, seat: int, reason: str) -> None:
        """Call a referee to this seat.

        Raises RefusedError if that is not possible.
        """

    def withdraw_call(self, match: int, seat: int) -> None:
        """Withdraw this seat's call for a referee.

        Raises RefusedError if that is not possible.
        """

    def check_reactions(self, match: int) -> None:
        """Check that players at this match's table may send reactions.

        Raises RefusedError if they may not.
        """


class NoDesk:
    """Default `DeskPort`, used on a site without events.

    There is no referee to call. Reactions are off, because the other players are bots and would not
    see them.
    """

    def news(self, matches: Collection[int]) -> dict[int, TableNews]:
        return {}

    def result(self, match: int) -> CountedResult | None:
        return None

    def call_referee(self, match: int, seat: int, reason: str) -> None:
        self._refuse()

    def withdraw_call(self, match: int, seat: int) -> None:
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
    # The app that runs events replaces these ports in its own `ready`.
    commentary: Commentary = NoCommentary()
    desk: DeskPort = NoDesk()
    session_limits: SessionLimits = NoSessionLimits()

    def ready(self) -> None:
        from django.core import checks

        from games.checks import check_compiled_rules
        from games.language import CatalogueWords
        from games.rules import text

        checks.register(check_compiled_rules)
        text.install(CatalogueWords())


def get_games_config() -> GamesConfig:
    """Return the app's configuration, including the installed ports."""
    games = apps.get_app_config("games")
    assert isinstance(games, GamesConfig)
    return games
