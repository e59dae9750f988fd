"""Ready formats of events: from how many stages an event is made, and how each is played."""

from tournament.events.formats.counts import rotation_rounds, rounds_for
from tournament.events.formats.ready import LATER, READY, USUAL
from tournament.events.formats.sentences import (
    decides,
    ends_text,
    format_clauses,
    match_clauses,
    summary,
)
from tournament.events.formats.shapes import MatchPlan, ReadyFormat, StagePlan, StageShape
