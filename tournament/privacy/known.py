"""Words that identify a person in an event, including earlier names, to search texts for."""

from collections.abc import Iterator

from games.rules.clusters import shorten
from tournament.models import EligibleStudent, Event, LogAction, Registration, User
from tournament.rounds.services import NAME_AT_TABLE


def words_of(event: Event, one: Registration) -> list[str]:
    """Return the person's names, addresses and roll numbers as written, each once."""
    found = [*Registration.personal.words(one), *User.personal.words(one.user)]
    if one.student:
        found += EligibleStudent.personal.words(one.student)
    found += [*_iterate_earlier_names(event, one)]
    # A table has room for only part of a name, and keeps the one it started with.
    found += [
        part
        for word in found
        for part in (shorten(word, NAME_AT_TABLE), word[:NAME_AT_TABLE].strip())
    ]
    return [word for word in dict.fromkeys(found) if word]


def _iterate_earlier_names(event: Event, one: Registration) -> Iterator[str]:
    renamed = event.audit.filter(action=LogAction.RENAME, data__registration=one.pk)
    for data in renamed.values_list("data", flat=True):
        yield from data.get("before", [])
