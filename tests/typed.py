"""Narrower types for values in tests."""

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response
else:
    from django.http import HttpResponse as Response

__all__ = ["Response", "sure"]

Kind = TypeVar("Kind")


def sure(value: Kind | None) -> Kind:
    """Return `value` after checking that it is not None."""
    assert value is not None
    return value
