"""Erasing organizers' free text about people when an event's personal data is deleted."""

from typing import Any

from django.db.models import Model

from games.json_values.field import ValueField
from games.models import Match
from tournament.common.reasons import SystemReason
from tournament.exports.transfer.contents import CHUNK
from tournament.models import Event, HistoryEntry, LogAction
from tournament.privacy.queries import personal_columns, rows_of
from tournament.privacy.scrubbing import (
    Text,
    list_naming_columns,
    restore_value,
)

# The site's standard reasons name no one, so they are kept.
PREDEFINED = frozenset((*SystemReason.values, *Match.Reason.values))
# The key in JSON values under which free text about people is stored.
KEY = "reason"
# The log entries of these actions quote an organizer's message.
QUOTING = (LogAction.MESSAGE, LogAction.MESSAGE_BACK)


def drop_reasons(event: Event) -> None:
    """Erase all free text about people in the event. The hash chains remain valid."""
    for rows in rows_of(event):
        names = personal_columns(rows.model).reasons.split()
        json_texts = [text for text in list_naming_columns(rows.model) if not _is_text_column(text)]
        if names or json_texts:
            for row in rows.iterator(chunk_size=CHUNK):
                _erase_text_in_row(row, names, json_texts)
    quoting = event.audit.filter(action__in=QUOTING)
    quoting.update(text="", **personal_columns(quoting.model).redaction_values)
    typed = event.history.exclude(reason="").exclude(reason__in=PREDEFINED)
    typed.update(**HistoryEntry.personal.redaction_values)


def _is_text_column(text: Text) -> bool:
    field, _key = text
    return field.get_internal_type() in ("CharField", "TextField")


def _erase_text_in_row(row: Model, names: list[str], json_texts: list[Text]) -> None:
    changed: dict[str, object] = {
        name: "" for name in names if getattr(row, name) and getattr(row, name) not in PREDEFINED
    }
    for field, _key in json_texts:
        value = getattr(row, field.attname)
        old = value.to_json() if isinstance(field, ValueField) else value
        new = without_reasons(old)
        if new != old:
            changed[field.attname] = restore_value(field, new)
    if changed:
        rows = type(row)._default_manager.filter(pk=row.pk)
        rows.update(**changed, **personal_columns(type(row)).redaction_values)


def without_reasons(value: Any) -> Any:
    """Return the JSON value with "" in place of all reasons."""
    if isinstance(value, list | tuple):
        return [without_reasons(each) for each in value]
    if isinstance(value, dict):
        return {
            key: "" if key == KEY and _is_free_text(each) else without_reasons(each)
            for key, each in value.items()
        }
    return value


def _is_free_text(value: object) -> bool:
    return isinstance(value, str) and value not in PREDEFINED
