"""Certificates of players."""

import secrets

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.registration import Registration


def new_code() -> str:
    """Return an unguessable random code of 144 bits."""
    return secrets.token_urlsafe(18)


class Certificate(models.Model):
    """A certificate of a player's place, or of taking part.

    A certificate that no longer matches the results is withdrawn but not deleted. A printed copy
    can then be distinguished from a forgery.

    * `place`: the place, or None if the certificate names none.
    * `code`: a secret with which anyone who has the certificate can verify it.
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
                Retention.EVENT,
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
