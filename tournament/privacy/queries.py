"""What is kept of people, until when, and what becomes of it: games/models/personal.py says it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.db.models import Count, EmailField, Field, ForeignKey, Max, Model, Q, QuerySet

from games.models.personal import Personal
from tournament.exports.transfer.contents import PARTS, matches_of, plain
from tournament.models import DeskSignIn, Event, Round, User

_WITH_ACCOUNT = "with the person's account"
# Models of others; a test asks for each that is installed.
OTHERS: Mapping[str, Personal] = {
    "admin.logentry": Personal(scrubbed="object_id object_repr change_message"),
    "auth.permission": Personal(free={"codes": "name codename"}),
    "auth.group": Personal(free={"nobody is in any": "name"}),
    "contenttypes.contenttype": Personal(free={"codes": "app_label model"}),
    "sessions.session": Personal(about="session_key session_data", goes=_WITH_ACCOUNT),
    "account.emailaddress": Personal(who="email", goes=_WITH_ACCOUNT, whose="email"),
    "account.emailconfirmation": Personal(free={"a random key": "key"}, goes=_WITH_ACCOUNT),
    "socialaccount.socialaccount": Personal(
        who="uid", about="extra_data", goes=_WITH_ACCOUNT, whose="user", free={"a code": "provider"}
    ),
    "socialaccount.socialapp": Personal(
        free={"no rows": "provider provider_id name client_id secret key settings"}
    ),
    "socialaccount.socialtoken": Personal(free={"no rows": "token token_secret"}),
    "mfa.authenticator": Personal(about="data", goes=_WITH_ACCOUNT),
    "django_tasks_database.dbtaskresult": Personal(
        scrubbed="args_kwargs return_value traceback",
        free={"codes": "task_path worker_ids queue_name backend_name exception_class_path"},
    ),
}


def personal(model: type[Model]) -> Personal:
    """What a model says of its columns; one without texts says nothing."""
    own: Personal | None = getattr(model, "personal", None)
    return own or OTHERS.get(model._meta.label_lower, Personal())


def nameless(model: type[Model], alias: str) -> dict[str, object]:
    """The values of a row that stays without its person."""
    said = personal(model)
    emptied = {name: _empty(model, name) for name in said.emptied}
    return {**emptied, **dict.fromkeys(said.alias.split(), alias)}


def _empty(model: type[Model], name: str) -> object:
    return _column(model, name).get_default()


def _column(model: type[Model], name: str) -> Field[Any, Any]:
    return next(each for each in model._meta.concrete_fields if each.name == name)


def rows_of(event: Event) -> Iterator[QuerySet[Any]]:
    """All rows of the event, model by model, and what of them stays behind when it moves."""
    matches = matches_of(event)
    yield from (part.of(event, matches) for part in PARTS)
    yield from (event.letters.all(), event.forecasts.all())
    yield DeskSignIn.objects.filter(registration__event=event)


@dataclass(frozen=True)
class KeptRows:
    """So many rows tell of people, and in so many of them each of these columns does."""

    model: type[Model]
    count: int
    columns: Mapping[str, int]

    @property
    def title(self) -> str:
        return str(self.model._meta.verbose_name_plural)

    @property
    def held(self) -> list[tuple[str, int]]:
        """The columns as people call them."""
        counts = {_column(self.model, name): count for name, count in self.columns.items() if count}
        return [(str(column.verbose_name), count) for column, count in counts.items()]


def kept_of_people(event: Event) -> list[KeptRows]:
    """What would be deleted: a dry run."""
    found = (rows for rows in rows_of(event) if _tells(personal(rows.model)))
    return [_kept(rows) for rows in found]


def _tells(said: Personal) -> bool:
    return bool(said.shown or said.goes)


def _kept(rows: QuerySet[Any]) -> KeptRows:
    model, said = rows.model, personal(rows.model)
    if said.gone:
        rows = rows.filter(**{said.gone: _empty(model, said.gone)})
    filled = {name: Count("pk", ~Q(**{name: _empty(model, name)})) for name in said.shown}
    found = rows.aggregate(rows=Count("pk"), **{f"{name}_told": n for name, n in filled.items()})
    return KeptRows(model, found["rows"], {name: found[f"{name}_told"] for name in filled})


def own_data(user: User) -> dict[str, list[dict[str, object]]]:
    """What is kept of one person, by model and column: all rows that tell of them."""
    models = (model for model in apps.get_models() if personal(model).whose)
    found = {model._meta.label_lower: _told_of(user, model) for model in models}
    return {label: rows for label, rows in found.items() if rows}


def _told_of(user: User, model: type[Model]) -> list[dict[str, object]]:
    whose = personal(model).whose
    by_address = "__" not in whose and isinstance(_column(model, whose), EmailField)
    theirs = user.email if by_address else user
    rows = model._default_manager.filter(**{whose: theirs}).order_by("pk")
    return [_told(row) for row in rows]


def _told(row: Model) -> dict[str, object]:
    """Without keys and codes; of what a row leads to its event alone."""
    said = personal(type(row))
    hidden = {*said.keys.split(), *said.unread}
    told = {each.name: each for each in row._meta.concrete_fields if each.name not in hidden}
    return {name: _value(each, row) for name, each in told.items() if _readable(each)}


def _readable(field: Field[Any, Any]) -> bool:
    return not field.primary_key and field.related_model in (None, Event)


def _value(field: Field[Any, Any], row: Model) -> object:
    return str(getattr(row, field.name)) if isinstance(field, ForeignKey) else plain(field, row)


def due_at(event: Event) -> datetime | None:
    """When it is deleted by itself; None: never, or not while the event is not over."""
    rounds = Round.objects.filter(stage__event=event).aggregate(last=Max("closed_at"))
    ended = event.locked_at or rounds["last"]
    if event.keep_days is None or ended is None or event.state != Event.State.FINISHED:
        return None
    return ended + timedelta(days=event.keep_days)
