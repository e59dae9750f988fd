"""What organizers did."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Event


class AuditEntry(models.Model):
    """One action of an organizer: who, what, when, why. Written by services, never changed."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="audit", verbose_name=_("event"))
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("actor"),
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)
    action = models.CharField(_("action"), max_length=40)
    text = models.CharField(_("what"), max_length=300)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("log entry")
        verbose_name_plural = _("log")

    def __str__(self) -> str:
        return self.text
