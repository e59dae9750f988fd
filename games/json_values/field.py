"""JSON column that appears as a typed value in code."""

import json
from typing import TYPE_CHECKING, Any, Protocol, Self

import orjson
from django.db import models

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


class StoredValue(Protocol):
    """A value and its JSON; without arguments, the value of an empty row."""

    @classmethod
    def from_json(cls, data: Any) -> Self: ...

    def to_json(self) -> Any: ...


class Encoder(json.JSONEncoder):
    """JSON encoder that writes a value as its `to_json` returns it."""

    def default(self, o: Any) -> Any:
        return o.to_json()


class KeysField(models.JSONField):
    """JSON column for tables with many rows, which share one copy of each key string.

    Key strings make up half of the memory of a log read from the database.
    """

    def deconstruct(self) -> Any:
        """Describe the column as plain JSON to migrations, as the database knows no more."""
        name, _path, *arguments = super().deconstruct()
        return name, "django.db.models.JSONField", *arguments

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if isinstance(value, str):
            return orjson.loads(value)
        return super().from_db_value(value, expression, connection)


class ValueField(models.JSONField):
    """JSON column whose values are all of one class."""

    def __init__(self, kind: type[StoredValue], name: "_StrOrPromise | None" = None) -> None:
        super().__init__(name, default=kind, blank=True, encoder=Encoder)
        self.kind = kind

    def deconstruct(self) -> Any:
        """Describe the column as plain JSON to migrations, as the database knows no more."""
        name, *_ = super().deconstruct()
        return name, "django.db.models.JSONField", [], {"default": dict}

    def clone(self) -> "ValueField":
        return ValueField(self.kind, self.verbose_name)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value is None:
            return None  # a row that a join has not found
        if isinstance(value, str):
            return self.kind.from_json(orjson.loads(value))
        return self.kind.from_json(super().from_db_value(value, expression, connection))
