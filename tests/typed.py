"""Facts known to a test but not to its types: a filled field, the contents of a response."""

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response
else:
    from django.http import HttpResponse as Response

__all__ = ["Response", "sure"]

Kind = TypeVar("Kind")


def sure(value: Kind | None) -> Kind:
    """Return a value that may be None in general, but not in this test."""
    assert value is not None
    return value
