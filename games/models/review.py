"""Model of the review of a finished match."""

from django.db import models

from games.models.personal import Personal
from games.models.play import Match


class Review(models.Model):
    """Review "Was it luck?" of a match, computed by the worker.

    It is requested only once: by a player, or some time after the match.

    * `total`, `done`: the number of actions to review, and how many have been reviewed.
    * `answer`: null until the review is complete.
    * `failed`: true if the stored match cannot be replayed.
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
    def is_pending(self) -> bool:
        """True until the review is complete or has failed."""
        return self.answer is None and not self.failed
