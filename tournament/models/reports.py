"""Points that players report for paper tables, and the answers of the other players."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.play import Table
from tournament.models.registration import Registration


class Report(models.Model):
    """The points by seat that a player has reported for a table.

    Once enough other players have agreed, the points are stored as a Result and count.
    """

    personal = Personal(
        free={"points": "points"},
        purposes=(
            Purpose(
                "state at",
                Topic.GAMES,
                _("Points that you entered for a table"),
                _("So that the others at the table can confirm the points."),
                ColumnAudience.STAFF,
                Retention.EVENT,
            ),
        ),
        whose="by__user",
    )

    class State(models.TextChoices):
        OPEN = "open", _("waiting for the others at the table")
        AGREED = "agreed", _("confirmed by the table")
        DISPUTED = "disputed", _("disputed, waiting for the desk")
        DROPPED = "dropped", _("withdrawn, or settled by the desk")

    # Reports in these states still need a decision.
    UNDECIDED = (State.OPEN, State.DISPUTED)

    table = models.ForeignKey(Table, models.CASCADE, related_name="reports")
    points: "models.Field[list[int], list[int]]" = models.JSONField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    by = models.ForeignKey(Registration, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["table", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(state__in=["open", "disputed"]),
                name="one_standing_report_of_a_table",
            )
        ]

    def __str__(self) -> str:
        return f"{self.table}: {', '.join(map(str, self.points))}"


class Answer(models.Model):
    """A player's answer when asked whether reported points are correct.

    The author of the report need not answer.
    """

    personal = Personal(
        purposes=(
            Purpose(
                "agrees at",
                Topic.GAMES,
                _("Whether you confirmed or disputed points that another player entered"),
                _("To know when a result counts."),
                ColumnAudience.STAFF,
                Retention.EVENT,
            ),
        ),
        whose="registration__user",
    )

    report = models.ForeignKey(Report, models.CASCADE, related_name="answers")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="+")
    agrees = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["report", "registration"], name="one_answer_a_player")
        ]

    def __str__(self) -> str:
        return f"{self.registration}: {self.agrees}"
