"""What a test knows and its types do not: that a field is filled, and what a page's answer has."""

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response
else:
    from django.http import HttpResponse as Response

__all__ = ["Response", "sure"]

Kind = TypeVar("Kind")


def sure(value: Kind | None) -> Kind:
    """The value of what may be empty elsewhere, and is not in this test."""
    assert value is not None
    return value
