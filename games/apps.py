from typing import Any, Protocol

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class Commentary(Protocol):
    """Who may see all cards of a match. Matches go by key."""

    def allowed(self, match: int, user: Any) -> bool:
        """Whether this person, who is signed in, may."""

    def opened(self, match: int, user: Any, *, by_socket: bool) -> None:
        """Write down that a commentator has opened the match, by a page or by its socket."""


class NoCommentary:
    """Live play itself gives nobody that right."""

    def allowed(self, match: int, user: Any) -> bool:
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
