"""Removal of people's names, addresses and roll numbers from stored texts."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.contrib.admin.models import LogEntry
from django.db.models import CharField, Field, JSONField, Model, QuerySet, TextField
from django_tasks_db.models import DBTaskResult

from games.json_values.field import ValueField
from tournament.exports.transfer.contents import CHUNK
from tournament.models import Event, HistoryEntry
from tournament.privacy.queries import personal_columns, rows_of

# Shorter words occur in too many texts. They are removed only as a whole name or roll number.
SHORTEST = 3


class Scrubber:
    """A replacement of words in texts.

    `words` has the replacement for each word. Only whole words are replaced, in any case.
    """

    def __init__(self, words: Mapping[str, str], shortest: int = SHORTEST) -> None:
        words_to_replace = [word for word in words if len(word) >= shortest]
        self._replacements = {word.casefold(): words[word] for word in words_to_replace}
        # A name may begin with another one, so longer words are tried first.
        alternatives = (
            "|".join(map(re.escape, sorted(self._replacements, key=len, reverse=True))) or r"(?!)"
        )
        self._pattern = re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)

    def text(self, text: str) -> str:
        return self._pattern.sub(self._replace_match, text)

    def _replace_match(self, match: re.Match[str]) -> str:
        # Case folding may produce a word that is not among the replacements. It is removed too.
        return self._replacements.get(match.group().casefold(), "–")

    def value(self, value: Any) -> Any:
        """Replace the words in a JSON value, including nested lists and objects.

        Keys of objects are not changed, because they never name people.
        """
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(each) for each in value]
        if isinstance(value, dict):
            return {key: self.value(each) for key, each in value.items()}
        return value


def scrub_event(event: Event, scrubber: Scrubber) -> int:
    """Scrub all rows of the event and the site's logs. Return the number of changed rows."""
    return sum(_scrub_rows(rows, scrubber) for rows in list_written_rows(event)) + _redact_reasons(
        event, scrubber
    )


def scrub_site(scrubber: Scrubber) -> int:
    """Scrub only the site's own logs. Return the number of changed rows."""
    return sum(_scrub_rows(rows, scrubber) for rows in _list_site_rows())


def _list_site_rows() -> list[QuerySet[Any]]:
    return [model._default_manager.all() for model in (LogEntry, DBTaskResult)]


def list_written_rows(event: Event) -> Iterator[QuerySet[Any]]:
    """Yield all rows of the event that may name a person."""
    for rows in (*rows_of(event), *_list_site_rows()):
        if texts_of(rows.model):
            yield rows


Text = tuple[Field[Any, Any], str]


def texts_of(model: type[Model]) -> list[Text]:
    """Return the columns that may name a person.

    Each is paired with the JSON key to search, or "" for the whole value.
    """
    paths = [name.partition(".") for name in personal_columns(model).columns_with_names]
    columns = [(model._meta.get_field(name), key) for name, _dot, key in paths]
    kinds = (CharField, TextField, JSONField)
    return [(field, key) for field, key in columns if isinstance(field, kinds) and not field.unique]


def _scrub_rows(rows: QuerySet[Any], scrubber: Scrubber) -> int:
    texts = texts_of(rows.model)
    return sum(scrub_row(row, texts, scrubber) for row in rows.iterator(chunk_size=CHUNK))


def scrub_row(row: Model, texts: Iterable[Text], scrubber: Scrubber) -> bool:
    changed: dict[str, object] = {}
    for field, key in texts:
        value = getattr(row, field.attname)
        old = value.to_json() if isinstance(field, ValueField) else value
        new = {**old, key: scrubber.value(old[key])} if key else scrubber.value(old)
        if new != old:
            changed[field.attname] = restore_value(field, new)
    if changed:
        rows = type(row)._default_manager.filter(pk=row.pk)
        rows.update(**changed, **get_redaction_changes(type(row)))
    return bool(changed)


def get_redaction_changes(model: type[Model]) -> Mapping[str, object]:
    """Return other changes that a row needs when a word in it is replaced.

    A sealed row loses its salt, and a seat its face.
    """
    changes: Mapping[str, object] = getattr(model, "REDACTED_VALUES", {})
    return changes


def restore_value(field: Field[Any, Any], new: Any) -> object:
    """Convert a scrubbed value for its column.

    The result has the column's type, or is a text cut to the maximum length.
    """
    if isinstance(field, ValueField):
        return field.kind.from_json(new)
    return new[: field.max_length] if isinstance(new, str) else new


def _redact_reasons(event: Event, scrubber: Scrubber) -> int:
    """Remove reasons that name a person from the event history, as a whole.

    The hash chain remains valid.
    """
    named = [e.pk for e in event.history.all() if scrubber.text(e.reason) != e.reason]
    return event.history.filter(pk__in=named).update(**HistoryEntry.REDACTED_VALUES)
