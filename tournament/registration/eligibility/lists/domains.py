"""Which e-mail addresses an event is for: by their domain, and exactly.

“uni.edu” lets nobody in from “mail.uni.edu”, “eviluni.edu” or “uni.edu.evil.com”: whoever owns such
a name would otherwise be a student.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from games.rules.text import _
from tournament.common.texts import printable

# Letters of other alphabets are compared as they are sent, in the form that begins with "xn--".
LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")


def parse_domains(text: str) -> list[str]:
    """Read "uni.edu, @cs.uni.edu" as domains. Raises ValueError, in words."""
    found: list[str] = []
    for part in re.split(r"[\s,;]+", text.strip()):
        if part and (domain := _parse_domain(part)) not in found:
            found.append(domain)
    return found


def _parse_domain(part: str) -> str:
    domain = plain(part.removeprefix("@"))
    labels = domain.split(".")
    if len(labels) < 2 or not all(LABEL.fullmatch(label) for label in labels):
        text = _("“{part}” is not a domain. Enter the part after the @, like uni.edu.")
        raise ValueError(text.format(part=printable(part)))
    return domain


def plain(domain: str) -> str:
    """A domain as it is compared; "" for one that cannot be."""
    try:
        return domain.encode("idna").decode().lower()
    except UnicodeError:
        return ""


def is_allowed(address: str, domains: Collection[str]) -> bool:
    """Whether the address is of exactly one of the domains; without any, all are."""
    if not domains:
        return True
    _person, at, domain = address.rpartition("@")
    return bool(at) and plain(domain) in domains


def any_allowed(addresses: Iterable[str], domains: Collection[str]) -> bool:
    """Whether one of a person's addresses is; without domains nobody needs one."""
    return not domains or any(is_allowed(each, domains) for each in addresses)


def domains_text(domains: Iterable[str]) -> str:
    """The domains in a sentence: `@uni.edu or @cs.uni.edu`."""
    return _(" or ").join(f"@{domain}" for domain in domains)
