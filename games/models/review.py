"""The worker's review of a match that is over."""

from django.db import models

from games.models.personal import Personal
from games.models.play import Match


class Review(models.Model):
    """Was it luck? Asked once of a match, by a press or when it has ended; answered by the worker.

    `done` of `total` actions have been looked at; `answer` is null until all
    have. `failed`: what is stored of the match cannot be played again.
    """

    personal = Personal(free={"seats and chances": "answer"})

    match = models.OneToOneField(Match, models.CASCADE, related_name="review")
    answer = models.JSONField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField()
    failed = models.BooleanField(default=False)
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["asked_at"],
                name="review_waiting",
                condition=models.Q(answer__isnull=True, failed=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.match)

    @property
    def runs(self) -> bool:
        """True while the answer is still to come."""
        return self.answer is None and not self.failed
