"""Who sits where: pure, whole numbers, the same answer on every machine. docs/seating.md"""

from tournament.seating.costs import (
    RULES,
    PastRound,
    Player,
    Problem,
    SeatingError,
    SeatingRules,
    Tables,
    table_sizes,
)
from tournament.seating.kept import Despite, RoundSeating
from tournament.seating.lots import commitment, draw_key, read_problem
from tournament.seating.partners import partner_rounds
from tournament.seating.reasons import Reason, explain
from tournament.seating.repairs import Repair, repair
from tournament.seating.review import Broken, Review, evaluate, tables_costs
from tournament.seating.rounds import Seating, seat_round

__all__ = [
    "RULES",
    "Broken",
    "Despite",
    "PastRound",
    "Player",
    "Problem",
    "Reason",
    "Repair",
    "Review",
    "RoundSeating",
    "Seating",
    "SeatingError",
    "SeatingRules",
    "Tables",
    "commitment",
    "draw_key",
    "evaluate",
    "explain",
    "partner_rounds",
    "read_problem",
    "repair",
    "seat_round",
    "table_sizes",
    "tables_costs",
]
