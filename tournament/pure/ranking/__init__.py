"""Standings: ranks players by an ordered list of metrics from finished matches.

The headline metric is first, followed by the organizer's tie-breaks in order. Players who remain
tied share a rank. Each row names the metric that put it below the previous row. Nothing is stored
here.
"""

from tournament.pure.ranking.metrics import (
    DEFAULT_TIE_BREAKERS,
    METRICS,
    TIE_BREAKERS,
    draw_lot,
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
