"""Personal data and its treatment, as declared by games/models/personal.py."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Field, Model, Q, QuerySet

from games.models.personal import Personal
from tournament.exports.transfer.contents import PARTS, matches_of
from tournament.models import DeskSignIn, EligibleStudent, Event
from tournament.privacy.others import OTHERS


def personal(model: type[Model]) -> Personal:
    """Return a model's declaration of its columns; a model without texts needs none."""
    own: Personal | None = getattr(model, "personal", None)
    return own or OTHERS.get(model._meta.label_lower, Personal())


def nameless(model: type[Model], alias: str) -> dict[str, object]:
    """Return the anonymous values for a row that is kept without its person."""
    said = personal(model)
    emptied = {name: _get_empty_value(model, name) for name in said.emptied}
    return {**emptied, **dict.fromkeys(said.alias.split(), alias)}


def _get_empty_value(model: type[Model], name: str) -> object:
    return column(model, name).get_default()


def column(model: type[Model], name: str) -> Field[Any, Any]:
    return next(each for each in model._meta.concrete_fields if each.name == name)


def rows_of(event: Event) -> Iterator[QuerySet[Any]]:
    """Yield all rows of the event, model by model.

    Rows that are left behind when the event moves are included.
    """
    matches = matches_of(event)
    yield from (part.of(event, matches) for part in PARTS)
    yield from (event.letters.all(), event.forecasts.all())
    yield DeskSignIn.objects.filter(registration__event=event)


def events_with_same_people(event: Event) -> list[Event]:
    """Return the other events, such as copies, whose eligibility list has people of this event."""
    listed = EligibleStudent.objects.exclude(event=event)
    people = Q(email__in=_select_addresses(event)) | Q(roll_key__in=_select_roll_keys(event))
    keys = listed.filter(people).values_list("event", flat=True)
    return list(Event.objects.filter(pk__in=set(keys)).order_by("pk"))


def _select_addresses(event: Event) -> set[str]:
    listed = event.students.values_list("email", flat=True)
    registered = event.registrations.filter(anonymous=False).values_list("user__email", flat=True)
    return {*listed, *registered} - {""}


def _select_roll_keys(event: Event) -> set[str]:
    listed = event.students.values_list("roll_key", flat=True)
    return {*listed, *event.registrations.values_list("roll_key", flat=True)} - {""}


@dataclass(frozen=True)
class KeptRows:
    """Number of rows about people, and how many of them have each of these columns filled."""

    model: type[Model]
    count: int
    columns: Mapping[str, int]

    @property
    def title(self) -> str:
        return str(self.model._meta.verbose_name_plural)

    @property
    def held(self) -> list[tuple[str, int]]:
        """Readable names of the filled columns, with the number of rows."""
        counts = {column(self.model, name): count for name, count in self.columns.items() if count}
        return [(str(column.verbose_name), count) for column, count in counts.items()]


def rows_due_for_deletion(event: Event) -> list[KeptRows]:
    """Return the rows about people that would be deleted, as a dry run."""
    found = (rows for rows in rows_of(event) if _is_personal(personal(rows.model)))
    return [_describe_kept_rows(rows) for rows in found]


def _is_personal(personal: Personal) -> bool:
    return bool(personal.shown or personal.goes)


def _describe_kept_rows(rows: QuerySet[Any]) -> KeptRows:
    model, said = rows.model, personal(rows.model)
    if said.gone:
        rows = rows.filter(**{said.gone: _get_empty_value(model, said.gone)})
    filled = {name: Count("pk", ~Q(**{name: _get_empty_value(model, name)})) for name in said.shown}
    found = rows.aggregate(rows=Count("pk"), **{f"{name}_told": n for name, n in filled.items()})
    return KeptRows(model, found["rows"], {name: found[f"{name}_told"] for name in filled})
