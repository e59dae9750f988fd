"""Standard reasons given by the site, stored in columns that also hold free text.

They are stored in English and displayed in the reader's language.
"""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class SystemReason(TextChoices):
    """Reason that the site records for an action if no person gives one."""

    WISH = "By the player’s own wish.", _("At the player’s own request.")
    DESK_CODE = "Signed in with a code from the desk.", _("Signed in with a code from the desk.")
    BACK = "The player is back.", _("The player is back.")
    NOT_LISTED = "Not on the students’ list any more.", _("No longer on the eligibility list.")


def reason_text(reason: str) -> str:
    """Return a stored reason for display.

    The site's own reasons are translated. Reasons written by people are returned unchanged.
    """
    return str(SystemReason(reason).label) if reason in SystemReason.values else reason
