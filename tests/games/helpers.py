"""Helpers that create matches with the cards that a test needs."""

import dataclasses
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from games import services, store
from games.json_values.deals import Deals
from games.models import Hand, LoggedAction, Match
from games.rules.record import shuffle
from games.rules.ruleset import rulesets
from games.seats import SeatNumber
from tests.factories import make_user

SPEC_PARTS = {
    "about": services.TableHeading,
    "pace": services.Pace,
    "limits": services.Limits,
    "watching": services.SpectatorRules,
    "carried": services.CarriedHands,
}


def make_match(ruleset: str = "uno-400", people: int = 2, bots: int = 0, **fields: Any) -> Match:
    """Create a match that has not begun, with human players in the first seats and then bots."""
    seats = []
    for _ in range(people):
        user = make_user()
        seats.append(services.SeatSpec(str(user), user=user))
    seats += [services.SeatSpec(f"Bot {number}", bot="plain") for number in range(bots)]
    return create_match(**{"ruleset": ruleset, "options": {}, "seats": seats} | fields)


def create_match(**fields: Any) -> Match:
    """Create a match from keyword arguments, which may be fields of any part of MatchSpec."""
    parts: dict[str, Any] = {}
    for name, kind in SPEC_PARTS.items():
        keys = {field.name for field in dataclasses.fields(kind)} & fields.keys()
        parts[name] = kind(**{key: fields.pop(key) for key in keys})
    return services.create_match(services.MatchSpec(**parts, **fields))


def stack_deck(
    match: Match, hands: Sequence[str], top: str, draw: str = "", *, dealer: int | None = None
) -> Match:
    """Stack the deck of the next hand: the cards by seat, the starting card, and the draw pile.

    The last seat deals unless `dealer` is given, so that seat 0 plays first.
    """
    hand = match.hands.get(dealt_at=None)
    hand.dealer = SeatNumber(len(hand.players) - 1 if dealer is None else dealer)
    rules = rulesets.make(match.ruleset, match.options)
    held = [cards.split() for cards in hands]
    first = hand.players.index(hand.dealer) + 1
    order = [held[(first + place) % len(held)] for place in range(len(held))]
    wanted = [one[card] for card in range(rules.cards_per_hand(len(order))) for one in order]
    wanted += [top, *draw.split()]
    rest = Counter(rules.pack.notations(rules.cards()))
    rest.subtract(wanted)
    assert min(rest.values()) >= 0, f"missing from the deck: {-rest}"
    set_shuffled_deck(hand, wanted + list(rest.elements()))
    store.forget(match.pk)
    return match


def set_shuffled_deck(hand: Hand, deck: list[str]) -> None:
    """Give a prepared hand this deck, as in old hands that were shuffled in advance."""
    hand.deals, hand.deck, hand.nonce = Deals(), deck, "5a" * 32
    hand.commitment = shuffle.commitment(deck, hand.nonce)
    hand.save()


def begin(hands: Sequence[str], top: str, draw: str = "", **fields: Any) -> Match:
    """Begin a match with these cards. The number of cards per seat sets the hand size."""
    options = {"hand_size": len(hands[0].split())} | fields.pop("options", {})
    match = make_match(
        **{"people": len(hands) - fields.get("bots", 0), "options": options} | fields
    )
    return services.start_match(stack_deck(match, hands, top, draw))


def act(match: Match, seat: int, action: dict[str, Any], **changes: Any) -> services.Ack:
    """Act on the newest version with a new client id, and return the acknowledgement.

    An undecided call or catch is repeated at the time of its decision.
    """
    version = Match.objects.values_list("version", flat=True).get(pk=match.pk)
    arguments: dict[str, Any] = {"version": version, "client_id": f"id-{version}-{seat}"} | changes
    try:
        return services.act(match.pk, SeatNumber(seat), action, **arguments)
    except services.UndecidedError as later:
        return services.act(match.pk, SeatNumber(seat), action, **arguments | {"now": later.until})


def seat_number(seat: int | None) -> SeatNumber | None:
    """Return the seat as a `SeatNumber`, or None for a viewer."""
    return None if seat is None else SeatNumber(seat)


def reload(match: Match) -> Match:
    """Return the stored match."""
    return Match.objects.get(pk=match.pk)


def get_time_after_due(match: Match, seconds: float) -> datetime:
    """Return the time `seconds` after the match is due."""
    match.refresh_from_db()
    assert match.due is not None
    return match.due + timedelta(seconds=seconds)


def list_log(match: Match) -> list[tuple[int, dict[str, Any], str]]:
    """Return the seat, the action and its origin (`auto`) for each entry in the match's log."""
    rows = LoggedAction.objects.filter(hand__match=match).order_by("hand__number", "number")
    return [(row.player, {**row.action}, row.auto) for row in rows]
