"""Limits on password guesses and requested emails, by account and network.

Failed attempts count against the network from which they come, so strangers cannot lock out an
owner on another network or a known device. Owners on the same network are not locked out either.
After a few failures, a browser has to wait some seconds before its password is checked. Each
further failure makes the wait longer. Its user can request a code instead.

A common limit for all unknown devices protects an account from guesses or emails from many
networks.
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
    # These limits are reached only if five networks guess without pause for an hour, or if three
    # networks request the maximum number of emails.
    "guesses-of-strangers": "300/h/key",
    "mails-of-strangers": "30/h/key",
}
# Session key for the times at which this browser may try again, by hash of the account's address,
# and the maximum number of such times.
WAITS, MOST_WAITS = "password-waits", 5
# Seconds of the first and the longest wait, and seconds after which failures no longer count. The
# wait doubles with each failure.
FIRST_WAIT, LONGEST_WAIT, FORGET_AFTER = 2, 30, 300
# Length of the IPv6 prefix that counts as one network. A single customer may have 65,536 networks
# of the size that households get.
SITE_BITS = 48


def make_attempt_key(request: HttpRequest, email: str) -> str:
    """Return the key under which attempts for this account are counted.

    It consists of the account's address and the known device. For an unknown device, the network
    takes its place.
    """
    device = devices.find_known_device(request, email)
    return f"{email.lower()} {device or address_of(request, SITE_BITS)}"


def count_guess(request: HttpRequest, email: str) -> RateLimitUsage | None:
    """Count a password attempt for this account. The returned usage can revert the count.

    Returns None if all unknown devices together have made too many attempts. Known devices are not
    counted.
    """
    if devices.find_known_device(request, email):
        return RateLimitUsage(usage=[])
    return _use_limit(request, "guesses-of-strangers", email.lower())


class PasswordWait(NamedTuple):
    """How long a browser must wait until its password is checked.

    * `seconds`: the wait from now on.
    * `contested`: whether another browser's password was checked instead in this period.
    """

    seconds: int
    contested: bool = False


def compute_password_wait(request: HttpRequest, email: str) -> PasswordWait | None:
    """Return how long this browser must wait before its password is checked, or None.

    This is called after too many failures with the same `make_attempt_key`. Every further attempt
    requires a wait. The length of a wait is fixed when it begins, so later failures do not extend
    it. If several browsers wait at the same time, the password of only one is checked in each
    period.
    """
    waits: dict[str, float] = request.session.get(WAITS, {})
    key, now = _hash_address(email), time.time()
    ready = waits.get(key)
    if ready is None:
        ready = now + _compute_wait(request, email)
        # The oldest waits are dropped if one browser waits for many accounts.
        request.session[WAITS] = dict([*waits.items(), (key, ready)][-MOST_WAITS:])
    elif ready <= now:
        reserved = _reserve_period(request, email)
        return None if reserved else PasswordWait(LONGEST_WAIT, contested=True)
    return PasswordWait(max(1, math.ceil(ready - now)))


def _reserve_period(request: HttpRequest, email: str) -> bool:
    """Reserve the current period for this browser. Return False if another browser has it."""
    length = _compute_wait(request, email)
    attempts = _hash_address(make_attempt_key(request, email))
    if not cache.add(f"turn:{attempts}:{length}:{int(time.time() // length)}", True, length):
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
    """Count a failure, and thereby lengthen the next wait for the same key."""
    key = _make_failure_key(request, email)
    cache.set(key, cache.get(key, 0) + 1, FORGET_AFTER)


def _make_failure_key(request: HttpRequest, email: str) -> str:
    return f"failures:{_hash_address(make_attempt_key(request, email))}"


def _hash_address(address: str) -> str:
    return hashlib.sha256(address.lower().encode()).hexdigest()


def may_send_email(request: HttpRequest, email: str, kind: str) -> bool:
    """Return whether another email of this kind may be sent, and count it if so."""
    if not _use_limit(request, "mail", f"{kind} {make_attempt_key(request, email)}"):
        return False
    if devices.find_known_device(request, email):
        return True
    return bool(_use_limit(request, "mails-of-strangers", email.lower()))


def _use_limit(request: HttpRequest, action: str, key: str) -> RateLimitUsage | None:
    usage: RateLimitUsage | None = consume(
        request, app="tournament", action=action, config=RATES, key=key, limit_get=True
    )
    return usage
