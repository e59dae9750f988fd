"""Standings: an ordered tuple of metrics for every player, made from finished matches.

Nothing is stored: hand in the results, get the rows. The headline figure comes first, then the
organizer's tie-breakers in order; where none separates two players they share the rank, and every
row says which criterion put it below the row above.
"""

from tournament.standings.metrics import METRICS, TIE_BREAKERS, Metric, lot, order_for
from tournament.standings.ranking import Row, show, standings
from tournament.standings.results import Adjustment, Adjustments, MatchResult, Results, Value

__all__ = [
    "METRICS",
    "TIE_BREAKERS",
    "Adjustment",
    "Adjustments",
    "MatchResult",
    "Metric",
    "Results",
    "Row",
    "Value",
    "lot",
    "order_for",
    "show",
    "standings",
]
