"""Models of live play."""

from games.models.actions import LoggedAction
from games.models.people import Reaction
from games.models.play import Hand, Match, Seat, new_public_id
from games.models.review import Review
from games.models.serving import Beat, Outage, RoundTrip, Sample, SampledFigures, ViewerCount
