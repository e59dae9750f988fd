"""“Was it luck?” answered in one sentence that names the luckiest player and the best one.

This module is pure.
"""

from collections.abc import Sequence
from math import hypot

from django.utils.translation import gettext as _

from games.reviews.figures import Share
from games.rules.words import words

# Luck is rounded to tenths of a hand. Smaller differences are not worth mentioning.
DIGITS = 1


def summarize_luck(shares: Sequence[Share]) -> str:
    """Sum up the shares of all players in one sentence. Without shares, returns "".

    A player is called lucky, or the best, only if the difference exceeds the margin of error.
    """
    if not shares:
        return ""
    lucky, best = _find_luckiest(shares), _find_best_player(shares)
    if not lucky:
        return _describe_even_luck(best)
    luck = f"+{round(lucky[0].luck, DIGITS)}"
    if len(lucky) > 1:
        return _describe_several_lucky(lucky, best, luck)
    if best is None:
        text = _("Luck was worth {luck} hands to {name}. No one’s play was clearly the best.")
    elif best is lucky[0]:
        text = _("Luck was worth {luck} hands to {name}, who also played best.")
    else:
        text = _("Luck was worth {luck} hands to {name}, but {best} played best.")
    return text.format(
        name=_list_names([lucky[0]]), luck=luck, best=_list_names([best] if best else [])
    )


def _describe_even_luck(best: Share | None) -> str:
    if best is None:
        return _("Luck evened out, and no one’s play was clearly the best.")
    return _("Luck evened out, and {best} played best.").format(best=_list_names([best]))


def _describe_several_lucky(lucky: Sequence[Share], best: Share | None, luck: str) -> str:
    text = _("Luck was worth {luck} hands each to {names}. {best} played best.")
    if best is None:
        text = _("Luck was worth {luck} hands each to {names}. No one’s play was clearly the best.")
    return text.format(
        names=_list_names(lucky), luck=luck, best=_list_names([best] if best else [])
    )


def _list_names(shares: Sequence[Share]) -> str:
    return words.join_names([words.isolate(share.name) for share in shares])


def _find_luckiest(shares: Sequence[Share]) -> list[Share]:
    """Return the players with the most luck. There may be several after rounding."""
    most = round(max(share.luck for share in shares), DIGITS)
    return [
        share
        for share in shares
        if round(share.luck, DIGITS) == most > 0 and share.luck > share.error
    ]


def _find_best_player(shares: Sequence[Share]) -> Share | None:
    """Return the player who clearly played better than all others, or None."""
    best, *others = sorted(shares, key=lambda share: -share.play)
    clear = all(best.play - other.play > hypot(best.error, other.error) for other in others)
    return best if others and clear else None
