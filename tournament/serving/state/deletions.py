"""Descriptions of automatic deletions, for the status page."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.common.moments import moment_text
from tournament.privacy.retention import list_deletions
from tournament.pure.words import join_words

PERIOD = timedelta(days=30)
# The worker checks every ten minutes.
OVERDUE = timedelta(hours=1)


def describe_deletions(now: datetime) -> tuple[str, bool]:
    """Return a description of recent deletions, and whether the next check is overdue.

    A check deletes expired data.
    """
    checked_at, counts = list_deletions(timezone.localdate(now) - PERIOD)
    if checked_at is None:
        return _("The site has not checked for expired data yet."), False
    text = _("Last checked for expired data on {moment}.")
    sentences = [
        text.format(moment=moment_text(checked_at)),
        _describe_deleted(counts),
        *_describe_missing_periods(),
    ]
    return " ".join(sentences), checked_at < now - OVERDUE


def _describe_deleted(counts: Mapping[str, int]) -> str:
    parts = [_describe_count(name, count) for name, count in counts.items()]
    if not parts:
        return _("Nothing had to be deleted in the last 30 days.")
    return _("Deleted in the last 30 days: {parts}.").format(parts=join_words(parts))


def _describe_count(name: str, count: int) -> str:
    texts = {
        "events": ngettext(
            "the personal data of {count} event", "the personal data of {count} events", count
        ),
        "accounts": ngettext("{count} account", "{count} accounts", count),
        "sessions": ngettext("{count} sign-in", "{count} sign-ins", count),
        "devices": ngettext(
            "{count} device for push messages", "{count} devices for push messages", count
        ),
        "calls": ngettext("{count} push message", "{count} push messages", count),
        "mails": ngettext("{count} email", "{count} emails", count),
        "log": ngettext("{count} log line", "{count} log lines", count),
        "tasks": ngettext("{count} task", "{count} tasks", count),
        "files": ngettext("{count} file", "{count} files", count),
    }
    return texts[name].format(count=number_format(count, force_grouping=True))


def _describe_missing_periods() -> list[str]:
    """Return a list with one sentence that names the unset retention periods, or an empty list."""
    names = [
        each for each in ("KEEP_EVENT_DAYS", "KEEP_ACCOUNT_DAYS") if not getattr(settings, each)
    ]
    return (
        [_("No retention period is set for {names}.").format(names=join_words(names))]
        if names
        else []
    )
