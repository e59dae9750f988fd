"""Sentences that are stored as a kind and values, and translated for each reader.

    @stored_sentence("by_lot")
    def by_lot(count: int) -> str:
        return _("Among {count}, by lot.").format(count=count)

    by_lot(3)                # Sentence("by_lot", {"count": 3})
    str(by_lot(3))           # translated for the current reader

The kind and the names of the arguments are stored, so they must never change.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ParamSpec, Self

P = ParamSpec("P")

# The stored form of a sentence: the kind and the values, or plain text in old data.
StoredSentence = str | Mapping[str, object]

_KINDS: dict[str, Callable[..., str]] = {}
# The kind of a sentence that was stored as plain text.
WRITTEN = "written"


@dataclass(frozen=True)
class Sentence:
    """A sentence with a kind and values. Without a kind, the sentence is empty.

    The values are sentences or JSON values. Sequences are lists.
    """

    kind: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.kind)

    def __str__(self) -> str:
        return _KINDS[self.kind](**self.values) if self.kind else ""

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Load the output of `to_json`, or plain text from an older version."""
        if isinstance(data, str):
            return cls(WRITTEN, {"text": data}) if data else cls()
        if not data:
            return cls()
        values = {name: _read_value(cls, value) for name, value in data["values"].items()}
        return cls(data["kind"], values)

    def to_json(self) -> dict[str, object]:
        if not self:
            return {}
        values = {name: _write_value(value) for name, value in self.values.items()}
        return {"kind": self.kind, "values": values}


def _read_value(cls: type[Sentence], value: Any) -> Any:
    if isinstance(value, list):
        return [_read_value(cls, each) for each in value]
    return cls.from_json(value) if isinstance(value, dict) else value


def _write_value(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_write_value(each) for each in value]
    return value.to_json() if isinstance(value, Sentence) else value


def stored_sentence(kind: str) -> Callable[[Callable[P, str]], Callable[P, Sentence]]:
    """Return a decorator that makes a function return a `Sentence` of this kind.

    The decorated function builds the text of the sentence from its values.
    """

    def register(build_text: Callable[P, str]) -> Callable[P, Sentence]:
        if kind in _KINDS:
            raise ValueError(f"There is already a kind of sentence called {kind}.")
        _KINDS[kind] = build_text
        names = list(inspect.signature(build_text).parameters)

        @wraps(build_text)
        def make(*args: P.args, **keywords: P.kwargs) -> Sentence:
            arguments = {**dict(zip(names, args, strict=False)), **keywords}
            return Sentence(
                kind, {name: _convert_sequences(value) for name, value in arguments.items()}
            )

        return make

    return register


def _convert_sequences(value: Any) -> Any:
    return (
        [_convert_sequences(each) for each in value] if isinstance(value, list | tuple) else value
    )


@stored_sentence(WRITTEN)
def legacy_sentence(text: str) -> str:
    """Return the plain text of a sentence that was stored before sentences had kinds."""
    return text
