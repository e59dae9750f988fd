"""Queries for personal data, by the models' declarations (games/models/personal.py)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Field, Model, Q, QuerySet

from games.models.personal import Personal
from tournament.exports.transfer.contents import PARTS, matches_of
from tournament.models import DeskSignIn, EligibleStudent, Event
from tournament.privacy.others import OTHERS


def personal_columns(model: type[Model]) -> Personal:
    """Return the model's declaration of personal data. Models without text need none."""
    own: Personal | None = getattr(model, "personal", None)
    return own or OTHERS.get(model._meta.label_lower, Personal())


def make_anonymous_values(model: type[Model], alias: str) -> dict[str, object]:
    """Return the column values that make a row of the model anonymous."""
    declaration = personal_columns(model)
    empty_values = {name: _get_empty_value(model, name) for name in declaration.columns_to_empty}
    return {**empty_values, **dict.fromkeys(declaration.alias.split(), alias)}


def _get_empty_value(model: type[Model], name: str) -> object:
    return get_column(model, name).get_default()


def get_column(model: type[Model], name: str) -> Field[Any, Any]:
    return next(each for each in model._meta.concrete_fields if each.name == name)


def rows_of(event: Event) -> Iterator[QuerySet[Any]]:
    """Yield all rows of the event, model by model.

    This includes rows that do not move with the event to another machine.
    """
    matches = matches_of(event)
    yield from (part.select(event, matches) for part in PARTS)
    yield from (event.letters.all(), event.forecasts.all())
    yield DeskSignIn.objects.filter(registration__event=event)


def events_with_same_people(event: Event) -> list[Event]:
    """Return other events that have people of this event on their list, such as copies of it."""
    students = EligibleStudent.objects.exclude(event=event)
    people = Q(email__in=_select_addresses(event)) | Q(roll_key__in=_select_roll_keys(event))
    keys = students.filter(people).values_list("event", flat=True)
    return list(Event.objects.filter(pk__in=set(keys)).order_by("pk"))


def _select_addresses(event: Event) -> set[str]:
    listed = event.students.values_list("email", flat=True)
    registered = event.registrations.filter(anonymous=False).values_list("user__email", flat=True)
    return {*listed, *registered} - {""}


def _select_roll_keys(event: Event) -> set[str]:
    listed = event.students.values_list("roll_key", flat=True)
    return {*listed, *event.registrations.values_list("roll_key", flat=True)} - {""}


@dataclass(frozen=True)
class RetainedRows:
    """The number of rows about people in a model.

    `columns` maps each column to the number of rows in which it is filled.
    """

    model: type[Model]
    count: int
    columns: Mapping[str, int]

    @property
    def title(self) -> str:
        return str(self.model._meta.verbose_name_plural)

    @property
    def filled_columns(self) -> list[tuple[str, int]]:
        """The titles of the filled columns, with the number of rows for each."""
        counts = {
            get_column(self.model, name): count for name, count in self.columns.items() if count
        }
        return [(str(column.verbose_name), count) for column, count in counts.items()]


def rows_due_for_deletion(event: Event) -> list[RetainedRows]:
    """Return the numbers of rows about people that would be deleted, by model."""
    declared = ((rows, personal_columns(rows.model)) for rows in rows_of(event))
    return [_describe_retained_rows(rows) for rows, data in declared if data.shown or data.goes]


def _describe_retained_rows(rows: QuerySet[Any]) -> RetainedRows:
    model, declaration = rows.model, personal_columns(rows.model)
    if declaration.gone:
        rows = rows.filter(**{declaration.gone: _get_empty_value(model, declaration.gone)})
    filled = {
        name: Count("pk", ~Q(**{name: _get_empty_value(model, name)})) for name in declaration.shown
    }
    counts = rows.aggregate(
        rows=Count("pk"), **{f"{name}_told": count for name, count in filled.items()}
    )
    return RetainedRows(model, counts["rows"], {name: counts[f"{name}_told"] for name in filled})
