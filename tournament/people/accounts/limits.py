"""Limits on password guesses and requested emails, by account and network.

Failed attempts on another person's account count against the attacker's own network. The owner, on
another network or a known device, is not affected. On the same network, the owner
is not locked out either. After a few failures, a browser has to wait some seconds before its
password is checked, longer after each failure. The owner can also ask for a code instead.

A limit on all strangers together protects against many networks that guess for one account or fill
one mailbox. Known devices are exempt from that limit.
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
    # These limits are reached by five networks that guess without pause for an hour, and by three
    # networks that request emails.
    "guesses-of-strangers": "300/h/key",
    "mails-of-strangers": "30/h/key",
}
# Under this session key, each account's hash has the time at which the browser may try again.
WAITS, MOST_WAITS = "password-waits", 5
# Seconds of the first wait, of the longest one, and until failures are forgotten. The wait doubles
# with each failure.
FIRST_WAIT, LONGEST_WAIT, FORGET_AFTER = 2, 30, 300
# A customer with an IPv6 connection may have 65,536 networks of the size that a household gets.
SITE_BITS = 48


def attempt_key(request: HttpRequest, email: str) -> str:
    """Return the key under which attempts for this account are counted together.

    The key identifies a known device or, without one, a network.
    """
    device = devices.known_device(request, email)
    return f"{email.lower()} {device or address_of(request, SITE_BITS)}"


def may_guess(request: HttpRequest, email: str) -> RateLimitUsage | None:
    """Count a password attempt for this account, and return the usage.

    Return None if strangers have made too many attempts. The limit covers all strangers together,
    and known devices are exempt.
    """
    if devices.known_device(request, email):
        return RateLimitUsage(usage=[])
    return _use_limit(request, "guesses-of-strangers", email.lower())


class PasswordWait(NamedTuple):
    """Seconds until this browser's password is checked.

    `contested` means that other browsers took this browser's turn.
    """

    seconds: int
    contested: bool = False


def password_wait(request: HttpRequest, email: str) -> PasswordWait | None:
    """Return the wait before this browser's password for the account is checked, or None.

    A wait is needed after too many failures under the same `attempt_key`. Every attempt has to
    wait. The wait is fixed when it begins, so failures of others during the wait do not extend it.
    If several browsers wait at the same time, only one is checked in each period of that length.
    """
    waits: dict[str, float] = request.session.get(WAITS, {})
    key, now = _hash_address(email), time.time()
    ready = waits.get(key)
    if ready is None:
        ready = now + _compute_wait(request, email)
        # A browser that tries many accounts loses its oldest waits.
        request.session[WAITS] = dict([*waits.items(), (key, ready)][-MOST_WAITS:])
    elif ready <= now:
        return None if _take_turn(request, email) else PasswordWait(LONGEST_WAIT, contested=True)
    return PasswordWait(max(1, math.ceil(ready - now)))


def _take_turn(request: HttpRequest, email: str) -> bool:
    """Take this browser's turn, or return False if another browser took the current one."""
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
    """Return the length of a new wait in seconds. It doubles with each failure."""
    failures: int = cache.get(_make_failure_key(request, email), 0)
    return min(LONGEST_WAIT, FIRST_WAIT << min(10, failures))


def count_failure(request: HttpRequest, email: str) -> None:
    """Count a failure, so that the next browser with the same key waits longer."""
    key = _make_failure_key(request, email)
    cache.set(key, cache.get(key, 0) + 1, FORGET_AFTER)


def _make_failure_key(request: HttpRequest, email: str) -> str:
    return f"failures:{_hash_address(attempt_key(request, email))}"


def _hash_address(address: str) -> str:
    return hashlib.sha256(address.lower().encode()).hexdigest()


def may_mail(request: HttpRequest, email: str, kind: str) -> bool:
    """Return whether another email of this kind may be sent.

    If so, the email is counted towards the limit.
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
