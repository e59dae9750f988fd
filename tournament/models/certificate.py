"""What a player takes home."""

import secrets

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.personal import Personal, Purpose, Seen, Topic, Until
from tournament.models.registration import Registration


def new_code() -> str:
    """144 bits from the operating system: nobody finds a certificate by guessing."""
    return secrets.token_urlsafe(18)


class Certificate(models.Model):
    """That somebody took part, and came in at `place` (None: it says no more than that).

    Whoever has the `code` can look up whether it is true. One that results have overtaken is
    withdrawn and stays, so that a printed one is told from a forged one.
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
                _("Your certificate: your place, and when it was issued or withdrawn"),
                _("So that its page can verify it."),
                Seen.EVERYBODY,
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
