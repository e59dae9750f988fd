"""Helpers that take part in a deal as players' browsers would."""

from typing import Any

from django.utils import timezone

from games import queries, services, store
from games.client.shares import Shares
from games.models import Hand, Match
from games.protocol import TableView
from games.protocol.deals import DealFacts
from games.rules import record
from games.rules.fair import deal as fair
from games.seats import SeatNumber
from tests.games.helpers import act, begin, reload
from tests.typed import sure

SHARE = "5a" * 32


def get_current_view(match: Match, seat: int | None = 0) -> TableView:
    """Return the current view of this seat, or of a viewer for None."""
    number = None if seat is None else SeatNumber(seat)
    return queries.table_view(store.load(match.pk), number, {}, timezone.now(), controls=True)


def get_deal_facts(match: Match, seat: int | None = 0) -> DealFacts:
    return sure(get_current_view(match, seat)["deal"])


def get_prepared_hand(match: Match) -> Hand:
    return match.hands.get(dealt_at=None)


def make_share_target(match: Match, seat: int) -> services.ShareTarget:
    """Return this seat's share target in the deal that is being prepared."""
    hand = get_prepared_hand(match)
    return services.ShareTarget(SeatNumber(seat), hand.number, hand.deals.current.number)


def make_commitment(match: Match, seat: int, share: str = SHARE) -> str:
    """Return the seat's commitment to this share in the deal that is being prepared."""
    target = make_share_target(match, seat)
    draw = fair.DealKey(match.public_id, target.hand, target.attempt)
    return fair.share_commitment(draw, seat, bytes.fromhex(share))


def commit_to_share(match: Match, seat: int, share: str = SHARE, **options: Any) -> services.Ack:
    return services.commit_share(
        match.pk, make_share_target(match, seat), make_commitment(match, seat, share), **options
    )


def open_share(match: Match, seat: int, share: str = SHARE, **options: Any) -> services.Ack:
    """Open this seat's share for the current list."""
    digest = sure(get_prepared_hand(match).deals.current.agreed).digest().hex()
    return services.open_share(match.pk, make_share_target(match, seat), digest, share, **options)


def send_requested_messages(match: Match, seats: dict[int, Shares], **options: Any) -> None:
    """Send the messages that the views of these seats currently require."""
    for seat, shares in seats.items():
        for message in shares.messages_for(get_current_view(match, seat)):
            target = services.ShareTarget(SeatNumber(seat), message["hand"], message["attempt"])
            if message["type"] == "commit":
                services.commit_share(match.pk, target, message["commitment"], **options)
            else:
                services.open_share(match.pk, target, message["list"], message["share"], **options)
            shares.acknowledge(message["id"])


def deal_first_hand(match: Match, shares: str = SHARE) -> Hand:
    """Begin a match with a share from every human player, and return the dealt hand."""
    people = [seat.number for seat in match.seats.filter(user__isnull=False)]
    for seat in people:
        commit_to_share(match, seat, shares)
    services.start_match(match)
    for seat in people:
        open_share(match, seat, shares)
    return match.hands.get(number=1)


def check_record(hand: Hand) -> record.HandRecord:
    """Check that the hand's record is valid, and return it."""
    exported = queries.hand_record(hand)
    assert record.check(exported) is None
    return exported


def make_match_between_hands(**fields: Any) -> Match:
    """Create a match in which seat 0 has won the first hand, and the second is prepared."""
    match = begin(["R1 R2", "R3 G9"], "R5", **fields)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    return reload(match)
