"""Golden files, which reveal unintended changes of the stored JSON format.

A golden file contains JSON values by sample name. `written` shows how each sample is stored. `read`
contains older or shorter forms that must remain readable.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from games.store.statements import as_json


class Golden:
    """Samples of one stored type."""

    def __init__(self, folder: Path, kind: type[Any], samples: Mapping[str, Any]) -> None:
        self.kind, self.samples = kind, samples
        self.file: dict[str, Any] = json.loads((folder / f"{kind.__name__}.json").read_text())

    def list_changed_writes(self) -> list[str]:
        """List the samples whose stored bytes differ from the file."""
        assert self.samples.keys() == self.file["written"].keys()
        return [name for name, value in self.samples.items() if not self._is_written(name, value)]

    def _is_written(self, name: str, value: Any) -> bool:
        kept = self.file["written"][name]
        return json.dumps(value.to_json()) == json.dumps(kept) and (
            as_json(value, None) == orjson.dumps(kept).decode()
        )

    def list_changed_reads(self) -> list[str]:
        """List the samples for which a stored form is read as a different value."""
        return [
            name
            for name, found, value in self._iterate_reads()
            if self.kind.from_json(found) != value
        ]

    def _iterate_reads(self) -> Iterator[tuple[str, Any, Any]]:
        for name, value in self.samples.items():
            yield name, self.file["written"][name], value
        for name, forms in self.file.get("read", {}).items():
            for found in forms:
                yield name, found, self.samples[name]
