"""Codes with which the desk lets somebody in who stands in front of it."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.registration import Registration


class DeskSignIn(models.Model):
    """A code that signs in one registration's person, once. The code itself is nowhere kept."""

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="desk_sign_ins")
    organizer = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    code_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("sign-in at the desk")
        verbose_name_plural = _("sign-ins at the desk")

    def __str__(self) -> str:
        return str(self.registration)
