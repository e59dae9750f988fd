"""Consent of participants at registration.

The time is stored, with a digest of the text to which the participant agreed.
"""

import hashlib

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import Event, Registration
from tournament.pure.codes import Code


def digest_of(event: Event) -> str:
    """Return the SHA-256 of the event's consent text in hexadecimal, or "" without a text."""
    return hashlib.sha256(event.consent.encode()).hexdigest() if event.consent else ""


def record_consent(registration: Registration, digest: str) -> None:
    """Store that the person agreed to the consent text with this digest.

    Raises RefusedError with the code `consent` if the event has another text now.
    """
    required = digest_of(registration.event)
    if required and digest != required:
        raise RefusedError(Code.CONSENT, _("Read what you’re agreeing to, then tick the box."))
    registration.consent_digest = required
    registration.consented_at = timezone.now() if required else None
