"""Brackets of tables: pure, nothing is stored."""

from tournament.stages.brackets.ahead import (
    BYE,
    FILL,
    SEED,
    Slot,
    Slots,
    first_tables,
    tables_after,
)
from tournament.stages.brackets.plans import (
    BracketDraw,
    BracketError,
    NextRound,
    RoundPlan,
    Shape,
    draw,
    next_round,
    plan,
    plan_round,
    plan_tables,
)
