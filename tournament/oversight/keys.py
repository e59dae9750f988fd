"""Descriptions of the keys in the public history: the site's key and players' device keys."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.fair.signatures import shorten_key
from tournament.pure.chain import Facts
from tournament.pure.words import join_words


def acknowledges(facts: Facts) -> str:
    """Name the key with which the site signs its receipts for deals; "" for older rows."""
    if "site" not in facts:
        return ""
    text = _("The site uses the key {digits} to sign its receipts for deals.")
    return " " + text.format(digits=shorten_key(facts["site"]))


def devices(facts: Facts, place: str, player: Callable[[int], str]) -> str:
    """Describe how many players' devices were registered, and which players' devices changed."""
    first = len(facts["keys"]) - len(facts["again"])
    told = [_describe_first_keys(first).format(place=place, n=first)] if first else []
    if facts["again"]:
        changed = [
            _describe_player_keys(player(key), facts["keys"][str(key)]) for key in facts["again"]
        ]
        text = _("{place}: the device that signs for {names} has changed.")
        told.append(text.format(place=place, names=join_words(changed)))
    return " ".join(told)


def _describe_first_keys(count: int) -> str:
    return ngettext(
        "{place}: the signing key of {n} player’s device was recorded.",
        "{place}: the signing keys of {n} players’ devices were recorded.",
        count,
    )


def _describe_player_keys(name: str, keys: list[str]) -> str:
    return f"{name} ({', '.join(map(shorten_key, keys))})"
