"""The personal data of one user, for download: all declared columns of the user's rows."""

from collections.abc import Iterator

from django.apps import apps
from django.db.models import EmailField, Field, ForeignKey, Model, Q, QuerySet

from games.models import Match
from tournament.exports.transfer.contents import to_json_value
from tournament.models import Event, Round, Stage, Table, User
from tournament.privacy.queries import get_column, personal_columns

# Relations to these models are exported. Other relations refer to other people, or are only ids.
RELATED_MODELS = (Event, Stage, Round, Table, Match)


def collect_own_data(user: User) -> dict[str, list[dict[str, object]]]:
    """Return a user's personal data, by model and column."""
    models = (model for model in apps.get_models() if personal_columns(model).whose)
    rows_by_model = {
        model._meta.label_lower: list(_iterate_own_rows(user, model)) for model in models
    }
    return {label: rows for label, rows in rows_by_model.items() if rows}


def exported_columns(model: type[Model]) -> list[str]:
    """Return the columns to export, without keys, codes and unreadable data."""
    hidden = personal_columns(model).hidden
    return [f.name for f in model._meta.concrete_fields if f.name not in hidden and _is_readable(f)]


def _iterate_own_rows(user: User, model: type[Model]) -> Iterator[dict[str, object]]:
    names = exported_columns(model)
    places = [name for name in names if isinstance(get_column(model, name), ForeignKey)]
    rounds = [f"{name}__round" for name in places if get_column(model, name).related_model is Table]
    for row in _select_rows(user, model).select_related(*places, *rounds):
        yield {name: _read_value(row, name) for name in names}


def _select_rows(user: User, model: type[Model]) -> QuerySet[Model]:
    condition = Q()
    for path in personal_columns(model).whose.split():
        condition |= Q(**{path: user.email if _is_address_column(model, path) else user})
    own_rows = model._default_manager.filter(condition).order_by()
    return model._default_manager.filter(pk__in=own_rows.values("pk")).order_by("pk")


def _is_address_column(model: type[Model], path: str) -> bool:
    return "__" not in path and isinstance(get_column(model, path), EmailField)


def _is_readable(field: Field[object, object]) -> bool:
    return not field.primary_key and (
        field.related_model is None or field.related_model in RELATED_MODELS
    )


def _read_value(row: Model, name: str) -> object:
    field = get_column(type(row), name)
    if isinstance(field, ForeignKey):
        place = getattr(row, name)
        return None if place is None else str(place)
    return to_json_value(field, row)
