"""Taking people out of what was written down: their names, addresses and roll numbers."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.contrib.admin.models import LogEntry
from django.db.models import CharField, Field, JSONField, Model, QuerySet, TextField

from games.models import LoggedAction
from games.stored.field import ValueField
from tournament.models import Event, HistoryEntry
from tournament.queries.whole_event import CHUNK, PARTS, matches_of

# Rows and columns that hold cards and numbers alone.
NAMELESS: frozenset[type[Model]] = frozenset({LoggedAction})
CARDS_ALONE = {"state", "race", "deals", "deck", "opening", "final", "points", "left", "players"}
# A shorter word stands for too much else: it goes where it is the name or the roll number itself.
SHORTEST = 3


class Scrubber:
    """Puts another word where one of these stands as a word of its own, in any case.

    `words`: what is to go, and what stands there instead.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        known = [word for word in words if len(word) >= SHORTEST]
        self._instead = {word.casefold(): words[word] for word in known}
        # The longest first: a name may begin with another one.
        either = "|".join(map(re.escape, sorted(self._instead, key=len, reverse=True))) or r"(?!)"
        self._pattern = re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)

    def text(self, text: str) -> str:
        return self._pattern.sub(self._other, text)

    def _other(self, found: re.Match[str]) -> str:
        # What matches by another way of writing small letters goes all the same.
        return self._instead.get(found.group().casefold(), "–")

    def value(self, value: Any) -> Any:
        """The same in lists and objects; keys of objects name no people."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(each) for each in value]
        if isinstance(value, dict):
            return {key: self.value(each) for key, each in value.items()}
        return value


def scrub_event(event: Event, scrubber: Scrubber) -> int:
    """All rows of the event, and the admin's own log; how many had to be changed."""
    return sum(_scrub(rows, scrubber) for rows in _rows(event)) + _redact(event, scrubber)


def _rows(event: Event) -> Iterator[QuerySet[Any]]:
    matches = matches_of(event)
    for part in PARTS:
        if part.model not in NAMELESS and part.model is not HistoryEntry:
            yield part.of(event, matches)
    yield LogEntry.objects.all()


def _scrub(rows: QuerySet[Any], scrubber: Scrubber) -> int:
    fields = texts_of(rows.model)
    return sum(_scrub_row(row, fields, scrubber) for row in rows.iterator(chunk_size=CHUNK))


def texts_of(model: type[Model]) -> list[Field[Any, Any]]:
    """The columns in which somebody may be named: text that is no choice, no key, and JSON."""
    kinds = (CharField, TextField, JSONField)
    fields = [field for field in model._meta.concrete_fields if isinstance(field, kinds)]
    free = [field for field in fields if not field.choices and not field.unique]
    return [field for field in free if field.name not in CARDS_ALONE]


def _scrub_row(row: Model, fields: Iterable[Field[Any, Any]], scrubber: Scrubber) -> bool:
    changed: dict[str, object] = {}
    for field in fields:
        value = getattr(row, field.attname)
        if isinstance(field, ValueField):
            told = value.to_json()
            if (new := scrubber.value(told)) != told:
                changed[field.attname] = field.kind.from_json(new)
        elif (new := scrubber.value(value)) != value:
            changed[field.attname] = new[: field.max_length] if isinstance(new, str) else new
    if changed:
        type(row)._default_manager.filter(pk=row.pk).update(**changed)
    return bool(changed)


def _redact(event: Event, scrubber: Scrubber) -> int:
    """Reasons of the public history that name somebody go as a whole; the chain holds."""
    named = [e.pk for e in event.history.all() if scrubber.text(e.reason) != e.reason]
    return event.history.filter(pk__in=named).update(reason="", salt="", redacted=True)
