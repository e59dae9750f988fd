"""The state of a table as viewers know it."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class TableState(models.TextChoices):
    """The state of a table. Templates compare its values."""

    DRAFT = "draft", _("not published yet")
    WAITING = "waiting", _("waiting to start")
    PLAYING = "playing", _("playing")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")
    ABANDONED = "abandoned", _("abandoned")
    PAPER = "paper", _("physical cards")

    @property
    def is_live(self) -> bool:
        """True if a match is in progress on the site, even if it is paused."""
        return self in (TableState.PLAYING, TableState.PAUSED)
