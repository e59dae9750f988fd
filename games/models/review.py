"""What the worker finds out about a match that is over."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.play import Match


class Review(models.Model):
    """Was it luck? Asked once of a match, answered by the worker.

    `done` of `total` actions have been looked at; `answer` (games/stored/reviewed.py) is null until
    all have. `failed`: what is stored of the match cannot be played again.
    """

    match = models.OneToOneField(
        Match, models.CASCADE, verbose_name=_("match"), related_name="review"
    )
    answer = models.JSONField(_("answer"), null=True)
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("total"))
    failed = models.BooleanField(_("failed"), default=False)
    asked_at = models.DateTimeField(_("asked at"))
    answered_at = models.DateTimeField(_("answered at"), null=True)

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        ordering = ["pk"]

    def __str__(self) -> str:
        return str(self.match)

    @property
    def runs(self) -> bool:
        """Whether the answer is still to come."""
        return self.answer is None and not self.failed
