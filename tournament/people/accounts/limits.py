"""Limits on password guesses and requested emails, by account and network.

Failed attempts for another person's account count against the attacker's own network. The
owner, on another network or a known device, is not affected. On the same network the owner
is not locked out either. After a few failures a browser waits some seconds before its
password is checked, longer with each failure, or asks for a code. A limit on all strangers
together protects against many networks that guess for one account or fill one mailbox.
Known devices are exempt from it.
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
    # Five networks that do nothing else for an hour; three that have mails sent.
    "guesses-of-strangers": "300/h/key",
    "mails-of-strangers": "30/h/key",
}
# The session key for when a browser may try again, by a hash of the account.
WAITS, MOST_WAITS = "password-waits", 5
# In seconds: the waiting before a password, twice as long after each failure, and how long those
# are remembered.
FIRST, LONGEST, FORGOTTEN = 2, 30, 300
# A customer with an IPv6 line may have 65,536 networks of a household's size.
SITE_BITS = 48


def who(request: HttpRequest, email: str) -> str:
    """Return the key under which attempts for this account are counted together.

    The key identifies a known device, or else a network.
    """
    device = devices.known_device(request, email)
    return f"{email.lower()} {device or address_of(request, SITE_BITS)}"


def may_guess(request: HttpRequest, email: str) -> RateLimitUsage | None:
    """Count a password attempt for this account; return None if strangers made too many.

    The limit covers all strangers together. Known devices are exempt from it.
    """
    if devices.known_device(request, email):
        return RateLimitUsage(usage=[])
    return _take(request, "guesses-of-strangers", email.lower())


class PasswordWait(NamedTuple):
    """Seconds until this browser's password is checked.

    `contested` is True if other browsers took its turn.
    """

    seconds: int
    contested: bool = False


def password_wait(request: HttpRequest, email: str) -> PasswordWait | None:
    """Return the wait before this browser's password for the account is checked, None for none.

    A wait is needed once the party that `who` identifies has failed too often. Each attempt
    waits again. The wait is fixed when it begins, so other failures during it do not extend it.
    Of the browsers that wait at the same time, one is checked in each period as long as a wait.
    """
    waits: dict[str, float] = request.session.get(WAITS, {})
    key, now = _hash_text(email), time.time()
    ready = waits.get(key)
    if ready is None:
        ready = now + _count_wait(request, email)
        # A browser that tries many accounts loses its first waits.
        request.session[WAITS] = dict([*waits.items(), (key, ready)][-MOST_WAITS:])
    elif ready <= now:
        return None if _take_turn(request, email) else PasswordWait(LONGEST, contested=True)
    return PasswordWait(max(1, math.ceil(ready - now)))


def _take_turn(request: HttpRequest, email: str) -> bool:
    """Take this browser's turn; return False if another one was checked in the current period."""
    length = _count_wait(request, email)
    period = f"{length}:{int(time.time() // length)}"
    if not cache.add(f"turn:{_hash_text(who(request, email))}:{period}", True, length):
        return False
    waits = request.session[WAITS]
    request.session[WAITS] = {each: at for each, at in waits.items() if each != _hash_text(email)}
    return True


def _count_wait(request: HttpRequest, email: str) -> int:
    """Return the length of a new wait in seconds, doubled with each failure."""
    failures: int = cache.get(_make_failure_key(request, email), 0)
    return min(LONGEST, FIRST << min(10, failures))


def count_failure(request: HttpRequest, email: str) -> None:
    """Count a failure, so that the next browser of this network waits longer."""
    key = _make_failure_key(request, email)
    cache.set(key, cache.get(key, 0) + 1, FORGOTTEN)


def _make_failure_key(request: HttpRequest, email: str) -> str:
    return f"failures:{_hash_text(who(request, email))}"


def _hash_text(text: str) -> str:
    return hashlib.sha256(text.lower().encode()).hexdigest()


def may_mail(request: HttpRequest, email: str, kind: str) -> bool:
    """Count a requested email of this kind; return False if there are too many for now."""
    if not _take(request, "mail", f"{kind} {who(request, email)}"):
        return False
    if devices.known_device(request, email):
        return True
    return bool(_take(request, "mails-of-strangers", email.lower()))


def _take(request: HttpRequest, action: str, key: str) -> RateLimitUsage | None:
    usage: RateLimitUsage | None = consume(
        request, app="tournament", action=action, config=RATES, key=key, limit_get=True
    )
    return usage
