"""Certificates of players."""

import secrets

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Topic, Until
from tournament.models.registration import Registration


def new_code() -> str:
    """Return a random code with 144 bits, which cannot be guessed."""
    return secrets.token_urlsafe(18)


class Certificate(models.Model):
    """A certificate that a player took part, and of the `place` if it is not None.

    Anyone with the `code` can check that it is genuine. A certificate that no longer matches the
    results is withdrawn but not deleted, so that its printed copy can be told from a forgery.
    """

    personal = Personal(
        goes="stays, withdrawn with the person",
        gone="withdrawn_at",
        whose="registration__user",
        free={"a random key": "code"},
        purposes=(
            Purpose(
                "place issued_at withdrawn_at",
                Topic.GAMES,
                _("Your certificate: your place, and when the certificate was issued or withdrawn"),
                _("So that anyone can verify the certificate on its page."),
                ColumnAudience.EVERYBODY,
                Until.EVENT,
            ),
        ),
    )

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="certificates")
    place = models.PositiveSmallIntegerField(_("place"), null=True)
    code = models.CharField(max_length=32, unique=True, default=new_code, editable=False)
    issued_at = models.DateTimeField(_("issued at"))
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True)

    class Meta:
        ordering = ["registration", "pk"]
        verbose_name = _("certificate")
        verbose_name_plural = _("certificates")
        constraints = [
            models.UniqueConstraint(
                fields=["registration"],
                condition=models.Q(withdrawn_at__isnull=True),
                name="one_certificate_that_holds",
            )
        ]

    def __str__(self) -> str:
        return str(self.registration)
