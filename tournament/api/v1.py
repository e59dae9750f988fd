"""Endpoints of /api/v1/.

They use the same queries as the public pages, and therefore apply the same delays and hide the
same information.
"""

from collections.abc import Sequence
from typing import Annotated, TypeVar

from django.http import HttpRequest
from django.urls import reverse
from ninja import Field, Query, Schema
from ninja.errors import HttpError

from games import queries as games
from tournament.api.public import AddressThrottle, PublicAPI
from tournament.api.shapes import (
    BracketOut,
    EventDetail,
    EventOut,
    HistoryOut,
    Invalid,
    Problem,
    QualifierOut,
    RecordOut,
    ResultOut,
    RoundOut,
    SeatOut,
    Slug,
    StageOut,
    StandingOut,
    Standings,
    TableOut,
)
from tournament.events.publicity import public_events
from tournament.hall import queries as hall
from tournament.hall.queries import tables
from tournament.hall.table_views import PublicTable, QualifierView, RoundView, SeatView
from tournament.models import Event, Registration, Stage
from tournament.oversight.public_history import find_public_head
from tournament.results.table_state import TableState
from tournament.rounds.live_tables import list_stage_views
from tournament.stages.winners import winner
from tournament.standings.queries import leaderboard
from tournament.standings.rows import LeaderRow

Item = TypeVar("Item")

api = PublicAPI(
    title="Lastcard",
    version="1",
    description="Public data of public events, read-only.",
    urls_namespace="api",
    openapi_url=None,
    docs_url=None,
    throttle=[AddressThrottle()],
)
REFUSALS = {404: Problem, 422: Invalid, 429: Problem}


class Page(Schema):
    """Pagination parameters, for up to `limit` items from `offset`."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0

    def select(self, items: Sequence[Item]) -> list[Item]:
        return list(items[self.offset : self.offset + self.limit])


class Events(Schema):
    count: int
    items: list[EventOut]


class Results(Schema):
    count: int
    items: list[ResultOut]


class Records(Schema):
    count: int
    items: list[RecordOut]


def _get_event(slug: str) -> Event:
    """Return the public event with this slug.

    Raises a 404 error if there is none, or if it is a draft.
    """
    event_or_none = Event.objects.filter(slug=slug).first()
    if event_or_none is None or not event_or_none.public:
        raise HttpError(404, "This event doesn’t exist.")
    return event_or_none


@api.get("/events", response={200: Events, **REFUSALS}, summary="Events", url_name="events")
def events(request: HttpRequest, page: Query[Page]) -> Events:
    """Return all public events, latest first."""
    all_events = public_events()
    page_events = all_events[page.offset : page.offset + page.limit]
    return Events(
        count=all_events.count(), items=[_build_event(request, each) for each in page_events]
    )


def _build_event(request: HttpRequest, event: Event) -> EventOut:
    names = EventOut.model_fields.keys() - {"url"}
    url = request.build_absolute_uri(reverse("event", args=[event.slug]))
    return EventOut(url=url, **{name: getattr(event, name) for name in names})


@api.get(
    "/events/{slug}", response={200: EventDetail, **REFUSALS}, summary="An event", url_name="event"
)
def event(request: HttpRequest, slug: Slug) -> EventDetail:
    """Return one event with its stages."""
    event_row = _get_event(slug)
    winners_row = winner(event_row)
    players = event_row.registrations.filter(state__in=Registration.HOLDS_PLACE)
    return EventDetail(
        **_build_event(request, event_row).model_dump(),
        description=event_row.description,
        stages=[
            StageOut(number=each.stage.number, title=each.stage.label, text=each.text)
            for each in list_stage_views(event_row)
        ],
        players=players.count(),
        winners=[row.name for row in winners_row.shared] if winners_row else [],
        history=_build_history(request, event_row),
    )


def _build_history(request: HttpRequest, event: Event) -> HistoryOut:
    rows, latest_hash = find_public_head(event)
    address = reverse("event-history-file", args=[event.slug])
    return HistoryOut(rows=rows, head=latest_hash, url=request.build_absolute_uri(address))


@api.get(
    "/events/{slug}/standings",
    response={200: Standings, **REFUSALS},
    summary="Standings",
    url_name="standings",
)
def standings(
    request: HttpRequest,
    slug: Slug,
    page: Query[Page],
    stage: Annotated[int | None, Field(ge=1, le=99)] = None,
) -> Standings:
    """Return the leaderboard of the event or of one `stage`, as viewers see it now."""
    event_row = _get_event(slug)
    board = leaderboard(event_row, _find_stage(event_row, stage), figures=True)
    return Standings(
        event=event_row.slug,
        stage=stage,
        columns=board.columns,
        provisional=board.provisional,
        updated_at=board.updated_at,
        count=len(board.rows),
        items=[_build_standing(row) for row in page.select(board.rows)],
    )


def _find_stage(event: Event, number: int | None) -> Stage | None:
    if number is None:
        return None
    stage = event.stages.exclude(state=Stage.State.WAITING).filter(number=number).first()
    if stage is None:
        raise HttpError(404, "The event has no such stage yet.")
    return stage


def _build_standing(row: LeaderRow) -> StandingOut:
    names = StandingOut.model_fields.keys() - {"rank", "player", "disqualified"}
    return StandingOut(
        rank=row.shown_rank,
        player=row.registration.pk,
        disqualified=row.out,
        **{name: getattr(row, name) for name in names},
    )


@api.get(
    "/events/{slug}/rounds",
    response={200: list[RoundOut], **REFUSALS},
    summary="Rounds",
    url_name="rounds",
)
def rounds(request: HttpRequest, slug: Slug) -> list[RoundOut]:
    """Return all published rounds with their tables and seats, latest first."""
    return [_build_round(request, each) for each in tables(_get_event(slug))]


def _build_round(request: HttpRequest, view: RoundView) -> RoundOut:
    return RoundOut(
        stage=view.round.stage.number,
        number=view.round.number,
        title=view.title,
        state=view.state,
        started_at=view.round.started_at,
        ends_at=view.ends_at,
        tables=[_build_table(request, table) for table in view.tables],
    )


def _build_table(request: HttpRequest, view: PublicTable) -> TableOut:
    link = view.link or view.result_link
    return TableOut(
        number=view.number,
        state=view.state,
        hand=view.hand,
        link=request.build_absolute_uri(link) if link else "",
        note=view.note,
        seats=[_build_seat(seat) for seat in view.seats],
    )


def _build_seat(view: SeatView) -> SeatOut:
    names = SeatOut.model_fields.keys() - {"player"}
    player = view.registration.pk if view.registration else None
    return SeatOut(player=player, **{name: getattr(view, name) for name in names})


@api.get(
    "/events/{slug}/bracket",
    response={200: BracketOut, **REFUSALS},
    summary="Bracket",
    url_name="bracket",
)
def bracket(request: HttpRequest, slug: Slug) -> BracketOut:
    """Return the knockout bracket.

    Raises a 404 error until players have advanced to it.
    """
    view = hall.bracket(_get_event(slug))
    if view is None:
        raise HttpError(404, "No one has advanced yet.")
    return BracketOut(
        stage=view.stage.number,
        title=view.stage.label,
        text=view.text,
        qualifiers=[_build_qualifier(each) for each in view.qualifiers],
        rounds=[_build_round(request, each) for each in view.rounds],
    )


def _build_qualifier(view: QualifierView) -> QualifierOut:
    names = QualifierOut.model_fields.keys() - {"player"}
    return QualifierOut(
        player=view.registration.pk, **{name: getattr(view, name) for name in names}
    )


@api.get(
    "/events/{slug}/results",
    response={200: Results, **REFUSALS},
    summary="Results",
    url_name="results",
)
def results(request: HttpRequest, slug: Slug, page: Query[Page]) -> Results:
    """Return the points and place of every seat at finished tables, latest round first."""
    finished = [
        _build_result(round_view, table, seat)
        for round_view in tables(_get_event(slug))
        for table in round_view.tables
        if table.state == TableState.FINISHED
        for seat in table.seats
    ]
    return Results(count=len(finished), items=page.select(finished))


def _build_result(round_view: RoundView, table: PublicTable, seat: SeatView) -> ResultOut:
    return ResultOut(
        stage=round_view.round.stage.number,
        round=round_view.round.number,
        round_title=round_view.title,
        table=table.number,
        seat=seat.number,
        player=seat.registration.pk if seat.registration else None,
        name=seat.name,
        points=seat.points or 0,
        place=seat.place,
    )


@api.get(
    "/events/{slug}/records",
    response={200: Records, **REFUSALS},
    summary="Hand records",
    url_name="records",
)
def records(request: HttpRequest, slug: Slug, page: Query[Page]) -> Records:
    """Return the hands whose cards are public, with the URLs of their records."""
    open_hands = [
        _build_record(request, round_view, table, hand.number)
        for round_view in tables(_get_event(slug))
        for table in round_view.tables
        if table.match and games.shows_cards(table.match)
        for hand in table.match.hands.all()
        if games.is_replay_open(table.match, hand)
    ]
    return Records(count=len(open_hands), items=page.select(open_hands))


def _build_record(
    request: HttpRequest, round_view: RoundView, table: PublicTable, hand: int
) -> RecordOut:
    assert table.match is not None
    address = reverse("games:record", args=[table.match.public_id, hand])
    return RecordOut(
        stage=round_view.round.stage.number,
        round=round_view.round.number,
        table=table.number,
        hand=hand,
        url=request.build_absolute_uri(address),
    )
