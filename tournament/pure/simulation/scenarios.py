"""Plans of events to simulate: their rules, tables and stages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from games.json_values.codec import JsonValue
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import OptionError, RuleSet
from tournament.pure import brackets, qualifying
from tournament.pure.arrangement import SeatingError
from tournament.pure.formats.shapes import Value
from tournament.pure.qualifying.thresholds import USUAL, read_thresholds

# Errors whose messages explain why an event cannot be played as planned.
PLAN_ERRORS = (OptionError, SeatingError, brackets.BracketError, qualifying.RuleError)

# A bracket with lots requires a key, but chance replaces lots in a simulation.
_UNUSED_KEY = "level"


@dataclass(frozen=True)
class PlannedStage:
    """One stage of a planned event. Its fields correspond to those of `models.Stage`."""

    format: str = "rounds"
    rounds: int = 1
    by_points: bool = False
    rotation: bool = False
    rule: str = "thresholds"
    value: int = 8
    thresholds: str = USUAL
    ties: str = "together"
    advance: int = 2
    min_matches: int = 1

    @property
    def each_table(self) -> int:
        """The number of players who advance from each table, or 0 if the standings decide."""
        return self.value if self.rule == "top_k" else 0

    @property
    def together(self) -> bool:
        """True if all players tied at the cut advance."""
        return self.ties == "together"

    def places(self, took_part: int) -> int:
        """Return how many of the players who took part advance.

        Must not be called if `each_table` is set.
        """
        value = Fraction(self.value, 100) if self.rule == "share" else self.value
        rule = qualifying.QualifyingRule(self.rule, value, read_thresholds(self.thresholds))
        return rule.places(took_part)

    def shape(self, course: PlannedEvent) -> brackets.Shape:
        """Return the settings of the stage as a bracket."""
        rules = course.rules
        limits = rules.min_seats, rules.max_seats
        advance = min(self.advance, course.table_size - 1)
        return brackets.Shape(
            course.table_size, advance, *limits, ties="lots", lots_key=_UNUSED_KEY
        )


@dataclass(frozen=True)
class PlannedEvent(JsonValue):
    """The plan of an event to simulate.

    * `players`: the number of players.
    * `ruleset`, `options`: the rule set with its options.
    * `hand_limit`, `round_minutes`: the limits of each match, or None.
    * `parts`: the stages.
    """

    name: str
    players: int
    ruleset: str
    options: Mapping[str, Value] = field(default_factory=dict)
    table_size: int = 4
    hand_limit: int | None = None
    round_minutes: int | None = None
    parts: tuple[PlannedStage, ...] = (PlannedStage(),)

    @cached_property
    def rules(self) -> RuleSet:
        """The rule set with its options. Raises OptionError if an option is invalid."""
        return rulesets.make(self.ruleset, dict(self.options))
