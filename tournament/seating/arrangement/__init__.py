"""Seating: pure functions in whole numbers, with the same result on every machine.

See docs/seating.md.
"""

from tournament.seating.arrangement.costs import (
    RULES,
    PastRound,
    SeatingError,
    SeatingPlayer,
    SeatingProblem,
    SeatingRules,
    Tables,
    table_sizes,
)
from tournament.seating.arrangement.kept import Despite, RoundSeating
from tournament.seating.arrangement.lots import commitment, draw_key, read_problem
from tournament.seating.arrangement.partners import partner_rounds
from tournament.seating.arrangement.quality import evaluate, tables_costs
from tournament.seating.arrangement.reasons import explain
from tournament.seating.arrangement.repairs import Repair, repair
from tournament.seating.arrangement.rounds import Seating, seat_round
