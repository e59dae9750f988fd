"""Facts about a match, for code that lists matches or plays in them.

Callers use these functions instead of the stored fields of a match, for example to find out whose
turn it is. The matches passed in must have been loaded by `with_scores`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse

from games import store
from games.clocks import timing
from games.clocks.presence import GONE_SECONDS, PresentPlayer
from games.json_values.key_lists import match_any
from games.models import Hand, LoggedAction, Match, Outage, Reaction, RoundTrip, Seat
from games.play.answers import GOING
from games.play.commit import RACING
from games.rules.actions.knowledge import PlayerView
from games.rules.ruleset.rulesets import RuleSet
from games.seats import SeatNumber, player_at
from games.store import Snapshot
from games.tables.replay import is_replay_open
from games.tables.sheet import describe_reason

# Maximum number of rows to load. A table of four produces this many round trips in half an hour.
MAX_ROWS = 720
# A table that has not acted this long after a deadline is overdue. Healthy tables act much sooner.
OVERDUE = timedelta(seconds=15)


def with_scores(matches: QuerySet[Match], *, play: bool = True) -> QuerySet[Match]:
    """Prefetch the seats and hands from which scores are computed, in two extra queries.

    Set `play` to False if only points are needed. The large fields of the hand in play are then
    left out.
    """
    rows = matches if play else matches.defer("state", "race")
    hands = Hand.objects.defer("deals", "deck", "final", "opening")
    return rows.prefetch_related("seats", Prefetch("hands", hands))


def describe_ending(match: Match) -> str:
    """Return the reason why the match was abandoned.

    Reasons given by the site are translated into the reader's language.
    """
    return describe_reason(match, match.ended_reason)


def latest_hand(match: Match) -> int | None:
    """Return the number of the latest hand that was dealt and counts, or None."""
    hands = [hand.number for hand in match.hands.all() if hand.dealt_at and not hand.void]
    return max(hands, default=None)


def hand_in_play(match: Match) -> int | None:
    """Return the number of the hand being played, or None between hands."""
    hands = match.hands.all()
    return next((hand.number for hand in hands if hand.dealt_at and not hand.ended_at), None)


def turn_seat(match: Match) -> SeatNumber | None:
    """Return the number of the seat whose turn it is.

    Returns None between hands, and while viewers may not see the turn.
    """
    if match.phase != Match.Phase.PLAYING:
        return None
    return match.state.turn_seat


def turn_start(match: Match) -> datetime | None:
    """Return when the current turn began, or None between hands.

    The match's `seats` should be prefetched.
    """
    number = turn_seat(match)
    if number is None or match.turn_until is None:
        return None
    return timing.turn_start(
        match, next(seat for seat in match.seats.all() if seat.number == number)
    )


def hand_end_times(match: Match) -> list[datetime]:
    """Return the end time of each hand that counts."""
    hands = match.hands.all()
    return [hand.ended_at for hand in hands if hand.ended_at and not hand.void]


@dataclass(frozen=True)
class PlayedHand:
    """A finished hand that counts.

    `winner` is None if the hand was blocked. `replay` is the path of its replay, or "" if the
    replay may not be shown yet.
    """

    number: int
    winner: SeatNumber | None
    replay: str


def played_hands(match: Match) -> list[PlayedHand]:
    """Return the finished hands of a match in order, with links to the open replays."""
    over = [hand for hand in match.hands.all() if hand.ended_at and not hand.void]
    return [PlayedHand(hand.number, hand.winner, _replay_link(match, hand)) for hand in over]


def points_by_hand(match: Match) -> list[list[int]]:
    """Return the points by seat of each hand that counts, in order."""
    hands = sorted(match.hands.all(), key=lambda hand: hand.number)
    return [hand.points for hand in hands if hand.points is not None and not hand.void]


def result_link(match: Match) -> str:
    return reverse("games:result", args=[match.public_id])


def _replay_link(match: Match, hand: Hand) -> str:
    if not is_replay_open(match, hand):
        return ""
    return reverse("games:replay", args=[match.public_id, hand.number])


def newest_replay(matches: QuerySet[Match], as_of: datetime) -> str:
    """Return the path of the newest replay in these matches, or "" if there is none.

    Only hands that ended by the time `as_of` are considered.
    """
    over = Q(match__phase=Match.Phase.OVER, match__ended_at__lte=as_of)
    shown = over | Q(match__replays=Match.Replays.HAND)
    hands = Hand.objects.filter(shown, match__in=matches, ended_at__lte=as_of, void=False)
    newest = hands.order_by("-ended_at").values_list("match__public_id", "number").first()
    return reverse("games:replay", args=newest) if newest else ""


def is_damaged(match: Match) -> bool:
    """Return whether the table paused automatically because its stored deal is damaged."""
    return timing.is_damaged(match)


def is_deserted(match: Match) -> bool:
    """Return whether the table paused automatically because no player was present."""
    return timing.is_deserted(match)


def is_overdue(match: Match, now: datetime) -> bool:
    """Return whether the table should have acted some time ago but has not.

    After a failed action, `due` is half a minute in the future, so `turn_until` is checked as well.
    """
    planned = [at for at in (match.due, match.turn_until) if at is not None]
    return not match.paused and bool(planned) and min(planned) + OVERDUE < now


@dataclass(frozen=True)
class SiteOutage:
    """A period during which the site was down, with its start and its duration."""

    began: datetime
    time: timedelta


def list_outages(since: datetime) -> list[SiteOutage]:
    """Return the site's outages that began at `since` or later, oldest first."""
    rows = Outage.objects.filter(began__gte=since, away__gt=0).order_by("pk")
    return [SiteOutage(row.began, timedelta(seconds=row.away)) for row in rows]


def round_trips(match: Match) -> dict[Seat, list[RoundTrip]]:
    """Return the round trips measured for each person at the table, newest first.

    Uses one query and returns at most MAX_ROWS round trips in all.
    """
    people = {seat.pk: seat for seat in match.seats.all() if seat.holder is not None}
    trips: dict[Seat, list[RoundTrip]] = {seat: [] for seat in people.values()}
    for trip in RoundTrip.objects.filter(seat__in=people).order_by("-at")[:MAX_ROWS]:
        trips[people[trip.seat_id]].append(trip)
    return trips


def reactions(match: Match) -> list[Reaction]:
    """Return the newest reactions at the table, at most MAX_ROWS, newest first."""
    shown = Reaction.objects.filter(seat__match=match).select_related("seat")
    return list(shown.order_by("-pk")[:MAX_ROWS])


def filter_played(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Restrict the matches to those with at least one action.

    Actions that the table carried out for a player count as well.
    """
    actions = LoggedAction.objects.filter(hand__match=OuterRef("pk"))
    return matches.filter(Exists(actions))


def find_participants(matches: Collection[int]) -> set[tuple[int, int]]:
    """Return the players who took part in these matches, as pairs of match key and seat number.

    A player took part by connecting to the table or by acting there. Actions that the table carried
    out for an absent or slow player do not count. Seats now played by a bot are left out.
    """
    seats = Seat.objects.filter(match__in=match_any(matches), bot="")
    columns = seats.values_list("match_id", "number", "seen_at")
    seen_by_seat = {(match, int(number)): seen is not None for match, number, seen in columns}
    idle = (LoggedAction.AutomaticAction.TIMEOUT, LoggedAction.AutomaticAction.AWAY)
    acted = LoggedAction.objects.filter(hand__match__in=match_any(matches)).exclude(auto__in=idle)
    rows = acted.order_by().values_list("hand__match_id", "hand__players", "player").distinct()
    acted_seats = {(match, int(players[player])) for match, players, player in rows}
    return {seat for seat, seen in seen_by_seat.items() if seen or seat in acted_seats}


def is_present(seat: Seat, now: datetime) -> bool:
    """Return whether a device of the seat's player is connected."""
    return _build_present_player(seat).is_present(now)


def is_polling(seat: Seat) -> bool:
    """Return whether the player's window uses polling because the network blocks WebSockets."""
    return _build_present_player(seat).polled


def is_arriving(match: Match, seat: Seat, now: datetime) -> bool:
    """Return whether the player may still be on the way to the table.

    This is the case if the match began recently and the player has not connected yet.
    """
    return _build_present_player(seat).time_to_arrive(match.started_at, now) > timedelta(0)


def _build_present_player(seat: Seat) -> PresentPlayer:
    return PresentPlayer(seat.holder or 0, seat.seen_at, seat.controller, seat.here)


@dataclass(frozen=True)
class AwaitedPlayer:
    """An absent player for whom a table is waiting.

    * `user`: the primary key of the player's account.
    * `call`: identifies what the table is waiting for: the start of the match, or a certain turn.
    * `until`: when the table stops waiting.
    """

    match: Match
    user: int
    call: str
    until: datetime


# Players are called to the start of a match for this long. Later, they are called only to their own
# turns.
BEGINNING = timedelta(minutes=5)
BEGINS = "begins"


def list_awaited_players(users: QuerySet[Any], now: datetime) -> list[AwaitedPlayer]:
    """Return the users who are absent from a table that is waiting for them.

    Practice tables and paused tables are left out.
    """
    matches = Q(match__phase__in=GOING, match__paused_at=None, match__practice=False)
    absent = Q(here="") & ~Q(seen_at__gte=now - timedelta(seconds=GONE_SECONDS))
    seats = Seat.objects.filter(matches, absent, user__in=users).select_related("match")
    awaited = (_find_call(seat, now) for seat in seats.defer("match__race", "match__options"))
    return [player for player in awaited if player is not None and player.until > now]


def _find_call(seat: Seat, now: datetime) -> AwaitedPlayer | None:
    match, user = seat.match, seat.user_id
    assert user is not None
    if turn_seat(match) == seat.number and match.turn_until is not None:
        return AwaitedPlayer(
            match, user, _identify_turn(match, seat), _compute_wait_end(match, seat)
        )
    if match.started_at is None or (seat.seen_at and seat.seen_at > match.started_at):
        return None
    return AwaitedPlayer(match, user, BEGINS, match.started_at + BEGINNING)


def _compute_wait_end(match: Match, seat: Seat) -> datetime:
    """Return when the table will act for the absent player."""
    assert match.turn_until is not None
    left = timing.allowed_absence(match, match.state, seat)
    if left is None:
        return match.turn_until
    return min(match.turn_until, timing.away_since(match, seat, _build_present_player(seat)) + left)


def _identify_turn(match: Match, seat: Seat) -> str:
    """Return an identifier that stays the same throughout the turn.

    It contains the number of the last action by another player, because only another player's
    action starts a turn.
    """
    hand = Hand.objects.filter(match=match, number=match.state.hand or 0, void=False).latest("pk")
    player = player_at(hand.players, seat.number)
    assert player is not None
    others = hand.actions.exclude(player=player)
    latest = others.order_by("-number").only("number", "action")
    numbers = (action.number for action in latest if action.verb not in RACING)
    return f"{hand.pk}-{next(numbers, 0)}"


def is_connected(user: int, now: datetime) -> bool:
    """Return whether a device of the account with this primary key is connected to any table."""
    recently = now - timedelta(seconds=GONE_SECONDS)
    here = ~Q(here="") | Q(seen_at__gte=recently)
    return Seat.objects.filter(here, user=user).exists()


@dataclass(frozen=True)
class Turn:
    """The current turn of a match, with the seat whose turn it is.

    `version` is the match's version, to be passed to `services.act`.
    """

    seat: Seat
    began: datetime
    version: int
    rules: RuleSet
    snapshot: Snapshot

    def view(self) -> PlayerView:
        """Return the view of the seat's player, in the form that bots use."""
        hand, position = self.snapshot.in_play
        player = player_at(hand.players, self.seat.number)
        assert player is not None
        return position.view(player)


def turn(match: int, version: int) -> Turn | None:
    """Return the turn of the match with this primary key and version, or None between hands."""
    snapshot = store.current(match, version)
    number = turn_seat(snapshot.match)
    if number is None or snapshot.match.turn_until is None:
        return None
    seat = snapshot.seats[number]
    return Turn(
        seat, timing.turn_start(snapshot.match, seat), snapshot.version, snapshot.rules, snapshot
    )
