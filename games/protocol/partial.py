"""Objects with some of another object's keys, for messages about changes."""

from typing import Generic, TypeVar

T = TypeVar("T")


class Some(dict[str, object], Generic[T]):
    """Any of T's keys, with their types in T.

    This class is used only in annotations. At run time, the value is a dictionary.
    """
