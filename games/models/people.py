"""Reactions that people at a table show each other."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from games.models.play import Seat


class Reaction(models.Model):
    """Reaction of a player, shown briefly at the seat and stored.

    `shown` is one of REACTIONS in games.protocol.reactions.
    """

    personal = Personal(
        free={"one of a few signs": "shown"},
        purposes=(
            Purpose(
                "shown at",
                Topic.GAMES,
                _("Reactions you sent at a table"),
                _("To show your reactions to the others at the table, as far as the event allows."),
                ColumnAudience.TABLE,
                Retention.GAME,
            ),
        ),
        whose="seat__user",
    )

    seat = models.ForeignKey(Seat, models.CASCADE, verbose_name=_("seat"), related_name="reactions")
    shown = models.CharField(_("shown"), max_length=12)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("reaction")
        verbose_name_plural = _("reactions")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.seat}: {self.shown}"
