"""Ready-made formats: the stages of an event, and how each stage is played."""

from tournament.pure.formats.counts import count_rotation_rounds, count_rounds
from tournament.pure.formats.ready import LATER, READY, USUAL
from tournament.pure.formats.sentences import (
    describe_limits,
    describe_winning,
    format_clauses,
    match_clauses,
    summarize_stages,
)
from tournament.pure.formats.shapes import MatchPlan, ReadyFormat, StagePlan, StageShape
