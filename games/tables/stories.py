"""Stories of finished hands and matches, for score sheets and results."""

from collections.abc import Sequence

from games.rules.stories import find_hand_story, find_match_story, story_text
from games.store import Snapshot


def describe_hand(snapshot: Snapshot) -> str:
    """Return the story of the current hand if it is finished and counts, otherwise ""."""
    hand = snapshot.hand
    if hand is None or hand.points is None or hand.void:
        return ""
    log = [action.events for action in snapshot.actions]
    story = find_hand_story(log, len(hand.players))
    return story_text(story, snapshot.names(hand, len(log)))


def describe_match(
    snapshot: Snapshot, points: Sequence[Sequence[int]], winners: Sequence[int]
) -> str:
    """Return the story of a finished match, or of its only hand. Without winners, returns "".

    `points` contains, for each hand of this match, the points by seat.
    """
    hands = [*snapshot.match.before, *points]
    if len(hands) == 1 and winners:
        return describe_hand(snapshot)
    lowest = snapshot.rules.scoring != "winner-takes"
    return story_text(find_match_story(hands, winners, lowest=lowest), snapshot.said)


def find_last_card(snapshot: Snapshot) -> str:
    """Return the name of the picture of the card played last in the current hand, or ""."""
    for action in reversed(snapshot.actions):
        for event in action.events:
            if event["event"] == "played":
                return snapshot.rules.card(event["card"]).art
    return ""
