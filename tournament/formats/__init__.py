"""Ready formats of events: from how many stages an event is made, and how each is played."""

from tournament.formats.ready import LATER, READY, USUAL
from tournament.formats.sentences import summary
from tournament.formats.shapes import ReadyFormat, StagePlan

__all__ = ["LATER", "READY", "USUAL", "ReadyFormat", "StagePlan", "summary"]
