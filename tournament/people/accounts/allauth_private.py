"""What the site needs of allauth that no public name gives; all else goes by its public modules,
adapters and signals.

A version of allauth may change these without a word: the test names the one that they are checked
for, and how each is called.
"""

from typing import Any

from allauth.account.internal.flows import email_verification_by_code
from allauth.account.internal.flows.login import record_authentication
from allauth.core.internal.ratelimit import RateLimitUsage, consume
from django.http import HttpRequest

CHECKED_FOR = "65.21.1"

__all__ = ["RateLimitUsage", "awaited_code", "consume", "record_authentication", "userinfo"]


def userinfo(adapter: Any, access_token: str) -> Any:
    """What the issuer tells of whose token it is, as JSON."""
    return adapter._fetch_user_info(access_token)


def awaited_code(request: HttpRequest) -> Any:
    """What the session keeps of the code that is waited for from a new address, by name."""
    return request.session[email_verification_by_code.EMAIL_VERIFICATION_CODE_SESSION_KEY]
