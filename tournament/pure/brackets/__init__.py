"""Brackets of tables, as pure functions without storage."""

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
    draw,
    next_round,
    plan,
    plan_round,
    plan_tables,
)
