"""Facts about a match for code that lists matches or plays in them.

How a match is stored is known here and not outside: a page of an event asks whose turn it is and
never reads where that is kept. Matches come with their hands, as `scored` fetches them.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse

from games import store
from games.clocks import timing
from games.clocks.presence import GONE_SECONDS, PresentPlayer
from games.models import Hand, LoggedAction, Match, Outage, Reaction, RoundTrip, Seat
from games.rules.actions.knowledge import PlayerView
from games.rules.ruleset.rulesets import RuleSet
from games.seats import SeatNumber, player_at
from games.store import Snapshot
from games.stored.among import match_any
from games.tables.replay import is_open
from games.tables.sheet import reason_told

# Half an hour of a table of four.
MOST_TRIPS = 720
# So long after a clock has run out the table has acted by itself; else something is wrong.
OVERDUE = timedelta(seconds=15)


def with_scores(matches: QuerySet[Match], *, play: bool = True) -> QuerySet[Match]:
    """Fetch with the matches what their scores need: two queries more.

    Without `play` the hand being played is left out, which is large and not needed for points.
    """
    rows = matches if play else matches.defer("state", "race")
    return rows.prefetch_related("seats", _prefetch_hands("hands"))


def _prefetch_hands(path: str) -> Prefetch[str, QuerySet[Hand], str]:
    return Prefetch(path, Hand.objects.defer("deals", "deck", "final", "opening"))


def why_ended(match: Match) -> str:
    """Why it was abandoned, in the reader's language where the site itself gave the reason."""
    return reason_told(match, match.ended_reason)


def hand_shown(match: Match) -> int | None:
    """Number of the hand that is played or was played last; None before the first deal."""
    hands = [hand.number for hand in match.hands.all() if hand.dealt_at and not hand.void]
    return max(hands, default=None)


def hand_in_play(match: Match) -> int | None:
    """Number of the hand that is being played now; None between hands."""
    hands = match.hands.all()
    return next((hand.number for hand in hands if hand.dealt_at and not hand.ended_at), None)


def turn_seat(match: Match) -> SeatNumber | None:
    """Number of the seat to act; None between hands, and where that is not to be known yet."""
    if match.phase != Match.Phase.PLAYING:
        return None
    return match.state.turn_seat


def turn_began(match: Match) -> datetime | None:
    """When the turn that runs began; None between hands. Uses prefetched `seats`."""
    number = turn_seat(match)
    if number is None or match.turn_until is None:
        return None
    return timing.began(match, next(seat for seat in match.seats.all() if seat.number == number))


def hands_ended(match: Match) -> list[datetime]:
    """When each of the match's hands that count ended."""
    hands = match.hands.all()
    return [hand.ended_at for hand in hands if hand.ended_at and not hand.void]


@dataclass(frozen=True)
class PlayedHand:
    """A hand that is over and counts. `winner`: None where it was blocked; `replay`: where it can
    be looked back at, "" before that is allowed."""

    number: int
    winner: SeatNumber | None
    replay: str


def hands_played(match: Match) -> list[PlayedHand]:
    """The hands of a match, as far as who asks may know it, in their order."""
    over = [hand for hand in match.hands.all() if hand.ended_at and not hand.void]
    return [PlayedHand(hand.number, hand.winner, _replay(match, hand)) for hand in over]


def points_by_hand(match: Match) -> list[list[int]]:
    """What each hand that counts brought, by seat, in their order."""
    hands = sorted(match.hands.all(), key=lambda hand: hand.number)
    return [hand.points for hand in hands if hand.points is not None and not hand.void]


def result_link(match: Match) -> str:
    return reverse("games:result", args=[match.public_id])


def _replay(match: Match, hand: Hand) -> str:
    if not is_open(match, hand):
        return ""
    return reverse("games:replay", args=[match.public_id, hand.number])


def newest_replay(matches: QuerySet[Match], told: datetime) -> str:
    """Where the hand of these matches that ended last, by that time, is looked back at; "" without
    one."""
    over = Q(match__phase=Match.Phase.OVER, match__ended_at__lte=told)
    shown = over | Q(match__replays=Match.Replays.HAND)
    hands = Hand.objects.filter(shown, match__in=matches, ended_at__lte=told, void=False)
    newest = hands.order_by("-ended_at").values_list("match__public_id", "number").first()
    return reverse("games:replay", args=newest) if newest else ""


def is_damaged(match: Match) -> bool:
    """Whether the table paused by itself because its deal is damaged in the database."""
    return timing.is_damaged(match)


def is_deserted(match: Match) -> bool:
    """Whether the table paused by itself because nobody was there."""
    return timing.is_deserted(match)


def overdue(match: Match, now: datetime) -> bool:
    """Whether the table should have gone on by itself long ago.

    What fails is tried again only after half a minute, `due` by then: its turn tells.
    """
    planned = [at for at in (match.due, match.turn_until) if at is not None]
    return not match.paused and bool(planned) and min(planned) + OVERDUE < now


@dataclass(frozen=True)
class Away:
    """A time in which the site itself was away."""

    began: datetime
    time: timedelta


def list_outages(moment: datetime) -> list[Away]:
    """The times since then in which the site was away, the oldest first."""
    rows = Outage.objects.filter(began__gte=moment, away__gt=0).order_by("pk")
    return [Away(each.began, timedelta(seconds=each.away)) for each in rows]


def round_trips(match: Match) -> dict[Seat, list[RoundTrip]]:
    """What the lines of people took, by seat, the newest first; one query, at most MOST_TRIPS."""
    people = {seat.pk: seat for seat in match.seats.all() if seat.holder is not None}
    found: dict[Seat, list[RoundTrip]] = {seat: [] for seat in people.values()}
    for trip in RoundTrip.objects.filter(seat__in=people).order_by("-at")[:MOST_TRIPS]:
        found[people[trip.seat_id]].append(trip)
    return found


def reactions(match: Match) -> list[Reaction]:
    """What people at the table have shown each other, the newest first, at most MOST_TRIPS."""
    shown = Reaction.objects.filter(seat__match=match).select_related("seat")
    return list(shown.order_by("-pk")[:MOST_TRIPS])


def played_in(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Those of the matches in which somebody has acted: played, drawn, passed, whoever did it."""
    actions = LoggedAction.objects.filter(hand__match=OuterRef("pk"))
    return matches.filter(Exists(actions))


def took_part(matches: Collection[int]) -> set[tuple[int, int]]:
    """Match and seat number of whoever was heard at the table of one of these (by key), or did
    more there than let the clock run out; no seat where a bot plays now."""
    seats = Seat.objects.filter(match__in=match_any(matches), bot="")
    columns = seats.values_list("match_id", "number", "seen_at")
    there = {(match, int(number)): seen is not None for match, number, seen in columns}
    idle = (LoggedAction.Auto.TIMEOUT, LoggedAction.Auto.AWAY)
    acted = LoggedAction.objects.filter(hand__match__in=match_any(matches)).exclude(auto__in=idle)
    rows = acted.order_by().values_list("hand__match_id", "hand__players", "player").distinct()
    busy = {(match, int(players[player])) for match, players, player in rows}
    return {seat for seat, seen in there.items() if seen or seat in busy}


def present(seat: Seat, now: datetime) -> bool:
    """Whether the device of the seat's player is heard."""
    return _make_present_player(seat).present(now)


def is_arriving(match: Match, seat: Seat, now: datetime) -> bool:
    """Whether the player has not come yet, and the match has begun so lately that nobody is
    absent."""
    return _make_present_player(seat).time_to_arrive(match.started_at, now) > timedelta(0)


def _make_present_player(seat: Seat) -> PresentPlayer:
    return PresentPlayer(seat.holder or 0, seat.seen_at, seat.controller, seat.here)


def is_connected(user: int, now: datetime) -> bool:
    """Whether a device of this account (by key) is heard at any table."""
    lately = now - timedelta(seconds=GONE_SECONDS)
    here = ~Q(here="") | Q(seen_at__gte=lately)
    return Seat.objects.filter(here, user=user).exists()


@dataclass(frozen=True)
class Turn:
    """A turn that runs: who is to act since when. `version` is the match's, for `services.act`."""

    seat: Seat
    began: datetime
    version: int
    rules: RuleSet
    snapshot: Snapshot

    def view(self) -> PlayerView:
        """What this seat may know and do, as bots take it."""
        hand, position = self.snapshot.in_play
        # A view moves the hand's clock, and the snapshot is everybody's.
        player = player_at(hand.players, self.seat.number)
        assert player is not None
        return position.view(player)


def turn(match: int, version: int) -> Turn | None:
    """The turn that runs in a match (by key) at this version; None between hands."""
    snapshot = store.current(match, version)
    number = turn_seat(snapshot.match)
    if number is None or snapshot.match.turn_until is None:
        return None
    seat = snapshot.seats[number]
    return Turn(
        seat, timing.began(snapshot.match, seat), snapshot.version, snapshot.rules, snapshot
    )
