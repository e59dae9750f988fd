"""Texts that contain part of a person's name, such as the first name in a reason.

Only whole names are replaced automatically, because a part may refer to another person. An
organizer decides about the texts found here.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet

from games.json_values.field import ValueField
from tournament.exports.transfer.contents import CHUNK
from tournament.models import Event, HistoryEntry, Registration
from tournament.privacy.known import list_identifying_words
from tournament.privacy.queries import personal_columns, rows_of
from tournament.privacy.scrubbing import Scrubber, list_naming_columns, scrub_row

# Shorter parts are initials.
MIN_PART_LENGTH = 2


@dataclass(frozen=True)
class Mention:
    """A text that may mention the person.

    `key` identifies the rows that contain the text. `places` lists the names of their models.
    """

    key: str
    text: str
    places: list[str]
    count: int


def find_mentions(event: Event, registration: Registration) -> list[Mention]:
    """Return the event's texts that contain part of the person's name, but not all of it."""
    own_words = dict.fromkeys(list_identifying_words(event, registration), "")
    names = event.registrations.exclude(pk=registration.pk).values_list("name", flat=True)
    whole = Scrubber({**dict.fromkeys(names, ""), **own_words})
    parts = Scrubber(dict.fromkeys(_list_parts(event, registration), ""), MIN_PART_LENGTH)
    rows_by_text: dict[str, list[Model]] = defaultdict(list)
    for rows in _list_text_rows(event):
        for row in rows.iterator(chunk_size=CHUNK):
            texts = [text for text in _iterate_texts(row) if _contains_part(text, whole, parts)]
            if texts:
                rows_by_text[" · ".join(dict.fromkeys(texts))].append(row)
    return [_make_mention(text, rows) for text, rows in rows_by_text.items()]


def scrub_mentions(event: Event, chosen: Collection[str], scrubber: Scrubber) -> None:
    """Replace parts of the name in the chosen texts. `chosen` contains the keys of mentions."""
    keys = {row for key in chosen for row in key.split()}
    for rows in _list_text_rows(event):
        label = rows.model._meta.label_lower
        pks = [key.partition(":")[2] for key in keys if key.partition(":")[0] == label]
        for row in rows.filter(pk__in=pks) if pks else ():
            if isinstance(row, HistoryEntry):
                event.history.filter(pk=row.pk).update(**HistoryEntry.personal.redaction_values)
            else:
                scrub_row(row, list_naming_columns(rows.model), scrubber)


def make_part_scrubber(event: Event, registration: Registration, alias: str) -> Scrubber:
    """Return a scrubber for parts of the person's name that keeps other people's names."""
    names = event.registrations.exclude(pk=registration.pk).values_list("name", flat=True)
    others = {name: name for name in names}
    return Scrubber(
        {**dict.fromkeys(_list_parts(event, registration), alias), **others}, MIN_PART_LENGTH
    )


def _list_parts(event: Event, registration: Registration) -> list[str]:
    """Return the words of the person's current and earlier names."""
    words = [
        part.strip(".,")
        for word in list_identifying_words(event, registration)
        for part in word.split()
    ]
    return [each for each in dict.fromkeys(words) if not any(map(str.isdigit, each))]


def _list_text_rows(event: Event) -> Iterator[QuerySet[Any]]:
    for rows in rows_of(event):
        declaration = personal_columns(rows.model)
        if declaration.scrubbed or declaration.redacted:
            yield rows


def _iterate_texts(row: Model) -> Iterator[str]:
    """Yield the texts of a row that people have written."""
    declaration = personal_columns(type(row))
    for name in declaration.redacted.split():
        yield getattr(row, name)
    written = {each.partition(".")[0] for each in declaration.scrubbed.split()}
    for field, key in list_naming_columns(type(row)):
        if field.name in written:
            value = getattr(row, field.attname)
            data = value.to_json() if isinstance(field, ValueField) else value
            yield from _iterate_strings(data[key] if key else data)


def _iterate_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _iterate_strings(each)
    elif isinstance(value, dict):
        yield from _iterate_strings(list(value.values()))


def _contains_part(text: str, scrubber: Scrubber, parts: Scrubber) -> bool:
    remaining = scrubber.scrub_text(text)
    return parts.scrub_text(remaining) != remaining


def _make_mention(text: str, rows: list[Model]) -> Mention:
    keys = [f"{row._meta.label_lower}:{row.pk}" for row in rows]
    places = dict.fromkeys(str(row._meta.verbose_name_plural) for row in rows)
    return Mention(" ".join(keys), text, list(places), len(rows))
