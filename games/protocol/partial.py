"""An object with some of the keys of another: what has changed of it."""

from typing import Generic, TypeVar

T = TypeVar("T")


class Some(dict[str, object], Generic[T]):
    """Any of T's keys, each as T has it. For annotations alone: what is read is a dictionary."""
