"""Standings: the ranking of players by the metrics of their finished matches.

The headline metric counts first, followed by the organizer's tie-breaks in order. Players who
remain tied share a rank. Each row names the metric that put it below the previous row.
"""

from tournament.pure.ranking.metrics import (
    DEFAULT_TIE_BREAKERS,
    METRICS,
    TIE_BREAKERS,
    draw_lot,
    metric_keys_for,
)
from tournament.pure.ranking.order import (
    StandingsRow,
    format_pair,
    format_value,
    rank_players,
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
