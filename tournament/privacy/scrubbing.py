"""Removing people's names, addresses and roll numbers from stored texts."""

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

# Shorter words occur in too many texts. They are replaced only as part of a longer name.
MIN_WORD_LENGTH = 3


class Scrubber:
    """Replaces whole words in texts, ignoring case.

    `words` maps each word to its replacement. Words shorter than `shortest` are ignored.
    """

    def __init__(self, words: Mapping[str, str], shortest: int = MIN_WORD_LENGTH) -> None:
        words_to_replace = [word for word in words if len(word) >= shortest]
        self._replacements = {word.casefold(): words[word] for word in words_to_replace}
        # One name may be the beginning of another, so longer words are tried first.
        alternatives = (
            "|".join(map(re.escape, sorted(self._replacements, key=len, reverse=True))) or r"(?!)"
        )
        self._pattern = re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)

    def scrub_text(self, text: str) -> str:
        return self._pattern.sub(self._replace_match, text)

    def _replace_match(self, match: re.Match[str]) -> str:
        # A match may differ from its word after case folding. It is removed without an alias.
        return self._replacements.get(match.group().casefold(), "–")

    def scrub_value(self, value: Any) -> Any:
        """Replace the words in a JSON value, including nested lists and objects.

        Keys of objects stay unchanged, because they never name people.
        """
        if isinstance(value, str):
            return self.scrub_text(value)
        if isinstance(value, list):
            return [self.scrub_value(each) for each in value]
        if isinstance(value, dict):
            return {key: self.scrub_value(each) for key, each in value.items()}
        return value


def scrub_event(event: Event, scrubber: Scrubber) -> int:
    """Scrub all rows of the event and the site's own logs. Return the number of changed rows."""
    return sum(
        _scrub_rows(rows, scrubber) for rows in iterate_rows_with_names(event)
    ) + _redact_reasons(event, scrubber)


def scrub_site(scrubber: Scrubber) -> int:
    """Scrub only the site's own logs. Return the number of changed rows."""
    return sum(_scrub_rows(rows, scrubber) for rows in _list_site_rows())


def _list_site_rows() -> list[QuerySet[Any]]:
    return [model._default_manager.all() for model in (LogEntry, DBTaskResult)]


def iterate_rows_with_names(event: Event) -> Iterator[QuerySet[Any]]:
    """Yield all rows of the event that may name a person."""
    for rows in (*rows_of(event), *_list_site_rows()):
        if list_naming_columns(rows.model):
            yield rows


Text = tuple[Field[Any, Any], str]


def list_naming_columns(model: type[Model]) -> list[Text]:
    """Return the columns that may name a person.

    A column is paired with the JSON key to search, or with "" for the whole value.
    """
    paths = [name.partition(".") for name in personal_columns(model).columns_with_names]
    columns = [(model._meta.get_field(name), key) for name, _dot, key in paths]
    kinds = (CharField, TextField, JSONField)
    return [(field, key) for field, key in columns if isinstance(field, kinds) and not field.unique]


def _scrub_rows(rows: QuerySet[Any], scrubber: Scrubber) -> int:
    texts = list_naming_columns(rows.model)
    return sum(scrub_row(row, texts, scrubber) for row in rows.iterator(chunk_size=CHUNK))


def scrub_row(row: Model, texts: Iterable[Text], scrubber: Scrubber) -> bool:
    changed: dict[str, object] = {}
    for field, key in texts:
        value = getattr(row, field.attname)
        old = value.to_json() if isinstance(field, ValueField) else value
        new = {**old, key: scrubber.scrub_value(old[key])} if key else scrubber.scrub_value(old)
        if new != old:
            changed[field.attname] = restore_value(field, new)
    if changed:
        rows = type(row)._default_manager.filter(pk=row.pk)
        rows.update(**changed, **personal_columns(type(row)).redaction_values)
    return bool(changed)


def restore_value(field: Field[Any, Any], new: Any) -> object:
    """Convert a scrubbed value to the type of its column. Texts are cut to the maximum length."""
    if isinstance(field, ValueField):
        return field.kind.from_json(new)
    return new[: field.max_length] if isinstance(new, str) else new


def _redact_reasons(event: Event, scrubber: Scrubber) -> int:
    """Remove reasons that name a person from the event history, as a whole.

    The hash chain remains valid.
    """
    named = [e.pk for e in event.history.all() if scrubber.scrub_text(e.reason) != e.reason]
    return event.history.filter(pk__in=named).update(**HistoryEntry.personal.redaction_values)
