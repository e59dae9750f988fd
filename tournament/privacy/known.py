"""The words that identify a person in an event, such as current and earlier names."""

from collections.abc import Iterator

from games.rules.clusters import shorten
from tournament.models import EligibleStudent, Event, LogAction, Registration, User
from tournament.rounds.services import NAME_AT_TABLE


def list_identifying_words(event: Event, registration: Registration) -> list[str]:
    """Return the person's names, addresses and roll numbers, without duplicates."""
    words = [*Registration.personal.words(registration), *User.personal.words(registration.user)]
    if registration.student:
        words += EligibleStudent.personal.words(registration.student)
    words += [*_iterate_earlier_names(event, registration)]
    # Tables keep the name that the player had at the start, shortened if it is long.
    words += [
        part
        for word in words
        for part in (shorten(word, NAME_AT_TABLE), word[:NAME_AT_TABLE].strip())
    ]
    return [word for word in dict.fromkeys(words) if word]


def _iterate_earlier_names(event: Event, registration: Registration) -> Iterator[str]:
    renamed = event.audit.filter(action=LogAction.RENAME, data__registration=registration.pk)
    for data in renamed.values_list("data", flat=True):
        yield from data.get("before", [])
