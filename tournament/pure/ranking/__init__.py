"""Standings: an ordered tuple of metrics for every player, from finished matches.

Nothing is stored: results in, rows out. The headline metric comes first, followed by the
organizer's tie-breakers in order. Players whom none of them separates share the rank. Every row
names the criterion that put it below the previous row.
"""

from tournament.pure.ranking.metrics import (
    DEFAULT_TIE_BREAKERS,
    METRICS,
    TIE_BREAKERS,
    lot,
    order_for,
)
from tournament.pure.ranking.order import (
    StandingsRow,
    rank_players,
    show,
    show_apart,
)
from tournament.pure.ranking.results import (
    Adjustment,
    Adjustments,
    Bot,
    Holder,
    MatchResult,
    Value,
    exclude_bots,
)
