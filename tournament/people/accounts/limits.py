"""Limits on password guesses and requested emails, by account and network.

Failed attempts count against the network from which they come, so strangers cannot lock out an
owner on another network or a known device. Owners on the same network are not locked out either:
after a few failures, a browser waits some seconds before its password is checked, longer after
each failure, and can request a code instead.

A common limit for all strangers protects an account from guesses or emails from many networks.
Known devices are exempt.
"""

import hashlib
import math
import time
from typing import NamedTuple

from django.core.cache import cache
from django.http import HttpRequest

from tournament.people.accounts import devices
from tournament.people.accounts.allauth_private import RateLimitUsage, consume
from tournament.site.middleware import address_of

RATES = {
    "mail": "3/m/key,10/h/key",
    # To reach these limits, five networks must guess without pause for an hour, or three networks
    # request emails.
    "guesses-of-strangers": "300/h/key",
    "mails-of-strangers": "30/h/key",
}
# Session key for the time at which this browser may try again, by hash of the account.
WAITS, MOST_WAITS = "password-waits", 5
# In seconds: the first wait, the longest wait, and the time after which failures no longer count.
# The wait doubles with each failure.
FIRST_WAIT, LONGEST_WAIT, FORGET_AFTER = 2, 30, 300
# An IPv6 customer may have 65,536 networks of the size that other households get.
SITE_BITS = 48


def attempt_key(request: HttpRequest, email: str) -> str:
    """Return the key under which attempts for this account are counted.

    It identifies a known device, or otherwise the network.
    """
    device = devices.known_device(request, email)
    return f"{email.lower()} {device or address_of(request, SITE_BITS)}"


def may_guess(request: HttpRequest, email: str) -> RateLimitUsage | None:
    """Count a password attempt for this account, and return the usage of the limit.

    Returns None if strangers have made too many attempts altogether. Known devices are exempt.
    """
    if devices.known_device(request, email):
        return RateLimitUsage(usage=[])
    return _use_limit(request, "guesses-of-strangers", email.lower())


class PasswordWait(NamedTuple):
    """The seconds until this browser's password is checked.

    If `contested`, another browser was checked instead.
    """

    seconds: int
    contested: bool = False


def compute_password_wait(request: HttpRequest, email: str) -> PasswordWait | None:
    """Return how long this browser must wait before its password is checked, or None.

    Waiting is required after too many failures with the same `attempt_key`, for every further
    attempt. The length is fixed when the wait begins, so later failures do not extend it. If
    several browsers wait at the same time, only one of them is checked in each period.
    """
    waits: dict[str, float] = request.session.get(WAITS, {})
    key, now = _hash_address(email), time.time()
    ready = waits.get(key)
    if ready is None:
        ready = now + _compute_wait(request, email)
        # With too many accounts in one browser, the oldest waits are dropped.
        request.session[WAITS] = dict([*waits.items(), (key, ready)][-MOST_WAITS:])
    elif ready <= now:
        return None if _take_turn(request, email) else PasswordWait(LONGEST_WAIT, contested=True)
    return PasswordWait(max(1, math.ceil(ready - now)))


def _take_turn(request: HttpRequest, email: str) -> bool:
    """Reserve the current period for this browser. Return False if another browser has it."""
    length = _compute_wait(request, email)
    period = f"{length}:{int(time.time() // length)}"
    if not cache.add(f"turn:{_hash_address(attempt_key(request, email))}:{period}", True, length):
        return False
    waits = request.session[WAITS]
    request.session[WAITS] = {
        account: ready for account, ready in waits.items() if account != _hash_address(email)
    }
    return True


def _compute_wait(request: HttpRequest, email: str) -> int:
    """Return the length of the next wait in seconds. It doubles with each failure."""
    failures: int = cache.get(_make_failure_key(request, email), 0)
    return min(LONGEST_WAIT, FIRST_WAIT << min(10, failures))


def count_failure(request: HttpRequest, email: str) -> None:
    """Count a failure, which makes the next wait for the same key longer."""
    key = _make_failure_key(request, email)
    cache.set(key, cache.get(key, 0) + 1, FORGET_AFTER)


def _make_failure_key(request: HttpRequest, email: str) -> str:
    return f"failures:{_hash_address(attempt_key(request, email))}"


def _hash_address(address: str) -> str:
    return hashlib.sha256(address.lower().encode()).hexdigest()


def may_send_email(request: HttpRequest, email: str, kind: str) -> bool:
    """Return whether another email of this kind may be sent.

    If so, it is counted towards the limit.
    """
    if not _use_limit(request, "mail", f"{kind} {attempt_key(request, email)}"):
        return False
    if devices.known_device(request, email):
        return True
    return bool(_use_limit(request, "mails-of-strangers", email.lower()))


def _use_limit(request: HttpRequest, action: str, key: str) -> RateLimitUsage | None:
    usage: RateLimitUsage | None = consume(
        request, app="tournament", action=action, config=RATES, key=key, limit_get=True
    )
    return usage
