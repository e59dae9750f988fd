"""Access to parts of allauth that have no public API.

All other code uses allauth's public modules, adapters and signals. These parts may change without
notice in a new version. A test therefore checks the version of allauth and the signature of each
part.
"""

from typing import Any

from allauth.account.internal.flows import email_verification_by_code
from allauth.account.internal.flows.login import record_authentication
from allauth.core.internal.ratelimit import RateLimitUsage, consume
from django.http import HttpRequest

CHECKED_FOR = "65.21.1"

__all__ = ["RateLimitUsage", "awaited_code", "consume", "record_authentication", "userinfo"]


def userinfo(adapter: Any, access_token: str) -> Any:
    """Fetch the issuer's data about the owner of the token (userinfo) as JSON."""
    return adapter._fetch_user_info(access_token)


def awaited_code(request: HttpRequest) -> Any:
    """Return the session's data about the code that should confirm a new address."""
    return request.session[email_verification_by_code.EMAIL_VERIFICATION_CODE_SESSION_KEY]
