"""Rulings: organizers' decisions about single players."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.event import Event
from tournament.models.play import Table
from tournament.models.registration import Registration
from tournament.models.stage import Stage


class Ruling(models.Model):
    """A decision about one player.

    * `registration`: the player concerned. For a substitution, the player who left the seat.
    * `table`: the table where the ruling was given, or None.
    * `stage`: the stage in whose standings `points` are deducted.
    * `substitute`: the player who took over the seat.
    * `before`: the state to restore if the ruling is undone, with its `version`.
    * `cancelled_at`: when the ruling was undone, or None. Rulings are never deleted.
    """

    personal = Personal(
        scrubbed="before reason cancel_reason",
        reasons="reason cancel_reason",
        purposes=(
            Purpose(
                "kind points before reason given_at cancelled_at cancel_reason",
                Topic.GAMES,
                _(
                    "Organizers’ decisions about you: cautions, points deducted, absences and "
                    "substitutes, with the reasons"
                ),
                _("To apply the rulings, and to be able to undo them."),
                ColumnAudience.STAFF,
                Retention.EVENT,
            ),
        ),
        whose="registration__user",
    )

    class Kind(models.TextChoices):
        CAUTION = "caution", _("caution")
        WARNING = "warning", _("warning")
        POINTS = "points", _("points deducted")
        DISQUALIFY = "disqualify", _("disqualification")
        FORFEIT = "forfeit", _("forfeit")
        LEAVE = "leave", _("left the event")
        SUBSTITUTE = "substitute", _("substitute")
        BOT = "bot", _("replaced by a bot")

    # Rulings that referees may give. All others affect who plays.
    FROM_REFEREE = (Kind.CAUTION, Kind.WARNING, Kind.POINTS)

    event = models.ForeignKey(Event, models.CASCADE, related_name="rulings")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="rulings")
    table = models.ForeignKey(Table, models.SET_NULL, related_name="rulings", null=True)
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rulings", null=True)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    points = models.PositiveSmallIntegerField(_("points deducted"), default=0)
    substitute = models.ForeignKey(
        Registration, models.PROTECT, related_name="stood_in", null=True, blank=True
    )
    before = models.JSONField(default=dict)
    reason = models.CharField(_("reason"), max_length=300)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    given_at = models.DateTimeField(auto_now_add=True)
    cancelled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True
    )
    cancelled_at = models.DateTimeField(null=True)
    cancel_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.registration}"

    @property
    def stands(self) -> bool:
        return self.cancelled_at is None
