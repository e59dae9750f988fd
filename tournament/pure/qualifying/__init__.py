"""Qualification for the next stage by the organizer's rule."""

from tournament.pure.qualifying.cuts import (
    Candidate,
    Contender,
    Cut,
    CutTies,
    Decision,
    Playoff,
    best_of_tables,
    qualify,
)
from tournament.pure.qualifying.levels import TableOrder, table_order
from tournament.pure.qualifying.rules import KINDS, TIES, QualifyingRule, RuleError
