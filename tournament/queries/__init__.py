"""What the pages read. Standings come from finished matches and confirmed results, every time."""

from tournament.queries.desk import Step, desk, next_step
from tournament.queries.pages import bracket, control_room, player_page, tables, winner
from tournament.queries.shapes import (
    BracketStage,
    Leaderboard,
    LeaderRow,
    PlayerPage,
    QualifierView,
    RoundView,
    SeatView,
    TableView,
    Winner,
)
from tournament.queries.standings import leaderboard

__all__ = [
    "BracketStage",
    "LeaderRow",
    "Leaderboard",
    "PlayerPage",
    "QualifierView",
    "RoundView",
    "SeatView",
    "Step",
    "TableView",
    "Winner",
    "bracket",
    "control_room",
    "desk",
    "leaderboard",
    "next_step",
    "player_page",
    "tables",
    "winner",
]
