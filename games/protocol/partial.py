"""Type of an object with some keys of another type, for messages about changes."""

from typing import Generic, TypeVar

T = TypeVar("T")


class Some(dict[str, object], Generic[T]):
    """An object with any of T's keys. Their types are the same as in T.

    This class is used only in annotations. At run time, the value is a dictionary.
    """
