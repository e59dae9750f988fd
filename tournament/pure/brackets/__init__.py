"""Brackets of tables: their rounds, draws and advancing players."""

from tournament.pure.brackets.ahead import (
    BYE,
    FILL,
    SEED,
    Slot,
    Slots,
    first_tables,
    tables_after,
)
from tournament.pure.brackets.plans import (
    BracketDraw,
    BracketError,
    NextRound,
    RoundPlan,
    Shape,
    draw_tables,
    plan_bracket,
    plan_round,
    plan_tables,
    seed_next_round,
)
