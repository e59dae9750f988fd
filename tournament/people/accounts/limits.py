"""How often somebody may guess, or have a mail sent, before they wait: by account and network.

Who fails for somebody's account uses up his own network's count, and not that of the owner, who is
somewhere else or at a device that the account knows. Only what all strangers together may do has an
end as well, against many networks that guess for one account or fill one mailbox; a known device
passes that.
"""

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
# Who has a line of IPv6 may have 65,536 networks of a household's size.
SITE_BITS = 48


def who(request: HttpRequest, email: str) -> str:
    """Whose tries for this account count together: one known device's, or a network's."""
    device = devices.known(request, email)
    return f"{email.lower()} {device or address_of(request, SITE_BITS)}"


def may_guess(request: HttpRequest, email: str) -> RateLimitUsage | None:
    """Count a password tried for this account, for all strangers together; None: too many."""
    if devices.known(request, email):
        return RateLimitUsage(usage=[])
    return _take(request, "guesses-of-strangers", email.lower())


def may_mail(request: HttpRequest, email: str, kind: str) -> bool:
    """Count a mail of this kind that somebody asks for; False: too many for now."""
    if not _take(request, "mail", f"{kind} {who(request, email)}"):
        return False
    if devices.known(request, email):
        return True
    return bool(_take(request, "mails-of-strangers", email.lower()))


def _take(request: HttpRequest, action: str, key: str) -> RateLimitUsage | None:
    usage: RateLimitUsage | None = consume(
        request, app="tournament", action=action, config=RATES, key=key, limit_get=True
    )
    return usage
