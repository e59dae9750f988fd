"""Current play: tables in play, the progress of stages, and players' current or next seats."""

from dataclasses import dataclass
from datetime import timedelta
from itertools import zip_longest

from django.db.models import (
    Count,
    DateTimeField,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.utils import timezone

from games.models import Match
from tournament.models import Event, Registration, Round, Stage, Table, TableSeat, User
from tournament.stages.texts import describe_with_following

SECOND = Value(timedelta(seconds=1), DurationField())
# How long before and after its planned start an open event may begin.
DAY_OF_EVENT = timedelta(hours=12)
GOING = (Match.Phase.PLAYING, Match.Phase.BETWEEN)
OPEN = (Round.State.PUBLISHED, Round.State.RUNNING)


@dataclass(frozen=True)
class StageView:
    """A stage with its published rounds.

    * `progress`: "now", "done", or "" if the stage has not begun or is between rounds.
    * `text`: a description of how the stage is played and who advances.
    """

    stage: Stage
    rounds: list[Round]
    progress: str
    text: str


@dataclass(frozen=True)
class CurrentSeat:
    """A seat where a player is playing or will play.

    * `table`, `seat`: their numbers, from 1.
    * `playing`: whether the match is in progress.
    """

    table: int
    seat: int
    playing: bool


def count_tables_in_play(event: Event) -> int:
    """Return the number of tables that can be watched."""
    return _select_watched_tables().filter(round__stage__event=event).count()


def annotate_in_play(events: QuerySet[Event]) -> QuerySet[Event]:
    """Annotate events with `in_play`: whether there is a table that can be watched."""
    tables = _select_watched_tables().filter(round__stage__event=OuterRef("pk"))
    return events.annotate(in_play=Exists(tables))


def annotate_players(events: QuerySet[Event]) -> QuerySet[Event]:
    """Annotate events with `players`: the number of registrations with a spot."""
    place_count = Count(
        "registrations", filter=Q(registrations__state__in=Registration.HOLDS_PLACE)
    )
    return events.annotate(players=place_count)


def _select_watched_tables() -> QuerySet[Table]:
    """Return the tables whose matches viewers can see in progress.

    If viewers see moves with a delay, a table is included until they may know that it has ended.
    """
    seconds = ExpressionWrapper(F("match__viewer_delay_seconds"), IntegerField())
    delay = ExpressionWrapper(seconds * SECOND, DurationField())
    revealed_at = ExpressionWrapper(F("match__ended_at") + delay, DateTimeField())
    unrevealed = Q(match__viewers=Match.Viewers.DELAYED, revealed_at__gt=timezone.now())
    tables = Table.objects.annotate(revealed_at=revealed_at).filter(
        Q(match__phase__in=GOING) | unrevealed
    )
    return tables.exclude(round__state=Round.State.CLOSED)


def list_stage_views(event: Event) -> list[StageView]:
    """Return the event's stages with their published rounds, in order."""
    all_stages = list(event.stages.prefetch_related("rounds"))
    return [_build_stage_view(*pair) for pair in zip_longest(all_stages, all_stages[1:])]


def _build_stage_view(stage: Stage, following: Stage | None) -> StageView:
    rounds = [each for each in stage.rounds.all() if each.state != Round.State.DRAFT]
    played = any(each.is_final and each.state == Round.State.CLOSED for each in rounds)
    if stage.state == Stage.State.CLOSED or played:
        progress = "done"
    else:
        progress = "now" if any(each.state in OPEN for each in rounds) else ""
    return StageView(stage, rounds, progress, describe_with_following(stage, following))


def find_current_event(user: User) -> Event | None:
    """Return the event in which the user is needed now, or None.

    This is the event in which the user is playing. If there is none, it is the event in which they
    have a seat, or otherwise a running event. Returns None if several events meet the same
    condition. Loads only slug, state and start.
    """
    candidates = _list_current_events(user)
    if len(candidates) < 2 and all(each.state == Event.State.RUNNING for each in candidates):
        return candidates[0] if candidates else None  # Their seats need not be loaded.
    rows = list(_annotate_seats(_select_open_registrations(user)))
    chosen = (
        [row for row in rows if row.plays]  # type: ignore[attr-defined]
        or [row for row in rows if row.seated]  # type: ignore[attr-defined]
        or [row for row in rows if row.event.state == Event.State.RUNNING]
    )
    return chosen[0].event if len(chosen) == 1 else None


def is_imminent(event: Event) -> bool:
    """Return whether a match of the event may begin soon, by the event's state and start."""
    if event.state == Event.State.RUNNING:
        return True
    if event.state != Event.State.OPEN or event.starts_at is None:
        return False
    return abs(event.starts_at - timezone.now()) < DAY_OF_EVENT


def _list_current_events(user: User) -> list[Event]:
    """Return up to two open or running events in which the user has a spot."""
    place = Q(registrations__user=user, registrations__state=Registration.State.APPROVED)
    events = Event.objects.filter(place, state__in=(Event.State.OPEN, Event.State.RUNNING))
    return list(events.only("slug", "state", "starts_at").order_by()[:2])


def list_current_seats(user: User) -> dict[int, CurrentSeat]:
    """Return the user's current or next seat in each event, by event key."""
    is_own = Q(registration__user=user, substitute=None) | Q(substitute__user=user)
    seats = TableSeat.objects.filter(is_own, forfeited=False, table__round__state__in=OPEN)
    seats = seats.exclude(table__match__phase=Match.Phase.OVER)
    columns = ("table__round__stage__event", "table__number", "number", "table__match__phase")
    return {
        event: CurrentSeat(table, number + 1, phase in GOING)
        for event, table, number, phase in seats.values_list(*columns)
    }


def _select_open_registrations(user: User) -> QuerySet[Registration]:
    registrations = Registration.objects.filter(user=user, state=Registration.State.APPROVED)
    open_events = (Event.State.OPEN, Event.State.RUNNING)
    places = registrations.filter(event__state__in=open_events).select_related("event")
    return places.only("event__slug", "event__state", "event__starts_at").order_by()


def _annotate_seats(places: QuerySet[Registration]) -> QuerySet[Registration]:
    is_own = Q(registration=OuterRef("pk"), substitute=None) | Q(substitute=OuterRef("pk"))
    seats = TableSeat.objects.filter(is_own, forfeited=False, table__round__state__in=OPEN)
    seated = Exists(seats.exclude(table__match__phase=Match.Phase.OVER))
    return places.annotate(seated=seated, plays=Exists(seats.filter(table__match__phase__in=GOING)))
