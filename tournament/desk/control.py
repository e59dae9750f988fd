"""The control room: one row for each table of the round, the most urgent first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import facts
from games.models import Match, Seat
from tournament.hall.queries import round_view
from tournament.hall.table_views import PublicTable, RoundView, SeatView
from tournament.models import Event, RefereeCall, Round
from tournament.results.queries import results_in, rules_of
from tournament.results.reports import list_reported
from tournament.results.table_result import TableResult
from tournament.results.table_state import TableState
from tournament.rounds.announcements import filter_open_calls
from tournament.rounds.pace import MatchPace, estimate_end

ATTENTION = {
    "called": gettext_lazy("referee called"),
    "stuck": gettext_lazy("stuck"),
    "absent": gettext_lazy("absent"),
    "confirm": gettext_lazy("points to confirm"),
    "disputed": gettext_lazy("points disputed"),
    "reported": gettext_lazy("players’ points unconfirmed"),
    "result": gettext_lazy("no result"),
    "coming": gettext_lazy("referee on the way"),
}
# Marks of players who are not at the table. "coming" is not an issue, because these players may
# still arrive.
NOT_HERE = {"away", "coming", "absent"}
# Issues that stop play at a table.
URGENT = {"called", "stuck"}
MARKS = {
    "here": gettext_lazy("here"),
    "away": gettext_lazy("away"),
    "coming": gettext_lazy("not here yet"),
    "absent": gettext_lazy("absent"),
    "out": gettext_lazy("out"),
    "bot": gettext_lazy("bot"),
}


@dataclass(frozen=True)
class WatchedSeat:
    """A player's seat, with the player's presence.

    * `mark`: a key of MARKS, or "" if no one has to be present.
    * `is_polling`: whether the player is present on a network that blocks WebSockets.
    """

    seat: SeatView
    mark: str
    is_polling: bool = False

    @property
    def mark_text(self) -> str:
        return str(MARKS[self.mark]) if self.mark else ""


@dataclass(frozen=True)
class WaitingCall:
    """A call for a referee, and how long it has been waiting."""

    call: RefereeCall
    time: timedelta


@dataclass(frozen=True)
class ControlRow:
    """A table's row in the control room.

    * `turn_time`: the time since the current turn began.
    * `elapsed`: the time since the match started.
    * `expected`: the time at which the match will probably end.
    * `leader`: the player with the most points, or "" before any points.
    * `leader_points`: the points of the leader.
    * `attention`: keys of ATTENTION, most urgent first.
    * `calls`: the calls for a referee, oldest first.
    """

    view: PublicTable
    seats: list[WatchedSeat]
    turn_time: timedelta | None
    elapsed: timedelta | None
    expected: datetime | None
    leader: str
    leader_points: int | None
    attention: list[str]
    calls: list[WaitingCall]

    @property
    def is_urgent(self) -> bool:
        """True if play is waiting for an organizer."""
        return bool(URGENT & set(self.attention))

    @property
    def has_missing_player(self) -> bool:
        """True if a player is away, absent or still on the way."""
        return any(seat.mark in NOT_HERE for seat in self.seats)

    @property
    def attention_text(self) -> str:
        """The table's issues, separated by commas."""
        return ", ".join(str(ATTENTION[key]) for key in self.attention)


@dataclass(frozen=True)
class ControlRoom(RoundView):
    """A round with one row for each table."""

    rows: list[ControlRow]

    @property
    def open_call_count(self) -> int:
        """The number of calls for a referee that no one has accepted yet."""
        return sum(waiting.call.taken_by is None for row in self.rows for waiting in row.calls)

    @property
    def polling_count(self) -> int:
        """The number of present players whose network blocks WebSockets."""
        return sum(seat.is_polling for row in self.rows for seat in row.seats)

    @property
    def all_finished(self) -> bool:
        return self.finished == len(self.rows)


@dataclass(frozen=True)
class RowFilter:
    """A filter with its key, title and number of matching tables."""

    key: str
    title: str
    count: int


def _rank_urgency(row: ControlRow) -> tuple[int, float]:
    """Return a sort key: the most urgent issues first, then the calls that have waited longest."""
    kind = list(ATTENTION).index(row.attention[0]) if row.attention else len(ATTENTION)
    return kind, -_to_seconds(max((waiting.time for waiting in row.calls), default=None))


def _to_seconds(time: timedelta | None) -> float:
    return time.total_seconds() if time is not None else -1.0


def _to_timestamp(at: datetime | None) -> float:
    return at.timestamp() if at else 0.0


# Each filter has a title and a function that selects its rows.
FILTERS: dict[str, tuple[str | Promise, Callable[[ControlRow], bool]]] = {
    "all": (gettext_lazy("All"), lambda _row: True),
    "called": (gettext_lazy("Referee called"), lambda row: bool(row.calls)),
    "attention": (gettext_lazy("Needs attention"), lambda row: bool(row.attention)),
    "absent": (gettext_lazy("Not here"), lambda row: row.has_missing_player),
    "stuck": (gettext_lazy("Stuck"), lambda row: "stuck" in row.attention),
    "finished": (gettext_lazy("Finished"), lambda row: row.view.state == TableState.FINISHED),
}
SORTS: dict[str, tuple[str | Promise, Callable[[ControlRow], tuple[object, ...]]]] = {
    "attention": (gettext_lazy("urgency"), _rank_urgency),
    "table": (gettext_lazy("table"), lambda _row: ()),
    "turn": (gettext_lazy("longest turn"), lambda row: (-_to_seconds(row.turn_time),)),
    "end": (gettext_lazy("latest end"), lambda row: (-_to_timestamp(row.expected),)),
}


def current_round(event: Event) -> Round | None:
    """Return the round in play, or otherwise the latest published round, or None."""
    rounds = Round.objects.filter(stage__event=event).select_related("stage__event")
    open_rounds = rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    return open_rounds.order_by("-state", "-stage__number", "-number").first()


def control_room(event: Event) -> ControlRoom | None:
    """Return the control room for `current_round`, or None if there is no such round."""
    playing = current_round(event)
    if playing is None:
        return None
    results, now = results_in([playing]), timezone.now()
    view = round_view(playing, results)
    calls, reports = _map_open_calls(playing, now), list_reported(playing)
    rows = [
        _build_row(
            view, result, calls.get(result.table.pk, []), reports.get(result.table.pk, ""), now
        )
        for view, result in zip(view.tables, results, strict=True)
    ]
    return ControlRoom(**vars(view), rows=rows)


def filter_rows(room: ControlRoom, show: str, sort: str) -> ControlRoom:
    """Return the room with only the rows that match the filter, in the given order.

    `show` and `sort` are keys of FILTERS and SORTS. Unknown keys select the defaults. Rows that
    compare equal stay in the order of their tables.
    """
    _title, belongs = FILTERS.get(show, FILTERS["all"])
    _title, order = SORTS.get(sort, SORTS["attention"])
    return replace(room, rows=sorted(filter(belongs, room.rows), key=order))


def list_filters(room: ControlRoom) -> list[RowFilter]:
    """Return the filters, each with its number of matching tables."""
    return [
        RowFilter(key, str(title), sum(map(belongs, room.rows)))
        for key, (title, belongs) in FILTERS.items()
    ]


def _map_open_calls(playing: Round, now: datetime) -> dict[int, list[WaitingCall]]:
    """Return the open referee calls of the round, by table."""
    calls: dict[int, list[WaitingCall]] = {}
    for call in filter_open_calls(RefereeCall.objects.filter(table__round=playing)):
        calls.setdefault(call.table_id, []).append(WaitingCall(call, now - call.called_at))
    return calls


def _build_row(
    view: PublicTable, result: TableResult, calls: list[WaitingCall], message: str, now: datetime
) -> ControlRow:
    seats = _list_watched_seats(view, result, now)
    leader = _find_leader(view)
    match = result.match
    return ControlRow(
        view=view,
        seats=seats,
        turn_time=_find_turn_time(match, now) if match and view.state.is_live else None,
        elapsed=_find_elapsed_time(match, now) if match else None,
        expected=_estimate_end(result, now) if view.state.is_live else None,
        leader=leader.name if leader else "",
        leader_points=leader.points if leader else None,
        attention=[
            *_list_call_issues(calls),
            *_list_table_issues(view, result, seats, now),
            *_list_report_issues(message),
        ],
        calls=calls,
    )


def _list_watched_seats(view: PublicTable, result: TableResult, now: datetime) -> list[WatchedSeat]:
    match = result.match
    seats = {int(seat.number): seat for seat in match.seats.all()} if match else {}
    return [_build_watched_seat(seat, match, seats.get(seat.number), now) for seat in view.seats]


def _build_watched_seat(
    seat: SeatView, match: Match | None, match_seat: Seat | None, now: datetime
) -> WatchedSeat:
    mark = _choose_mark(seat, match, match_seat, now)
    return WatchedSeat(
        seat, mark, mark == "here" and match_seat is not None and facts.is_polling(match_seat)
    )


def _choose_mark(
    seat: SeatView, match: Match | None, match_seat: Seat | None, now: datetime
) -> str:
    if seat.bot or seat.out:
        return "bot" if seat.bot else "out"
    if seat.present is None:
        return ""
    return "here" if seat.present else _choose_missing_mark(seat, match, match_seat, now)


def _choose_missing_mark(
    seat: SeatView, match: Match | None, match_seat: Seat | None, now: datetime
) -> str:
    """Return the mark of a missing player: "away", "absent" or "coming".

    Before the match starts, players are "absent" only if an organizer has marked them as absent.
    """
    if match is None or match_seat is None:
        marked = seat.registration is not None and seat.registration.absent_at
        return "absent" if marked else "coming"
    if match_seat.seen_at is not None:
        return "away"
    return "coming" if facts.is_arriving(match, match_seat, now) else "absent"


def _find_leader(view: PublicTable) -> SeatView | None:
    """Return the seat with the most points, or None if no seat has any."""
    scoring = [seat for seat in view.seats if seat.points]
    return max(scoring, key=lambda seat: seat.points or 0, default=None)


def _find_turn_time(match: Match, now: datetime) -> timedelta | None:
    began = facts.turn_start(match)
    return max(timedelta(0), (match.paused_at or now) - began) if began else None


def _find_elapsed_time(match: Match, now: datetime) -> timedelta | None:
    return (match.ended_at or now) - match.started_at if match.started_at else None


def _estimate_end(result: TableResult, now: datetime) -> datetime | None:
    match = result.match
    assert match is not None
    assert match.started_at is not None
    ended = facts.hand_end_times(match)
    rules = rules_of(result.table.round.stage.event)
    pace = MatchPace(
        started=match.started_at,
        until=max(ended, default=now),
        hands=len(ended),
        best=max(result.points, default=0),
        target=None if rules.scoring == "elimination" else rules.target or None,
        hand_limit=match.hand_limit,
        ends_at=match.ends_at,
    )
    return estimate_end(pace, now)


def _list_call_issues(calls: Sequence[WaitingCall]) -> list[str]:
    untaken = any(waiting.call.taken_by is None for waiting in calls)
    return [("called" if untaken else "coming")] if calls else []


def _list_report_issues(report: str) -> list[str]:
    """Return the issue of the players' report, or [] if they have not reported points."""
    return [{"open": "reported", "disputed": "disputed"}[report]] if report else []


def _list_table_issues(
    view: PublicTable, result: TableResult, seats: Sequence[WatchedSeat], now: datetime
) -> list[str]:
    live = view.state.is_live
    applies = {
        "stuck": live and _is_stuck(result.match, now),
        "absent": (live or view.state == TableState.WAITING)
        and any(seat.mark in ("away", "absent") for seat in seats),
        "confirm": result.waiting,
        "result": view.state == TableState.ABANDONED,
    }
    return [key for key in ATTENTION if applies.get(key)]


def _is_stuck(match: Match | None, now: datetime) -> bool:
    """Return whether the table is deserted, damaged, or late with its next automatic action."""
    if match is None:
        return False
    if match.paused:
        return facts.is_deserted(match) or facts.is_damaged(match)
    return facts.is_overdue(match, now)


def sort_titles() -> list[tuple[str, str]]:
    """Return the keys and titles of the sort orders."""
    return [(key, str(title)) for key, (title, _order) in SORTS.items()]


def no_matches_message(show: str) -> str:
    """Return the message for a filter that matches no tables."""
    if show == "all":
        return _("This round has no tables.")
    return _("No tables match this filter.")
