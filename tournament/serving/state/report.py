"""The site's status in sentences, from all processes' /metrics figures of the last hour."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import Outage, Sample
from games.process import here
from tournament.common.moments import moment_text
from tournament.push.figures import push_counts
from tournament.serving.state.curves import HourCurve
from tournament.serving.state.deletions import describe_deletions
from tournament.serving.state.hour import (
    Hour,
    ProcessMinute,
    Quantiles,
    compute_quantiles,
    sum_level,
)
from tournament.serving.state.samples import format_name, read_figures

# The same limits as in deploy/alerts.yml.
SLOW_SECONDS, PAGE_SECONDS, OVERDUE_SECONDS, WAITING, ROOM = 0.5, 2.0, 300.0, 4, 1e9
# In seconds. If the newest backup is older, a nightly backup has failed.
BACKUP_LATE = 26 * 3600
ACTION = {"message": "action"}
# Explanations of the fault codes that /readyz reports.
FAULTS = {
    "database": gettext_lazy("The database is not responding."),
    "database-write": gettext_lazy("The database cannot be written to."),
    "migrations": gettext_lazy("The database schema is older than the code. Run the migrations."),
    "disk": gettext_lazy("The disk is nearly full."),
    "redis": gettext_lazy("Redis is unavailable, so updates reach tables half a second late."),
    "worker": gettext_lazy("No worker process is sending emails."),
    "mails": gettext_lazy("Some emails could not be sent at the first attempt."),
}


class Remark(NamedTuple):
    """A remark on the status page. If `wrong` is true, it needs attention."""

    title: str
    text: str
    wrong: bool = False


@dataclass(frozen=True)
class SiteState:
    """The contents of the status page."""

    at: datetime
    remarks: list[Remark]
    refusals: Mapping[str, int]
    curves: list[HourCurve]

    @property
    def wrong(self) -> int:
        return sum(remark.wrong for remark in self.remarks)


def load_site_state(now: datetime) -> SiteState:
    hour = Hour(now, _load_samples(now))
    _counts, levels = read_figures(here())
    refusals = hour.count_by_label("lastcard_refusals_total", "code")
    return SiteState(
        now,
        [
            *_iterate_faults(hour, levels),
            *_iterate_play(hour, levels),
            *_iterate_background(hour, levels),
        ],
        {code: int(number) for code, number in refusals.items()},
        _list_curves(hour),
    )


def _load_samples(now: datetime) -> list[ProcessMinute]:
    rows = Sample.objects.filter(at__gt=now - timedelta(hours=1), at__lte=now).order_by("at")
    values = rows.values_list("process", "at", "figures")
    return [ProcessMinute(process, at, each.counts, each.levels) for process, at, each in values]


def _iterate_faults(hour: Hour, levels: Mapping[str, float]) -> Iterator[Remark]:
    """Yield a remark for each fault that the last check of any process found."""
    level_sets = [levels, *(each.levels for each in hour.last)]
    for code, text in FAULTS.items():
        if any(each.get(format_name("lastcard_faults", {"code": code})) for each in level_sets):
            yield Remark(_("Needs attention"), str(text), wrong=True)


def _iterate_play(hour: Hour, levels: Mapping[str, float]) -> Iterator[Remark]:
    """Yield remarks about what players notice: response times, windows, tables and outages."""
    yield _describe_actions(hour.find_quantiles("lastcard_answer_seconds", **ACTION))
    yield _describe_screens(hour.find_quantiles("lastcard_show_seconds"))
    yield _describe_pages(hour)
    yield Remark(_("Browser windows"), _describe_windows(int(hour.sum_levels("lastcard_sockets"))))
    yield _describe_tables(
        int(levels["lastcard_tables_in_play"]), int(levels["lastcard_clocks_late"])
    )
    yield _describe_outages()


def _describe_actions(timings: Quantiles | None) -> Remark:
    if timings is None:
        return Remark(_("Actions"), _("No moves from browsers in the last hour."))
    found = _(
        "Half of all actions are acknowledged within {half}, and 99 out of 100 within {most}."
    )
    text = found.format(half=_format_time(timings.half), most=_format_time(timings.most))
    found = ngettext(
        "{count} action in the last hour.", "{count} actions in the last hour.", timings.number
    )
    counted = found.format(count=number_format(timings.number, force_grouping=True))
    return Remark(_("Actions"), f"{text} {counted}", timings.most > SLOW_SECONDS)


def _describe_screens(timings: Quantiles | None) -> Remark:
    if timings is None:
        return Remark(_("Screens"), _("No changes were shown in browsers in the last hour."))
    found = _(
        "Half of all changes appear on screens within {half}, and 99 out of 100 within {most}."
    )
    text = found.format(half=_format_time(timings.half), most=_format_time(timings.most))
    return Remark(_("Screens"), text, timings.most > SLOW_SECONDS)


def _describe_pages(hour: Hour) -> Remark:
    timed = hour.find_quantiles("lastcard_page_seconds")
    if timed is None:
        return Remark(_("Pages"), _("No pages were requested in the last hour."))
    found = _("Half of all pages start to load within {half}, and 99 out of 100 within {most}.")
    text = found.format(half=_format_time(timed.half), most=_format_time(timed.most))
    statuses = hour.count_by_label("lastcard_page_seconds_count", "status")
    failed = int(sum(number for code, number in statuses.items() if code.startswith("5")))
    found = ngettext("{count} request failed.", "{count} requests failed.", failed)
    text += " " + (found.format(count=number_format(failed)) if failed else _("None failed."))
    return Remark(_("Pages"), text, bool(failed) or timed.most > PAGE_SECONDS)


def _describe_windows(count: int) -> str:
    text = ngettext("{count} window is open.", "{count} windows are open.", count)
    return text.format(count=number_format(count))


def _describe_tables(count: int, late: int) -> Remark:
    found = ngettext("{count} table is in play.", "{count} tables are in play.", count)
    text = found.format(count=number_format(count))
    found = ngettext(
        "{count} is stuck: its clock has not been checked.",
        "{count} are stuck: their clocks have not been checked.",
        late,
    )
    clocks = found.format(count=number_format(late)) if late else _("Every clock is on time.")
    return Remark(_("Tables"), f"{text} {clocks}", bool(late))


def _describe_outages() -> Remark:
    """Describe the last outage.

    Changes of the system clock are ignored, because no playing time was lost.
    """
    last = Outage.objects.filter(away__gt=0).first()
    if last is None:
        return Remark(_("Outages"), _("The site has never been down."))
    found = _("Last down on {moment}, for {time}; the tables got that time back.")
    text = found.format(moment=moment_text(last.began), time=_format_time(last.away))
    recent = last.began > timezone.now() - timedelta(hours=1)
    return Remark(_("Outages"), text, recent)


def _iterate_background(hour: Hour, levels: Mapping[str, float]) -> Iterator[Remark]:
    """Yield remarks about emails, tasks, the database and the server."""
    yield _describe_emails(
        int(levels["lastcard_mails_waiting"]), levels["lastcard_mails_overdue_seconds"]
    )
    yield _describe_push()
    yield _describe_tasks(levels)
    yield _describe_database(hour)
    yield _describe_processes(hour)
    yield Remark(_("Personal data"), *describe_deletions(hour.now))
    yield from _describe_backups(levels)
    free = levels["lastcard_disk_free_bytes"]
    yield Remark(_("Disk"), _("{size} free.").format(size=filesizeformat(free)), free < ROOM)


def _describe_backups(levels: Mapping[str, float]) -> Iterator[Remark]:
    """Yield a remark about backups, or none if there is no backup folder."""
    age = levels.get("lastcard_backup_age_seconds")
    if age is not None:
        made = moment_text(timezone.now() - timedelta(seconds=age))
        yield Remark(_("Backups"), _("Latest: {moment}.").format(moment=made), age > BACKUP_LATE)


def _describe_emails(count: int, overdue: float) -> Remark:
    if not count:
        return Remark(_("Emails"), _("No emails are waiting."))
    found = ngettext("{count} email is waiting.", "{count} emails are waiting.", count)
    text = found.format(count=number_format(count))
    if overdue >= 1:
        found = _("The first should have been sent {time} ago.")
        text += " " + found.format(time=_format_time(overdue))
    return Remark(_("Emails"), text, overdue > OVERDUE_SECONDS)


def _describe_push() -> Remark:
    """Describe recent push messages. The remark is a warning if most of them failed."""
    if not settings.PUSH_MESSAGES:
        return Remark(_("Push messages"), _("Turned off in the settings."))
    counts = push_counts()
    text = counts.sentence or _("No push messages in the last hour.")
    return Remark(_("Push messages"), text, counts.failed > counts.sent)


def _describe_tasks(levels: Mapping[str, float]) -> Remark:
    text = _("Tasks waiting: {ready}; running: {running}; recently failed: {failed}.")
    counts = {state: _count_in_state(levels, state) for state in ("ready", "running", "failed")}
    return Remark(_("Tasks"), text.format(**counts))


def _count_in_state(levels: Mapping[str, float], state: str) -> int:
    names = [key for key in levels if key.startswith("lastcard_tasks{") and f'"{state}"' in key]
    return int(sum(levels[key] for key in names))


def _describe_database(hour: Hour) -> Remark:
    if connection.vendor == "sqlite":
        return Remark(_("Database"), _("SQLite, for a single process."))
    size, idle, waiting = (
        int(hour.sum_levels(f"lastcard_database_{name}"))
        for name in ("pool_size", "pool_available", "requests_waiting")
    )
    pattern = _("{busy} of {size} connections are busy; {waiting} threads are waiting for one.")
    text = pattern.format(busy=size - idle, size=size, waiting=waiting)
    return Remark(_("Database"), text, waiting > WAITING)


def _describe_processes(hour: Hour) -> Remark:
    if not (count := len(hour.last)):
        return Remark(_("Processes"), _("The first figures appear within a minute of startup."))
    text = ngettext(
        "{count} process is running and uses {size} of memory.",
        "{count} processes are running and use {size} of memory.",
        count,
    )
    size = filesizeformat(hour.sum_levels("process_resident_memory_bytes"))
    return Remark(_("Processes"), text.format(count=count, size=size))


def _list_curves(hour: Hour) -> list[HourCurve]:
    minutes = hour.minutes()
    slow = [compute_quantiles(each, "lastcard_answer_seconds", ACTION) for each in minutes]
    played = [_count_timings(each) for each in zip(minutes, slow, strict=True)]
    late = [each and each.most * 1000 for each in slow]
    sockets = [sum_level(each, "lastcard_sockets") for each in minutes]
    return [
        HourCurve(_("Actions per minute"), _("in each of the last 60 minutes"), played),
        HourCurve(
            _("Milliseconds"), _("within which 99 out of 100 actions were acknowledged"), late
        ),
        HourCurve(_("Open windows"), _("at the end of each minute"), sockets),
    ]


def _count_timings(minute: tuple[list[ProcessMinute], Quantiles | None]) -> float | None:
    """Return the number of timings in the minute, or None if no process reported."""
    samples, timed = minute
    return (timed.number if timed else 0) if samples else None


def _format_time(seconds: float) -> str:
    if seconds < 1:
        return _("{count} ms").format(count=number_format(max(1, round(seconds * 1000))))
    if seconds < 120:
        return _("{count} s").format(count=number_format(seconds, 1 if seconds < 10 else 0))
    return _("{count} min").format(count=number_format(round(seconds / 60)))
