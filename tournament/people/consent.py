"""Participants' consent at registration, stored as the time and a digest of the wording."""

import hashlib

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import Event, Registration
from tournament.pure.codes import Code


def digest_of(event: Event) -> str:
    """Return the SHA-256, in hex, of the event's consent text; "" if it has none."""
    return hashlib.sha256(event.consent.encode()).hexdigest() if event.consent else ""


def agree(registration: Registration, digest: str) -> None:
    """Store the person's consent to the text with this digest. Refused with: consent."""
    asked = digest_of(registration.event)
    if asked and digest != asked:
        raise RefusedError(Code.CONSENT, _("Read what you’re agreeing to, then tick the box."))
    registration.consent_digest = asked
    registration.consented_at = timezone.now() if asked else None
