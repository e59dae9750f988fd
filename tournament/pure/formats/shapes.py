"""Parts of a format. Their texts are marked for translation and translated when shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Protocol

# The value of a rule option.
Value = str | int | bool


class StageShape(Protocol):
    """Settings for playing a stage, planned or stored."""

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
    """Settings for a match.

    `hands` and `minutes` may end the match before its `target`, or without a target. `scoring` is
    the option of the rules. `fewest` and `most` are the allowed numbers of players at a table.
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
    """One stage, with the fields of models.Stage.

    It has one of the predefined names as `name`, or else a `title`.
    """

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
        """Return the values by the name of the stage's field."""
        return asdict(self)


@dataclass(frozen=True)
class ReadyFormat:
    """A format that an organizer can choose.

    `sentence` describes the format. `ruleset` is the intended rule set, or "" if any will do.
    `options` are rule options, and `settings` are event settings by field. Both are given only
    where the format needs them.
    """

    key: str
    name: str
    sentence: str
    stages: tuple[StagePlan, ...]
    ruleset: str = ""
    options: Mapping[str, Value] = field(default_factory=dict)
    settings: Mapping[str, int] = field(default_factory=dict)
