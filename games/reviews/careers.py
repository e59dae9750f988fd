"""Career figures of an account over its finished matches: hands, catches and luck."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db.models import QuerySet
from django.urls import reverse

from games.json_values.reviewed import MatchReview
from games.models import Hand, LoggedAction, Match, Review, Seat
from games.reviews.figures import estimate_error, list_accounts
from games.seats import PlayerIndex, SeatNumber, player_at
from games.tables.replay import shows_cards

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class FastestCatch:
    """Time from the forgetful player's card to the catch, and the replay's path (or "")."""

    seconds: float
    replay: str


@dataclass(frozen=True)
class ReviewedLuck:
    """Hands won or lost by luck in all reviewed hands. `error` is the margin of error."""

    hands: int
    luck: float
    error: float


@dataclass(frozen=True)
class CareerFigures:
    """Figures of an account, from the matches in which no one else ever held its seat."""

    hands: int = 0
    won: int = 0
    catches: int = 0
    fastest: FastestCatch | None = None
    luck: ReviewedLuck | None = None


def career_figures(matches: QuerySet[Match], user: int) -> CareerFigures:
    """Return the figures of the account with this primary key in these finished matches.

    Uses five queries. Luck and replays come only from matches whose cards are public.
    """
    seats = {seat.match_id: seat for seat in _select_seats(matches, user) if not seat.sitters}
    hands = {
        hand.pk: hand for hand in _select_hands(seats) if _find_player(seats, hand) is not None
    }
    caught = [
        action
        for action in _select_catches(hands)
        if action.player == _find_player(seats, hands[action.hand_id])
        and any(event["event"] == "caught" for event in action.events)
    ]
    return CareerFigures(
        hands=len(hands),
        won=sum(hand.winner == seats[hand.match_id].number for hand in hands.values()),
        catches=len(caught),
        fastest=_find_fastest(caught, hands, seats),
        luck=_sum_luck(seats),
    )


Seats = Mapping[int, Seat]
Hands = Mapping[int, Hand]


def _select_seats(matches: QuerySet[Match], user: int) -> QuerySet[Seat]:
    seats = Seat.objects.filter(match__in=matches.order_by().values("pk"), user=user)
    columns = ("number", "sitters", "match__public_id", "match__replays", "match__phase")
    return seats.select_related("match").only(*columns).order_by("pk")


def _select_hands(seats: Seats) -> QuerySet[Hand]:
    hands = Hand.objects.filter(match__in=seats, points__isnull=False, void=False)
    return hands.only("match_id", "number", "players", "winner").order_by("pk")


def _find_player(seats: Seats, hand: Hand) -> PlayerIndex | None:
    return player_at(hand.players, SeatNumber(seats[hand.match_id].number))


def _select_catches(hands: Hands) -> QuerySet[LoggedAction]:
    catches = LoggedAction.objects.filter(hand__in=hands, action__catch__isnull=False, auto="")
    return catches.only("hand_id", "number", "player", "action", "events", "timing", "at")


def _find_fastest(
    caught: Sequence[LoggedAction], hands: Hands, seats: Seats
) -> FastestCatch | None:
    """Return the fastest of these catches, measured from the forgetful player's card."""
    played = _load_played_cards({action.hand_id for action in caught})
    times = [(_measure_catch(action, played[action.hand_id]), action) for action in caught]
    measured = [(time, action) for time, action in times if time > timedelta()]
    if not measured:
        return None
    time, action = min(measured, key=lambda each: (each[0], each[1].pk))
    hand = hands[action.hand_id]
    match = seats[hand.match_id].match
    replay = reverse("games:replay", args=[match.public_id, hand.number])
    shown = f"{replay}?step={action.number}" if shows_cards(match) else ""
    return FastestCatch(time.total_seconds(), shown)


class PlayedCard(NamedTuple):
    """A card played in a hand: its player, the number of the action, and the time."""

    player: int
    number: int
    at: datetime


def _load_played_cards(hands: Collection[int]) -> dict[int, list[PlayedCard]]:
    """Return the cards played in each of these hands, in order."""
    cards_by_hand: dict[int, list[PlayedCard]] = {hand: [] for hand in hands}
    cards = LoggedAction.objects.filter(hand__in=hands, action__play__isnull=False)
    rows = cards.order_by("hand", "number").values_list("hand", "player", "number", "at")
    for hand, player, number, at in rows:
        cards_by_hand[hand].append(PlayedCard(player, number, at))
    return cards_by_hand


def _measure_catch(action: LoggedAction, cards: Sequence[PlayedCard]) -> timedelta:
    """Return the time from the caught player's last card to the catch, or 0 if there is none."""
    of = action.action.get("catch")
    before = [card.at for card in cards if card.player == of and card.number < action.number]
    return _find_catch_time(action) - before[-1] if before else timedelta()


def _find_catch_time(action: LoggedAction) -> datetime:
    """Return when the player made the catch, by compensated time if there was a race."""
    for timed in action.timing.claims:
        if timed.claim.player == action.player and not timed.claim.is_call:
            return EPOCH + timedelta(milliseconds=timed.compensated)
    return action.at


def _sum_luck(seats: Seats) -> ReviewedLuck | None:
    open_seats = {key: seat for key, seat in seats.items() if shows_cards(seat.match)}
    reviews = Review.objects.filter(match__in=open_seats, answer__isnull=False)
    rows = reviews.order_by("pk").values_list("match_id", "answer")
    accounts = [
        account
        for match, answer in rows
        for account in list_accounts(
            MatchReview.from_json(answer).hands, SeatNumber(open_seats[match].number)
        )
    ]
    if not accounts:
        return None
    luck = sum(each.won - each.start - each.play for each in accounts)
    return ReviewedLuck(len(accounts), luck, estimate_error(accounts))
