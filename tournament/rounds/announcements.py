"""The desk's current announcements, for tables, the event's pages and the desk's pages."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Match
from games.protocol.desk import DeskLine, Summons, TableNews
from tournament.models import DeskMessage, Event, RefereeCall, Round, Table, TableSeat, User
from tournament.rounds.next_matches import find_started_matches

Audience = DeskMessage.Audience
AT_SEATS = (Audience.ALL, Audience.PLAYERS, Audience.TABLE)
WATCHING = (Audience.ALL, Audience.VIEWERS)


def filter_shown_messages(
    messages: QuerySet[DeskMessage], moment: datetime | None = None
) -> QuerySet[DeskMessage]:
    """Return the messages that are shown at this moment (by default now), newest first."""
    shown_at = moment or timezone.now()
    return messages.filter(taken_back_at__isnull=True, expires_at__gt=shown_at)


def filter_open_calls(calls: QuerySet[RefereeCall]) -> QuerySet[RefereeCall]:
    """Return the open calls at tables of running rounds, oldest first."""
    open_ = calls.filter(ended_at__isnull=True, table__round__state=Round.State.RUNNING)
    return open_.select_related("seat__registration", "taken_by", "table")


def load_table_news(matches: Collection[int]) -> dict[int, TableNews]:
    """Return the desk's current news for the tables of these matches, by match key.

    This takes three queries, and two more if any of the matches is over.
    """
    tables = Table.objects.filter(match__in=matches)
    stage = "round__stage__event"
    columns = ("pk", "match_id", f"{stage}_id", f"{stage}__reactions", "match__phase")
    rows = list(tables.values_list(*columns))
    if not rows:
        return {}
    finished = {match for _, match, _, _, phase in rows if phase == Match.Phase.OVER}
    started = find_started_matches(finished)
    calls = defaultdict(list)
    for call in filter_open_calls(RefereeCall.objects.filter(table__match__in=matches)):
        calls[call.table_id].append(_make_summons(call))
    messages = list(
        filter_shown_messages(DeskMessage.objects.filter(event__in={row[2] for row in rows}))
    )
    return {
        match: TableNews(
            calls[table],
            _make_desk_lines(_select_messages(messages, event, table, AT_SEATS)),
            _make_desk_lines(_select_messages(messages, event, None, WATCHING)),
            reactions,
            started.get(match, {}),
        )
        for table, match, event, reactions, _ in rows
        if match is not None
    }


def _select_messages(
    messages: Iterable[DeskMessage], event: int, table: int | None, audiences: Collection[str]
) -> list[DeskMessage]:
    addressed = [each for each in messages if each.event_id == event and each.audience in audiences]
    return [each for each in addressed if each.table_id in (None, table)]


def _make_desk_lines(messages: Iterable[DeskMessage]) -> list[DeskLine]:
    return [
        DeskLine(message.pk, message.said or message.text, _to_milliseconds(message.sent_at))
        for message in messages
    ]


def _make_summons(call: RefereeCall) -> Summons:
    return {
        "seat": call.seat.number,
        "reason": call.reason,
        "at": _to_milliseconds(call.called_at),
        "coming": call.taken_by_id is not None,
    }


def _to_milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def list_announcements(event: Event, user: Any) -> list[DeskMessage]:
    """Return the messages that the event's pages show to this user, newest first.

    Without messages, this takes one query.
    """
    messages = list(filter_shown_messages(event.desk_messages.all()))
    if not messages:
        return []
    seated = isinstance(user, User) and event.registrations.filter(user=user).exists()
    audiences = {Audience.ALL, Audience.PLAYERS if seated else Audience.VIEWERS}
    tables = _find_user_tables(event, user) if seated else set()
    return [
        message
        for message in messages
        if message.audience in audiences or message.table_id in tables
    ]


def _find_user_tables(event: Event, user: User) -> set[int]:
    seats = TableSeat.objects.filter(registration__event=event, registration__user=user)
    return set(seats.values_list("table_id", flat=True))


def list_staff_messages(event: Event) -> list[DeskMessage]:
    """Return the messages that the desk's pages show."""
    for_staff = Q(audience=Audience.STAFF) | Q(audience=Audience.ALL)
    return list(filter_shown_messages(event.desk_messages.filter(for_staff)))
