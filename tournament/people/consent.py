"""Consent that people give at registration.

The time is stored together with a digest of the text to which they agreed.
"""

import hashlib

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import Event, Registration
from tournament.pure.codes import Code


def compute_consent_digest(event: Event) -> str:
    """Return the hexadecimal SHA-256 digest of the event's consent text, or "" if it has none."""
    return hashlib.sha256(event.consent.encode()).hexdigest() if event.consent else ""


def record_consent(registration: Registration, digest: str) -> None:
    """Record that the person agreed to the consent text with this digest.

    Raises RefusedError with the code `consent` if the event now has a different text.
    """
    required = compute_consent_digest(registration.event)
    if required and digest != required:
        raise RefusedError(Code.CONSENT, _("Read what you’re agreeing to, then tick the box."))
    registration.consent_digest = required
    registration.consented_at = timezone.now() if required else None
