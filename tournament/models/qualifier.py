"""Who has gone through to a later stage."""

from django.db import models

from tournament.models.stage import Stage


class Qualifier(models.Model):
    """A registration in a later stage, with its seed (1 is best). Kept when it withdraws."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="qualifiers")
    registration = models.ForeignKey("Registration", models.PROTECT, related_name="qualified")
    seed = models.PositiveSmallIntegerField()
    active = models.BooleanField(default=True)
    note = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["stage", "seed"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "registration"], name="qualified_once")
        ]

    def __str__(self) -> str:
        return f"{self.seed}. {self.registration}"
