"""Standard reasons for actions, which are stored in the same columns as free text.

They are stored in English and translated when they are shown.
"""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class SystemReason(TextChoices):
    """A reason that the site gives for an action, instead of a person."""

    WISH = "By the player’s own wish.", _("At the player’s own request.")
    DESK_CODE = "Signed in with a code from the desk.", _("Signed in with a code from the desk.")
    BACK = "The player is back.", _("The player is back.")
    NOT_LISTED = "Not on the students’ list any more.", _("No longer on the eligibility list.")


def reason_text(reason: str) -> str:
    """Return a stored reason for display. Only standard reasons are translated."""
    return str(SystemReason(reason).label) if reason in SystemReason.values else reason
