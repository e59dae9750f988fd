"""An issuer's claims about a person: the confirmed address, and the second factor."""

from collections.abc import Collection, Mapping

from tournament.models import User
from tournament.pure.lists.domains import is_allowed
from tournament.pure.texts import clean_text, is_name

Claims = Mapping[str, object]
LONGEST = User._meta.get_field("display_name").max_length or 0


def vouches(claims: Claims, domains: Collection[str]) -> bool:
    """Return whether the address is the person's own.

    The issuer's claim decides. Without such a claim, an address in one of `domains` counts as
    the person's own, except for guests.
    """
    said = claims.get("email_verified")
    if said is not None:
        return said is True or said == "true"
    if not domains or is_guest(claims):
        return False
    return is_allowed(str(claims.get("email", "")), domains)


def is_guest(claims: Claims) -> bool:
    """Return whether Microsoft Entra relied on another tenant for this identity.

    That tenant's administrators can claim any address.
    """
    home, tenant = claims.get("idp"), claims.get("tid")
    return bool(home and tenant) and str(tenant) not in str(home)


def second_factor(id_token: Claims, trusted: Collection[str]) -> bool:
    """Return whether the issuer checked a second factor of a `trusted` kind.

    Kinds are written as `amr:mfa` or `acr:2`.
    """
    ways = id_token.get("amr")
    said = {f"amr:{way}" for way in ways} if isinstance(ways, list) else {f"amr:{ways}"}
    return not {*said, f"acr:{id_token.get('acr')}"}.isdisjoint(trusted)


def shown_name(claims: Claims) -> str:
    """Return the name for tables, "" if the issuer gives no suitable one."""
    name = clean_text(str(claims.get("name") or ""))
    fits = len(name) <= LONGEST and is_name(name)
    return name if fits else ""
