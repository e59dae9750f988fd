"""Access to parts of allauth that have no public API.

All other code uses allauth's public modules, adapters and signals. The private parts may change
without notice in a new version. A test therefore checks the installed version and the signature of
each part.
"""

from typing import Any

from allauth.account.internal.flows import email_verification_by_code
from allauth.account.internal.flows.login import record_authentication
from allauth.core.internal.ratelimit import RateLimitUsage, consume
from django.http import HttpRequest

CHECKED_FOR = "65.21.1"

__all__ = [
    "RateLimitUsage",
    "consume",
    "fetch_userinfo",
    "get_awaited_code",
    "record_authentication",
]


def fetch_userinfo(adapter: Any, access_token: str) -> Any:
    """Fetch the issuer's data about the owner of the access token, parsed from JSON."""
    return adapter._fetch_user_info(access_token)


def get_awaited_code(request: HttpRequest) -> Any:
    """Return the session's data about the emailed code that will confirm a new address."""
    return request.session[email_verification_by_code.EMAIL_VERIFICATION_CODE_SESSION_KEY]
