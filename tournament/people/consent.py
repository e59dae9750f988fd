"""Participants' consent at registration.

The time is stored with a digest of the text that the participant agreed to.
"""

import hashlib

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import Event, Registration
from tournament.pure.codes import Code


def digest_of(event: Event) -> str:
    """Return the hex SHA-256 of the event's consent text, or "" if it has none."""
    return hashlib.sha256(event.consent.encode()).hexdigest() if event.consent else ""


def agree(registration: Registration, digest: str) -> None:
    """Store the person's consent to the text with this digest.

    Raises RefusedError with the code consent if the event's text has another digest.
    """
    required = digest_of(registration.event)
    if required and digest != required:
        raise RefusedError(Code.CONSENT, _("Read what you’re agreeing to, then tick the box."))
    registration.consent_digest = required
    registration.consented_at = timezone.now() if required else None
