"""The "Privacy" page, built from the declarations of stored data.

It shows what is stored, why, for how long, and who can see it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.apps import apps
from django.conf import settings
from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models.personal import Purpose, Retention, Topic
from tournament.mail.letters import TEXT_RETENTION
from tournament.people.accounts import devices
from tournament.privacy.outside import OUTSIDE
from tournament.privacy.queries import personal_columns
from tournament.privacy.retention import TASK_RETENTION
from tournament.push.services import MESSAGE_RETENTION


@dataclass(frozen=True)
class DataByRetention:
    """Data on one topic with the same retention period.

    `how_long` describes the period in a sentence.
    """

    how_long: str
    rows: list[Purpose]


@dataclass(frozen=True)
class NoticePart:
    """A section of the page.

    `key` is its anchor in the URL.
    """

    key: str
    title: str
    groups: list[DataByRetention]


def build_notice() -> list[NoticePart]:
    """Return the sections of the page, one for each topic."""
    rows = list(iterate_purposes())
    return [_build_part(topic, [row for row in rows if row.topic == topic]) for topic in Topic]


def iterate_purposes() -> Iterator[Purpose]:
    """Yield the purposes of all stored data: in the site's models, other models, and elsewhere."""
    for model in sorted(apps.get_models(include_auto_created=True), key=_get_app_position):
        yield from personal_columns(model).purposes if _is_model_used(model) else ()
    yield from OUTSIDE


def _get_app_position(model: type[Model]) -> int:
    apps_in_order = ("tournament", "games")
    label = model._meta.app_label
    return apps_in_order.index(label) if label in apps_in_order else len(apps_in_order)


def _is_model_used(model: type[Model]) -> bool:
    """Return whether this site uses the model.

    Models for college accounts are used only with an issuer.
    """
    return model._meta.app_label != "socialaccount" or bool(settings.SOCIALACCOUNT_PROVIDERS)


def _build_part(topic: Topic, rows: list[Purpose]) -> NoticePart:
    lengths = dict.fromkeys(row.until for row in rows)
    groups = [
        DataByRetention(
            describe_retention_period(until), [row for row in rows if row.until == until]
        )
        for until in lengths
    ]
    return NoticePart(topic.value, str(topic.label), groups)


def describe_retention_period(until: Retention) -> str:
    """Describe a retention period in a sentence, with figures from the settings."""
    return _DESCRIPTIONS[until]()


def _describe_account_retention() -> str:
    if not (days := settings.KEEP_ACCOUNT_DAYS):
        return _("Until you have your account deleted.")
    return ngettext(
        "Until you have your account deleted, or until {days} day after your last "
        "sign-in if you are not in any event.",
        "Until you have your account deleted, or until {days} days after your last "
        "sign-in if you are not in any event.",
        days,
    ).format(days=days)


def _describe_event_retention() -> str:
    if not (days := settings.KEEP_EVENT_DAYS):
        return _("Until the event’s organizers delete it; they may set a date for that.")
    return ngettext(
        "Until {days} day after the end of the event; the organizers may choose a shorter period.",
        "Until {days} days after the end of the event; the organizers may choose a shorter period.",
        days,
    ).format(days=days)


def _describe_game_retention() -> str:
    return _(
        "For events, your name is kept for as long as the event’s other data. After "
        "that, your moves and points are kept under “Player” and a number. Practice "
        "matches are kept for as long as your account, or for one day if you play as a "
        "guest."
    )


def _describe_email_retention() -> str:
    text = ngettext(
        "Address and text: until the email is sent, or until {days} day after the site "
        "gives up trying to send it.",
        "Address and text: until the email is sent, or until {days} days after the "
        "site gives up trying to send it.",
        TEXT_RETENTION.days,
    ).format(days=TEXT_RETENTION.days)
    days = settings.KEEP_MAIL_DAYS
    listed = ngettext(
        "A record that the email existed: {days} day.",
        "A record that the email existed: {days} days.",
        days,
    ).format(days=days)
    return f"{text} {listed}"


def _describe_session_retention() -> str:
    hours = settings.STAFF_SESSION_SECONDS // 3600
    text = ngettext(
        "Until {days} day after you sign in.",
        "Until {days} days after you sign in.",
        settings.KEEP_SESSION_DAYS,
    ).format(days=settings.KEEP_SESSION_DAYS)
    return text + " " + _("For organizers: {hours} hours.").format(hours=hours)


def _describe_task_retention() -> str:
    hours = int(TASK_RETENTION.total_seconds()) // 3600
    return ngettext(
        "Until {hours} hour after the task is done.",
        "Until {hours} hours after the task is done.",
        hours,
    ).format(hours=hours)


def _format_days(days: int) -> str:
    return ngettext("{days} day.", "{days} days.", days).format(days=days)


_DESCRIPTIONS: Mapping[Retention, Callable[[], str]] = {
    Retention.ACCOUNT: _describe_account_retention,
    Retention.EVENT: _describe_event_retention,
    Retention.GAME: _describe_game_retention,
    Retention.LETTER: _describe_email_retention,
    Retention.SESSION: _describe_session_retention,
    Retention.PUSH: lambda: _format_days(MESSAGE_RETENTION.days),
    Retention.TASK: _describe_task_retention,
    Retention.LOG: lambda: _format_days(settings.KEEP_LOG_DAYS),
    Retention.BACKUP: lambda: _format_days(settings.KEEP_BACKUP_DAYS),
    Retention.DEVICE: lambda: _("At most {days} days.").format(days=devices.MAX_AGE // 86_400),
    Retention.BROWSER: lambda: _("Until you clear this site’s data from your browser."),
}
