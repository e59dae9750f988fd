"""Check of a match's log after a fault."""

from games.models import Hand, Match
from games.tables.playback import positions


def check_log(match: Match) -> None:
    """Check that the log has no gaps and that replaying it leads to the stored state."""
    stored = Match.objects.get(pk=match.pk)
    for hand in Hand.objects.filter(match=match, dealt_at__isnull=False):
        numbers = list(hand.actions.order_by("number").values_list("number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))
        *_, (_, position) = positions(hand)
        assert position.to_json() == (hand.final or stored.state.position)
