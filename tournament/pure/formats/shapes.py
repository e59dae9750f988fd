"""Parts of a format; their texts are marked for translation and translated when shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Protocol

# The value of a rule option.
Value = str | int | bool


class StageShape(Protocol):
    """How a stage is played, planned or stored."""

    @property
    def format(self) -> str: ...

    @property
    def rounds_planned(self) -> int: ...

    @property
    def rotation(self) -> bool: ...

    @property
    def advance(self) -> int: ...

    @property
    def qualify_rule(self) -> str: ...

    @property
    def qualify_value(self) -> int: ...


@dataclass(frozen=True)
class MatchPlan:
    """How a match is played; `hands` and `minutes` end it before its `target`, or without one.

    `scoring`: the option of the rules; `fewest`, `most`: players at a table that they are for.
    """

    rules: str
    scoring: str
    target: int
    partners: bool
    fewest: int
    most: int
    table_size: int
    hands: int | None = None
    minutes: int | None = None


@dataclass(frozen=True)
class StagePlan:
    """One stage; fields as those of models.Stage. `name`: one of its names, or a `title`."""

    title: str = ""
    format: str = "rounds"
    rounds_planned: int = 3
    by_points: bool = False
    rotation: bool = False
    qualify_rule: str = "thresholds"
    qualify_value: int = 8
    cut_ties: str = "together"
    advance: int = 2
    name: str = ""

    def fields(self) -> dict[str, str | int | bool]:
        """Value by the name of the stage's field."""
        return asdict(self)


@dataclass(frozen=True)
class ReadyFormat:
    """A format that an organizer chooses.

    `sentence`: for whom it is. `ruleset`: what it is meant for, "" where any will do. `options`:
    of the rules, `settings`: of the event by field, both only where the format needs them.
    """

    key: str
    name: str
    sentence: str
    stages: tuple[StagePlan, ...]
    ruleset: str = ""
    options: Mapping[str, Value] = field(default_factory=dict)
    settings: Mapping[str, int] = field(default_factory=dict)
