"""Parts of a format. Their texts are translated when they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Protocol

# The value of a rule option.
Value = str | int | bool


class StageShape(Protocol):
    """The settings of a planned or stored stage."""

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
    """The settings of a match.

    * `rules`: the title of the rule set.
    * `scoring`: the value of the rule option.
    * `target`: the points that end the match, or 0 for no target.
    * `fewest`, `most`: the smallest and largest allowed number of players at a table.
    * `hands`, `minutes`: limits of the match, or None.
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
    """One stage of a format, with the fields of `models.Stage`.

    The stage has either a predefined `name` or a `title`.
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
        """Return the values for a new stage by field name."""
        return asdict(self)


@dataclass(frozen=True)
class ReadyFormat:
    """A format that an organizer can choose.

    * `sentence`: the description.
    * `ruleset`: the rule set that suits the format, or "" if every rule set does.
    * `options`: the rule options that the format needs.
    * `settings`: the event settings that the format needs, by field name.
    """

    key: str
    name: str
    sentence: str
    stages: tuple[StagePlan, ...]
    ruleset: str = ""
    options: Mapping[str, Value] = field(default_factory=dict)
    settings: Mapping[str, int] = field(default_factory=dict)
