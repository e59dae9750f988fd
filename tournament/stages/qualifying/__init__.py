"""Who goes through to the second round, by the organizer's rule. Pure."""

from tournament.stages.qualifying.cuts import (
    Candidate,
    Contender,
    Cut,
    CutTies,
    Decision,
    Playoff,
    best_of_tables,
    qualify,
)
from tournament.stages.qualifying.rules import KINDS, TIES, QualifyingRule, RuleError
