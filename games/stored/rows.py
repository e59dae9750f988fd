"""How rows become objects where a page fetches thousands of them."""

from collections.abc import Collection
from typing import Any, Self

from django.db import models
from django.db.models.base import ModelState


class QuickRow(models.Model):
    """A model whose rows are put into their objects as they were read.

    Django's own way sets each column by itself and tells signals that nobody here listens to: three
    times as long. Columns that were left out are fetched when they are asked for, as ever.
    """

    class Meta:
        abstract = True

    def __copy__(self) -> Self:
        """Another object with the same columns; Django's own way goes by pickling."""
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        state = made.__dict__["_state"] = ModelState()
        state.adding, state.db = self._state.adding, self._state.db
        state.fields_cache = dict(self._state.fields_cache)
        return made

    @classmethod
    def from_db(  # type: ignore[override]  # the stubs know an argument of a later Django
        cls, db: str | None, field_names: Collection[str], values: Collection[Any]
    ) -> Self:
        """Django calls this with what one row holds along the names."""
        made = cls.__new__(cls)
        made.__dict__.update(zip(field_names, values, strict=True))
        state = made.__dict__["_state"] = ModelState()
        state.adding, state.db = False, db
        return made


def set_related(row: models.Model, name: str, other: models.Model | None) -> None:
    """Say which object, fetched already, the foreign key `name` of a row means."""
    row._state.fields_cache[name] = other
