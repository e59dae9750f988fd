"""Email domains that an event requires. They must match exactly.

“uni.edu” does not include “mail.uni.edu”, “eviluni.edu” or “uni.edu.evil.com”. Otherwise, the
owner of a similar domain could register as a student.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from games.rules.text import _
from tournament.pure.texts import shorten_cell

# Domains in other alphabets are compared in their “xn--” form.
LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")


def parse_domains(text: str) -> list[str]:
    """Parse domains such as "uni.edu, @cs.uni.edu".

    Raises ValueError with a message for the user.
    """
    domains: list[str] = []
    for part in re.split(r"[\s,;]+", text.strip()):
        if part and (domain := _parse_domain(part)) not in domains:
            domains.append(domain)
    return domains


def _parse_domain(part: str) -> str:
    domain = normalize_domain(part.removeprefix("@"))
    labels = domain.split(".")
    if len(labels) < 2 or not all(LABEL.fullmatch(label) for label in labels):
        text = _("“{part}” is not a domain. Enter the part after the @, like uni.edu.")
        raise ValueError(text.format(part=shorten_cell(part)))
    return domain


def normalize_domain(domain: str) -> str:
    """Normalize a domain for comparison, or return "" if it is invalid."""
    try:
        return domain.encode("idna").decode().lower()
    except UnicodeError:
        return ""


def is_allowed(address: str, domains: Collection[str]) -> bool:
    """Return whether the domain of an address is one of these domains.

    If there are no domains, every address is allowed.
    """
    if not domains:
        return True
    _person, at_sign, domain = address.rpartition("@")
    return bool(at_sign) and normalize_domain(domain) in domains


def is_any_allowed(addresses: Iterable[str], domains: Collection[str]) -> bool:
    """Return whether at least one of the addresses is allowed.

    If there are no domains, the result is true even without an address.
    """
    return not domains or any(is_allowed(each, domains) for each in addresses)


def describe_domains(domains: Iterable[str]) -> str:
    """Return a phrase that lists domains, such as `@uni.edu or @cs.uni.edu`."""
    return _(" or ").join(f"@{domain}" for domain in domains)
