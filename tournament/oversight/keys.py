"""Descriptions of signing keys in the public history: the site's and those of players' devices."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.fair.signatures import key_fingerprint
from tournament.pure.chain import Facts
from tournament.pure.words import join_words


def describe_site_key(facts: Facts) -> str:
    """Describe the key with which the site signs receipts for deals.

    Returns "" for older rows, which do not contain it.
    """
    if "site" not in facts:
        return ""
    text = _("The site uses the key {digits} to sign its receipts for deals.")
    return " " + text.format(digits=key_fingerprint(facts["site"]))


def describe_device_keys(facts: Facts, place: str, player: Callable[[int], str]) -> str:
    """Describe how many players' devices were recorded, and which players changed devices.

    `player` is a function that returns the name for a registration's key.
    """
    first_count = len(facts["keys"]) - len(facts["again"])
    sentences = []
    if first_count:
        sentences.append(_describe_first_keys(first_count).format(place=place, n=first_count))
    if facts["again"]:
        changed = [
            _describe_player_keys(player(key), facts["keys"][str(key)]) for key in facts["again"]
        ]
        text = _("{place}: the device that signs for {names} has changed.")
        sentences.append(text.format(place=place, names=join_words(changed)))
    return " ".join(sentences)


def _describe_first_keys(count: int) -> str:
    return ngettext(
        "{place}: the signing key of {n} player’s device was recorded.",
        "{place}: the signing keys of {n} players’ devices were recorded.",
        count,
    )


def _describe_player_keys(name: str, keys: list[str]) -> str:
    return f"{name} ({', '.join(map(key_fingerprint, keys))})"
