"""The states of a table as its viewers know them."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class TableState(models.TextChoices):
    """State of a table. Templates compare its value."""

    DRAFT = "draft", _("not published yet")
    WAITING = "waiting", _("waiting to start")
    PLAYING = "playing", _("playing")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")
    ABANDONED = "abandoned", _("abandoned")
    PAPER = "paper", _("physical cards")

    @property
    def is_live(self) -> bool:
        """True while a match is on at the site, even if it is paused."""
        return self in (TableState.PLAYING, TableState.PAUSED)
