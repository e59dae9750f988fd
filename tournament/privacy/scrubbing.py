"""Removal of people from stored texts: their names, addresses and roll numbers."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.contrib.admin.models import LogEntry
from django.db.models import CharField, Field, JSONField, Model, QuerySet, TextField
from django_tasks_db.models import DBTaskResult

from games.json_values.field import ValueField
from tournament.exports.transfer.contents import CHUNK
from tournament.models import Event, HistoryEntry
from tournament.privacy.queries import personal, rows_of

# Shorter words occur in too many other texts, so they are removed only as a name or roll number.
SHORTEST = 3


class Scrubber:
    """A replacer of words that occur as whole words, in any case.

    `words` maps each word to remove to its replacement.
    """

    def __init__(self, words: Mapping[str, str], shortest: int = SHORTEST) -> None:
        known = [word for word in words if len(word) >= shortest]
        self._instead = {word.casefold(): words[word] for word in known}
        # The longest first: a name may begin with another one.
        either = "|".join(map(re.escape, sorted(self._instead, key=len, reverse=True))) or r"(?!)"
        self._pattern = re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)

    def text(self, text: str) -> str:
        return self._pattern.sub(self._replace_match, text)

    def _replace_match(self, match: re.Match[str]) -> str:
        # A match may differ from the known word in its lower-case form, but must be removed too.
        return self._instead.get(match.group().casefold(), "–")

    def value(self, value: Any) -> Any:
        """Replace the words in a value, including inside lists and objects.

        Keys of objects are left alone, because they do not name people.
        """
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(each) for each in value]
        if isinstance(value, dict):
            return {key: self.value(each) for key, each in value.items()}
        return value


def scrub_event(event: Event, scrubber: Scrubber) -> int:
    """Scrub all rows of the event and the site's own logs; return how many rows changed."""
    return sum(_scrub(rows, scrubber) for rows in list_written_rows(event)) + _redact(
        event, scrubber
    )


def scrub_site(scrubber: Scrubber) -> int:
    """Scrub only the site's own logs and return how many rows changed."""
    return sum(_scrub(rows, scrubber) for rows in _list_site_rows())


def _list_site_rows() -> list[QuerySet[Any]]:
    return [model._default_manager.all() for model in (LogEntry, DBTaskResult)]


def list_written_rows(event: Event) -> Iterator[QuerySet[Any]]:
    """Yield all rows of the event that may name a person."""
    for rows in (*rows_of(event), *_list_site_rows()):
        if texts_of(rows.model):
            yield rows


Text = tuple[Field[Any, Any], str]


def texts_of(model: type[Model]) -> list[Text]:
    """Return the columns that may name a person, each with the JSON key concerned, "" for all."""
    named = [name.partition(".") for name in personal(model).texts]
    found = [(model._meta.get_field(name), key) for name, _dot, key in named]
    kinds = (CharField, TextField, JSONField)
    return [(field, key) for field, key in found if isinstance(field, kinds) and not field.unique]


def _scrub(rows: QuerySet[Any], scrubber: Scrubber) -> int:
    texts = texts_of(rows.model)
    return sum(scrub_row(row, texts, scrubber) for row in rows.iterator(chunk_size=CHUNK))


def scrub_row(row: Model, texts: Iterable[Text], scrubber: Scrubber) -> bool:
    changed: dict[str, object] = {}
    for field, key in texts:
        value = getattr(row, field.attname)
        told = value.to_json() if isinstance(field, ValueField) else value
        new = {**told, key: scrubber.value(told[key])} if key else scrubber.value(told)
        if new != told:
            changed[field.attname] = restore_value(field, new)
    if changed:
        rows = type(row)._default_manager.filter(pk=row.pk)
        rows.update(**changed, **loosen(type(row)))
    return bool(changed)


def loosen(model: type[Model]) -> Mapping[str, object]:
    """Return the further changes to a row in which a word is replaced.

    A sealed row loses its seal, and a seat loses its face.
    """
    found: Mapping[str, object] = getattr(model, "LOOSENED", {})
    return found


def restore_value(field: Field[Any, Any], new: Any) -> object:
    """Convert the value for the column: to its class, or to a text cut to its maximum length."""
    if isinstance(field, ValueField):
        return field.kind.from_json(new)
    return new[: field.max_length] if isinstance(new, str) else new


def _redact(event: Event, scrubber: Scrubber) -> int:
    """Remove entire reasons that name a person from the event history; the chain stays valid."""
    named = [e.pk for e in event.history.all() if scrubber.text(e.reason) != e.reason]
    return event.history.filter(pk__in=named).update(**HistoryEntry.LOOSENED)
