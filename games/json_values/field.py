"""JSON column whose value is a typed object in Python."""

import json
from typing import TYPE_CHECKING, Any, Protocol, Self

import orjson
from django.db import models

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


class StoredValue(Protocol):
    """A value that can be converted to and from JSON.

    Calling its class without arguments returns the column's default.
    """

    @classmethod
    def from_json(cls, data: Any) -> Self: ...

    def to_json(self) -> Any: ...


class Encoder(json.JSONEncoder):
    """JSON encoder that encodes an object with its `to_json` method."""

    def default(self, o: Any) -> Any:
        return o.to_json()


class SharedKeysField(models.JSONField):
    """JSON column that keeps only one copy of each key string in memory.

    Use it for tables with many rows. Otherwise, key strings take up half the memory of a log that
    is loaded from the database.
    """

    def deconstruct(self) -> Any:
        """Return a plain JSON field, so that migrations do not depend on this class."""
        name, _path, *arguments = super().deconstruct()
        return name, "django.db.models.JSONField", *arguments

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if isinstance(value, str):
            return orjson.loads(value)
        return super().from_db_value(value, expression, connection)


class ValueField(models.JSONField):
    """JSON column whose values are all instances of one class."""

    def __init__(self, kind: type[StoredValue], name: "_StrOrPromise | None" = None) -> None:
        super().__init__(name, default=kind, blank=True, encoder=Encoder)
        self.kind = kind

    def deconstruct(self) -> Any:
        """Return a plain JSON field, so that migrations do not depend on this class."""
        name, *_ = super().deconstruct()
        return name, "django.db.models.JSONField", [], {"default": dict}

    def clone(self) -> "ValueField":
        return ValueField(self.kind, self.verbose_name)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value is None:
            return None  # an outer join found no row
        if isinstance(value, str):
            return self.kind.from_json(orjson.loads(value))
        return self.kind.from_json(super().from_db_value(value, expression, connection))
