"""Seating of rounds, with the same result on every machine.

See docs/seating.md.
"""

from tournament.pure.arrangement.costs import (
    RULES,
    PastRound,
    SeatingError,
    SeatingPlayer,
    SeatingProblem,
    SeatingRules,
    Tables,
    table_sizes,
)
from tournament.pure.arrangement.lots import compute_commitment, draw_key, read_problem
from tournament.pure.arrangement.partners import partner_rounds
from tournament.pure.arrangement.quality import compute_costs, evaluate_seating
from tournament.pure.arrangement.reasons import explain_seat
from tournament.pure.arrangement.repairs import Repair, repair_seating
from tournament.pure.arrangement.rounds import Seating, seat_round
from tournament.pure.arrangement.stored_seating import AcceptedViolations, RoundSeating
