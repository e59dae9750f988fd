"""Who goes through to the second round, by the organizer's rule. Pure."""

from tournament.qualifying.cuts import (
    Candidate,
    Contender,
    Cut,
    Decision,
    Playoff,
    Ties,
    best_of_tables,
    qualify,
)
from tournament.qualifying.rules import KINDS, TIES, Rule, RuleError

__all__ = [
    "KINDS",
    "TIES",
    "Candidate",
    "Contender",
    "Cut",
    "Decision",
    "Playoff",
    "Rule",
    "RuleError",
    "Ties",
    "best_of_tables",
    "qualify",
]
