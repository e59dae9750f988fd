"""What a format is made of; texts in it are marked for translation and translated when shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

# Of an option of the rules.
Value = str | int | bool


@dataclass(frozen=True)
class StagePlan:
    """One stage; fields as those of models.Stage."""

    title: str
    format: str = "rounds"
    rounds_planned: int = 3
    by_points: bool = False
    rotation: bool = False
    qualify_rule: str = "thresholds"
    qualify_value: int = 8
    cut_ties: str = "together"
    advance: int = 2

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
