"""Data for the page that checks a match's deals. The page reveals no more than hand records do."""

from typing import TypedDict

from django.urls import reverse
from django.utils.translation import gettext as _

from games.json_values.deals import Attempt, encode_keys
from games.models import Hand, Match
from games.play.site_key import site_key
from games.protocol.deals import FairHand, FairPage, FairState, OpenAttempt
from games.rules.fair.signatures import key_fingerprint
from games.seats import SeatNumber
from games.store import Snapshot
from games.tables.deal import closed_list
from games.tables.replay import is_replay_open, shows_cards


class FairDealContext(TypedDict):
    """Template context of the page that checks deals.

    * `fair`: the data for the page's script.
    * `hidden`: why some hands cannot be checked, or "" if all can be.
    * `site_keys`: a short name and the hex form of each of the site's keys, current key first.
    """

    match: Match
    fair: FairPage
    hidden: str
    site_keys: list[tuple[str, str]]


def fair_deal_page(snapshot: Snapshot, seat: SeatNumber | None) -> FairDealContext:
    """Return the context of the page, with all dealt hands that the visitor may see.

    After the match, it also includes a hand that was prepared but never dealt.
    """
    match = snapshot.match
    over = match.phase == Match.Phase.OVER
    hands = [_build_hand(match, hand) for hand in snapshot.hands if hand.dealt_at or over]
    keys = _list_site_keys(snapshot)
    hidden = any(hand["state"] == "hidden" for hand in hands)
    return {
        "match": match,
        "fair": {"match": match.public_id, "you": seat, "hands": hands, "keys": keys},
        "hidden": _explain_hidden_hands(match) if hidden else "",
        "site_keys": [(key_fingerprint(key), key) for key in keys],
    }


def _list_site_keys(snapshot: Snapshot) -> list[str]:
    """Return the site's current key, followed by older keys that signed receipts in this match."""
    attempts = [attempt for hand in snapshot.hands for attempt in hand.deals.attempts]
    return [*dict.fromkeys([site_key(), *(one.site for one in attempts if one.site)])]


def _build_hand(match: Match, hand: Hand) -> FairHand:
    state = _find_state(match, hand)
    record = reverse("games:record", args=[match.public_id, hand.number])
    return {
        "number": hand.number,
        "state": state,
        "record": record if state in ("open", "void") else None,
        "attempts": [_build_attempt(each) for each in hand.deals.attempts]
        if state == "unused"
        else [],
    }


def _find_state(match: Match, hand: Hand) -> FairState:
    if not shows_cards(match):
        return "hidden"
    if hand.dealt_at is None:
        return "unused"
    if not is_replay_open(match, hand):
        return "hidden"
    return "void" if hand.void else "open"


def _build_attempt(attempt: Attempt) -> OpenAttempt:
    return {
        "attempt": attempt.number,
        "server": attempt.commitment,
        "list": closed_list(attempt),
        "secret": attempt.secret.hex(),
        "shares": encode_keys(attempt.shares),
        "let_go": [*map(int, attempt.let_go)],
    }


def _explain_hidden_hands(match: Match) -> str:
    if not shows_cards(match):
        return _("The organizers keep this match’s cards hidden, so its deals can’t be checked.")
    if match.replays == Match.Replays.HAND:
        return _("You can check a hand as soon as it’s over.")
    return _("You can check the hands once the match is over.")
