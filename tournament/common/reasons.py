"""Reasons that the site gives by itself, in columns where people write theirs: stored as they stand
here, told in the reader's language."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class OwnReason(TextChoices):
    """Why something was done that nobody was asked about."""

    WISH = "By the player’s own wish.", _("At the player’s own request.")
    BACK = "The player is back.", _("The player is back.")
    NOT_LISTED = "Not on the students’ list any more.", _("No longer on the eligibility list.")


def reason_text(reason: str) -> str:
    """The site's own in the reader's language, another as somebody wrote it."""
    return str(OwnReason(reason).label) if reason in OwnReason.values else reason
