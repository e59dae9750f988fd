from datetime import datetime
from typing import Any, Protocol

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class Commentary(Protocol):
    """Who may see all cards of a match. Matches go by key."""

    def since(self, match: int, user: Any) -> datetime | None:
        """Of which hands this person, who is signed in, may: those dealt then or later."""

    def proved(self, user: Any, session_key: str) -> bool:
        """Whether this session has proved well enough that it is that person's."""

    def opened(self, match: int, user: Any, *, by_socket: bool) -> None:
        """Write down that a commentator has opened the match, by a page or by its socket."""


class NoCommentary:
    """Live play itself gives nobody that right."""

    def since(self, match: int, user: Any) -> datetime | None:
        return None

    def proved(self, user: Any, session_key: str) -> bool:
        return False

    def opened(self, match: int, user: Any, *, by_socket: bool) -> None:
        """Nobody has."""


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = gettext_lazy("Live play")
    # Set by who organizes matches, when that app is ready.
    commentary: Commentary = NoCommentary()

    def ready(self) -> None:
        from django.utils import translation

        from games.rules import text

        text.install(translation)
