"""The site's own reasons, in columns that otherwise hold reasons written by people.

They are stored in English and shown in the reader's language.
"""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class SystemReason(TextChoices):
    """Reason for an action for which no person was asked for one."""

    WISH = "By the player’s own wish.", _("At the player’s own request.")
    DESK_CODE = "Signed in with a code from the desk.", _("Signed in with a code from the desk.")
    BACK = "The player is back.", _("The player is back.")
    NOT_LISTED = "Not on the students’ list any more.", _("No longer on the eligibility list.")


def reason_text(reason: str) -> str:
    """Return a reason for display.

    The site's own reasons are translated; others are returned as they were written.
    """
    return str(SystemReason(reason).label) if reason in SystemReason.values else reason
