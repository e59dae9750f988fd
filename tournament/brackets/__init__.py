"""Brackets of tables: pure, nothing is stored."""

from tournament.brackets.ahead import BYE, FILL, SEED, Slot, Slots, first_tables, tables_after
from tournament.brackets.plans import (
    BracketError,
    Draw,
    NextRound,
    RoundPlan,
    Shape,
    draw,
    next_round,
    plan,
    plan_round,
    plan_tables,
)

__all__ = [
    "BYE",
    "FILL",
    "SEED",
    "BracketError",
    "Draw",
    "NextRound",
    "RoundPlan",
    "Shape",
    "Slot",
    "Slots",
    "draw",
    "first_tables",
    "next_round",
    "plan",
    "plan_round",
    "plan_tables",
    "tables_after",
]
