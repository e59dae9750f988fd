"""Brackets of tables: pure, nothing is stored."""

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
    "BracketError",
    "Draw",
    "NextRound",
    "RoundPlan",
    "Shape",
    "draw",
    "next_round",
    "plan",
    "plan_round",
    "plan_tables",
]
