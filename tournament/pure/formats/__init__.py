"""Ready-made event formats: their stages, and how each is played."""

from tournament.pure.formats.counts import rotation_rounds, rounds_for
from tournament.pure.formats.ready import LATER, READY, USUAL
from tournament.pure.formats.sentences import (
    decides,
    ends_text,
    format_clauses,
    match_clauses,
    summary,
)
from tournament.pure.formats.shapes import MatchPlan, ReadyFormat, StagePlan, StageShape
