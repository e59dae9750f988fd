"""An issuer's claims about a person: the confirmed address and the second factor."""

from collections.abc import Collection, Mapping

from tournament.models import User
from tournament.pure.lists.domains import is_allowed
from tournament.pure.texts import clean_text, is_name

Claims = Mapping[str, object]
MAX_NAME_LENGTH = User._meta.get_field("display_name").max_length or 0


def vouches_for_address(claims: Claims, domains: Collection[str]) -> bool:
    """Return whether the issuer guarantees that the address belongs to the person.

    This is decided by the claim `email_verified`. Without it, addresses in one of the `domains`
    are trusted, except for guests.
    """
    verified = claims.get("email_verified")
    if verified is not None:
        return verified is True or verified == "true"
    if not domains or is_guest(claims):
        return False
    return is_allowed(str(claims.get("email", "")), domains)


def is_guest(claims: Claims) -> bool:
    """Return whether Microsoft Entra relied on another tenant for this identity.

    Administrators of that tenant could claim any address.
    """
    home, tenant = claims.get("idp"), claims.get("tid")
    return bool(home and tenant) and str(tenant) not in str(home)


def second_factor(id_token: Claims, trusted: Collection[str]) -> bool:
    """Return whether the issuer checked a second factor of a `trusted` kind.

    Kinds have the form `amr:mfa` or `acr:2`.
    """
    methods = id_token.get("amr")
    kinds = (
        {f"amr:{method}" for method in methods} if isinstance(methods, list) else {f"amr:{methods}"}
    )
    return not {*kinds, f"acr:{id_token.get('acr')}"}.isdisjoint(trusted)


def shown_name(claims: Claims) -> str:
    """Return the name to show at tables, or "" if the issuer gives no suitable name."""
    name = clean_text(str(claims.get("name") or ""))
    fits = len(name) <= MAX_NAME_LENGTH and is_name(name)
    return name if fits else ""
