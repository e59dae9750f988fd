"""An issuer's claims about a person: confirmed address, second factor and name."""

from collections.abc import Collection, Mapping

from tournament.models import User
from tournament.pure.lists.domains import is_allowed
from tournament.pure.texts import clean_text, is_name

Claims = Mapping[str, object]
MAX_NAME_LENGTH = User._meta.get_field("display_name").max_length or 0


def is_address_confirmed(claims: Claims, domains: Collection[str]) -> bool:
    """Return whether the issuer guarantees that the address belongs to the person.

    The claim `email_verified` decides. If it is missing, addresses in one of the `domains` are
    trusted, unless the person is a guest.
    """
    verified = claims.get("email_verified")
    if verified is not None:
        return verified is True or verified == "true"
    if not domains or is_guest(claims):
        return False
    return is_allowed(str(claims.get("email", "")), domains)


def is_guest(claims: Claims) -> bool:
    """Return whether the person is a guest of the Microsoft Entra tenant.

    Another tenant vouches for a guest, and its administrators could claim any address.
    """
    home, tenant = claims.get("idp"), claims.get("tid")
    return bool(home and tenant) and str(tenant) not in str(home)


def has_trusted_factor(id_token: Claims, trusted: Collection[str]) -> bool:
    """Return whether the token has one of the `trusted` claims of a second factor.

    Trusted claims have the form `amr:mfa` or `acr:2`.
    """
    methods = id_token.get("amr")
    kinds = (
        {f"amr:{method}" for method in methods} if isinstance(methods, list) else {f"amr:{methods}"}
    )
    return not {*kinds, f"acr:{id_token.get('acr')}"}.isdisjoint(trusted)


def choose_display_name(claims: Claims) -> str:
    """Return the name to show at tables, or "" if the claims contain no suitable name."""
    name = clean_text(str(claims.get("name") or ""))
    fits = len(name) <= MAX_NAME_LENGTH and is_name(name)
    return name if fits else ""
