"""What live play stores."""

from games.models.people import Reaction
from games.models.play import Hand, LoggedAction, Match, Seat, new_public_id
from games.models.review import Review
from games.models.serving import Beat, Outage, RoundTrip, Sample, SampledFigures
