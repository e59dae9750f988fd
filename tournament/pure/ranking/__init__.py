"""Standings: an ordered tuple of metrics for every player, made from finished matches.

Nothing is stored: hand in the results, get the rows. The headline figure comes first, then the
organizer's tie-breakers in order; where none separates two players they share the rank, and every
row says which criterion put it below the row above.
"""

from tournament.pure.ranking.metrics import (
    DEFAULT_TIE_BREAKERS,
    METRICS,
    TIE_BREAKERS,
    lot,
    order_for,
)
from tournament.pure.ranking.order import StandingsRow, show, standings
from tournament.pure.ranking.results import (
    Adjustment,
    Adjustments,
    Bot,
    Holder,
    MatchResult,
    Value,
    exclude_bots,
)
