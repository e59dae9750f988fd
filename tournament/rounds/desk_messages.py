"""Messages from the desk to everyone, to a group such as players, or to one table."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import DeskMessage, Event, LogAction, Table, User
from tournament.oversight.audit import identify_place, record
from tournament.pure.codes import Code
from tournament.pure.sentences import Sentence
from tournament.rounds.calls import notify_table
from tournament.rounds.live_tables import GOING

LONGEST, MOST_MINUTES = 300, 24 * 60
Audience = DeskMessage.Audience


@transaction.atomic
def send_message(
    event: Event,
    actor: User,
    text: str | Sentence,
    audience: str,
    *,
    table: Table | None = None,
    minutes: int | None = 15,
) -> DeskMessage:
    """Show a message to an audience for a number of minutes.

    If `minutes` is None, the message is shown until it is withdrawn. Raises RefusedError with the
    code `text`, `minutes`, `audience` or `table`.
    """
    event = lock_event(event)
    cleaned = " ".join(str(text).split())
    _check_message(cleaned, minutes, audience, table)
    sentence = text if isinstance(text, Sentence) else Sentence()
    now = timezone.now()
    message = DeskMessage.objects.create(
        event=event,
        audience=audience,
        table=table,
        text="" if sentence else cleaned,
        said=sentence,
        sent_by=actor,
        sent_at=now,
        expires_at=now + (timedelta(minutes=minutes) if minutes else DeskMessage.OPEN_ENDED),
    )

    def describe_message() -> str:
        return _("Message to {whom}: {text}").format(whom=describe_audience(message), text=message)

    place = identify_place(table) if table else {}
    record(event, actor, LogAction.MESSAGE, describe_message, "", message=message.pk, **place)
    _notify_tables(message)
    return message


def describe_audience(message: DeskMessage) -> str:
    """Return the table to which the message is addressed, or a description of its audience."""
    return str(message.table) if message.table else message.get_audience_display()


def _check_message(text: str, minutes: int | None, audience: str, table: Table | None) -> None:
    if not text or len(text) > LONGEST:
        problem = _("Write a message of at most {count} characters.")
        raise RefusedError(Code.TEXT, problem.format(count=LONGEST))
    if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
        problem = _("A message can be shown for 1 to {count} minutes.")
        raise RefusedError(Code.MINUTES, problem.format(count=MOST_MINUTES))
    if audience not in Audience.values:
        raise RefusedError(Code.AUDIENCE, _("Choose who the message is for."))
    if (audience == Audience.TABLE) != (table is not None):
        raise RefusedError(Code.TABLE, _("Choose the table the message is for."))


def _notify_tables(message: DeskMessage) -> None:
    """Notify the windows of all tables that show the message."""
    if message.table is not None:
        notify_table(message.table)
    elif message.audience != Audience.STAFF:
        tables = Table.objects.filter(round__stage__event=message.event, match__phase__in=GOING)
        for table in tables.select_related("match"):
            notify_table(table)


@transaction.atomic
def withdraw_message(message: DeskMessage, actor: User) -> DeskMessage:
    """Withdraw the message. Raises RefusedError with the code `over` if it is no longer shown."""
    event = lock_event(message.event, message)
    now = timezone.now()
    if message.taken_back_at or message.expires_at <= now:
        raise RefusedError(Code.OVER, _("This message is no longer shown."))
    message.taken_back_at = now
    message.save(update_fields=["taken_back_at"])

    def describe_withdrawal() -> str:
        return _("Withdrew a message: {text}").format(text=message)

    record(event, actor, LogAction.MESSAGE_BACK, describe_withdrawal, message=message.pk)
    _notify_tables(message)
    return message
