"""Notices at finished tables that the players' next matches have started."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_noop

from games.models import Match, Seat
from games.process import here
from games.protocol.desk import StartedMatch
from tournament.common.language import translate_later
from tournament.models import Event
from tournament.rounds.live_tables import GOING

EVENT = "match__event_table__round__stage__event"


def find_started_matches(finished: Collection[int]) -> dict[int, dict[int, StartedMatch]]:
    """Return the matches in which the players of finished matches are playing now.

    Only matches of the same event count. The result is keyed by finished match and seat. This takes
    two queries, or none if `finished` is empty.
    """
    if not finished:
        return {}
    finished_seats = Seat.objects.filter(match__in=finished, user__isnull=False)
    finished_players = list(finished_seats.values_list("match", "number", "user", EVENT))
    running = _find_running_seats(
        {row[2] for row in finished_players}, {row[3] for row in finished_players}
    )
    started: defaultdict[int, dict[int, StartedMatch]] = defaultdict(dict)
    for match, number, user, event in finished_players:
        if (seat := running.get((user, event))) is not None:
            started[match][number] = _make_started_match(seat)
    return started


def _find_running_seats(
    users: Collection[int], events: Collection[int]
) -> dict[tuple[int | None, int], Seat]:
    seats = Seat.objects.filter(
        user__in=users, match__phase__in=GOING, **{f"{EVENT}__in": events}
    ).select_related(EVENT)
    return {(seat.user_id, seat.match.event_table.round.stage.event_id): seat for seat in seats}


def _make_started_match(seat: Seat) -> StartedMatch:
    table = seat.match.event_table
    sentence = translate_later(
        gettext_noop("{round} has started. You’re at table {table}, seat {seat}."),
        round=table.round,
        table=table.number,
        seat=seat.number + 1,
    )
    return StartedMatch(seat.match.get_absolute_url(), sentence, bool(seat.here))


def notify_finished_tables(event: Event, started: Iterable[Match | None]) -> None:
    """Notify the windows at finished tables whose players are in one of the started matches.

    For each player, this is the table of their last finished match in the event. The windows are
    notified after the transaction commits.
    """
    players = Seat.objects.filter(match__in=filter(None, started), user__isnull=False)
    finished_seats = Seat.objects.filter(match__phase=Match.Phase.OVER, **{EVENT: event})
    finished_seats = finished_seats.filter(user__in=players.values("user")).order_by()
    last = finished_seats.values("user").annotate(last=Max("match")).values_list("last", flat=True)
    topics = [Match(pk=match).desk_topic for match in sorted(set(last))]

    def notify() -> None:
        for topic in topics:
            here().hub.poke(topic)

    transaction.on_commit(notify)
