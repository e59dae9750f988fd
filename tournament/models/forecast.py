"""Simulated forecasts of events, computed by the worker."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.event import Event


class Forecast(models.Model):
    """The latest question of one kind about an event, and its answer.

    * `ticket`: a value that changes with each question, so that work on an older question stops.
    * `question`, `answer`: their contents are defined in tournament/planning. `answer` is None
      until it is known.
    * `done`: the number of events simulated.
    * `total`: the number of events to simulate.
    * `problem`: the reason why there is no answer, or "".
    """

    personal = Personal(
        scrubbed="problem",
        free={"keys and chances": "ticket question answer"},
        purposes=(
            Purpose(
                "problem",
                Topic.WRITTEN,
                _("Errors while making a forecast"),
                _("To fix them."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
    )

    class Kind(models.TextChoices):
        PLAN = "plan", _("planner")
        PUBLIC = "public", _("who advances, based on public results")
        DESK = "desk", _("who advances, based on all results")

    event = models.ForeignKey(Event, models.CASCADE, related_name="forecasts")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    ticket = models.CharField(max_length=64)
    question = models.JSONField()
    answer = models.JSONField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField()
    problem = models.CharField(max_length=300, blank=True)
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "kind"], name="one_forecast_of_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.get_kind_display()}"

    @property
    def runs(self) -> bool:
        """Whether the answer is still being computed."""
        return self.answer is None and not self.problem
