"""What an issuer says of a person: of which address it vouches for, and of a second factor."""

from collections.abc import Collection, Mapping

from tournament.common.texts import clean_text
from tournament.models import User
from tournament.registration.eligibility.lists.domains import is_allowed

Claims = Mapping[str, object]
LONGEST = User._meta.get_field("display_name").max_length or 0


def vouches(claims: Claims, domains: Collection[str]) -> bool:
    """Whether the address is the person's own: by the issuer's word, or, where it says nothing
    of it, because all addresses of these domains are, a guest's apart."""
    said = claims.get("email_verified")
    if said is not None:
        return said is True or said == "true"
    if not domains or is_guest(claims):
        return False
    return is_allowed(str(claims.get("email", "")), domains)


def is_guest(claims: Claims) -> bool:
    """Whether Microsoft Entra has asked another tenant who this is: that one's administrators may
    write any address into it."""
    home, tenant = claims.get("idp"), claims.get("tid")
    return bool(home and tenant) and str(tenant) not in str(home)


def second_factor(id_token: Claims, trusted: Collection[str]) -> bool:
    """Whether one was given at the issuer, by one of `trusted`, as `amr:mfa` or `acr:2`."""
    ways = id_token.get("amr")
    said = {f"amr:{way}" for way in ways} if isinstance(ways, list) else {f"amr:{ways}"}
    return not {*said, f"acr:{id_token.get('acr')}"}.isdisjoint(trusted)


def shown_name(claims: Claims) -> str:
    """The name for tables; "" where the issuer gives none that fits."""
    name = clean_text(str(claims.get("name") or ""))
    fits = len(name) <= LONGEST and any(letter.isalnum() for letter in name)
    return name if fits else ""
