"""Interruptions by the desk and by outages, and how they delay the end of a round."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from games import facts
from tournament.models import Event, Interruption, Round, Table

NONE = timedelta(0)


@dataclass(frozen=True)
class InterruptionPeriod:
    """A period in which tables could not play.

    * `ended`: the end, or None while the interruption continues.
    * `where`: the affected tables.
    * `by`: the organizer who interrupted play, or "" for an outage of the site.
    """

    began: datetime
    ended: datetime | None
    where: str
    why: str
    by: str

    @property
    def time(self) -> timedelta:
        return (self.ended or timezone.now()) - self.began


def list_interruptions(event: Event) -> list[InterruptionPeriod]:
    """Return the event's interruptions by the desk and by outages, newest first."""
    of_event = Interruption.objects.filter(round__stage__event=event)
    rows = of_event.select_related("round__stage", "table__round__stage", "began_by")
    periods = [_describe_interruption(row) for row in rows] + _list_site_outages(event)
    return sorted(periods, key=lambda period: period.began, reverse=True)


def _describe_interruption(row: Interruption) -> InterruptionPeriod:
    all_tables = _("All tables of {round}").format(round=row.round)
    place = str(row.table) if row.table else all_tables
    return InterruptionPeriod(
        row.began_at, row.ended_at, place, row.reason or _("Pause"), str(row.began_by)
    )


def _list_site_outages(event: Event) -> list[InterruptionPeriod]:
    """Return the outages of the site that began during a round of the event."""
    rounds = _list_started_rounds(event)
    first = min((played.started_at for played in rounds if played.started_at), default=None)
    outages = facts.list_outages(first) if first else []
    why = _("The site was down")
    return [
        InterruptionPeriod(each.began, each.began + each.time, str(_("All tables")), why, "")
        for each in outages
        if any(_was_running(played, each.began) for played in rounds)
    ]


def _list_started_rounds(event: Event) -> list[Round]:
    return list(Round.objects.filter(stage__event=event, started_at__isnull=False))


def _was_running(round_: Round, moment: datetime) -> bool:
    began, ended = round_.started_at, round_.closed_at
    return began is not None and began <= moment and (ended is None or moment < ended)


def find_round_end(round_: Round) -> datetime | None:
    """Return the time after which no hand is dealt in the round, or None if it has no time limit.

    This is the planned end, delayed by interruptions of the whole round and by outages of the site.
    """
    if round_.ends_at is None or round_.started_at is None:
        return None
    now, interruptions = timezone.now(), round_.interruptions.filter(table=None)
    pauses = ((each.ended_at or now) - each.began_at for each in interruptions)
    outages = (each.time for each in facts.list_outages(round_.started_at))
    return round_.ends_at + sum(pauses, NONE) + sum(outages, NONE)


def find_table_end(table: Table, round_ends: datetime | None) -> datetime | None:
    """Return the time after which no hand is dealt at the table, or None.

    This is the end of the round, delayed by the table's extra minutes.
    """
    return round_ends and round_ends + timedelta(minutes=table.extra_minutes)
