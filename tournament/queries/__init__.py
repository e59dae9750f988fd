"""What the pages read. Standings come from finished matches and confirmed results, every time."""

from tournament.queries.control import control_room
from tournament.queries.desk import Step, desk, next_step
from tournament.queries.now import (
    event_to_be_at,
    seats_now,
    stages,
    tables_in_play,
    with_players,
    with_tables_in_play,
)
from tournament.queries.pages import bracket, player_page, tables
from tournament.queries.shapes import (
    BracketStage,
    Leaderboard,
    LeaderRow,
    PlayerPage,
    QualifierView,
    RoundView,
    SeatView,
    StageView,
    TableView,
    Winner,
)
from tournament.queries.shared import leader_rows
from tournament.queries.standings import leaderboard
from tournament.queries.winners import winner

__all__ = [
    "BracketStage",
    "LeaderRow",
    "Leaderboard",
    "PlayerPage",
    "QualifierView",
    "RoundView",
    "SeatView",
    "StageView",
    "Step",
    "TableView",
    "Winner",
    "bracket",
    "control_room",
    "desk",
    "event_to_be_at",
    "leader_rows",
    "leaderboard",
    "next_step",
    "player_page",
    "seats_now",
    "stages",
    "tables",
    "tables_in_play",
    "winner",
    "with_players",
    "with_tables_in_play",
]
