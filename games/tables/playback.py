"""Replay of a hand from its deck and the recorded random results.

The functions raise one of REPLAY_ERRORS if the log does not fit the rules, for example because the
database was edited.
"""

from collections.abc import Iterator

from games.models import Hand, LoggedAction
from games.rules.actions.actions import Action, IllegalActionError
from games.rules.chance import RecordedChance
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RuleSet

# ValueError covers different random results, missing or unknown cards, and invalid actions.
REPLAY_ERRORS = (ValueError, IllegalActionError)


def start_position(hand: Hand, rules: RuleSet) -> Position:
    """Return the position of the hand right after its deal."""
    dealer = hand.players.index(hand.dealing)
    chance = RecordedChance(hand.opening["chance"], rules.pack)
    return Position.deal(rules, len(hand.players), dealer, hand.deck, chance)


def apply_action(position: Position, action: LoggedAction) -> None:
    """Apply a logged action to the position in place."""
    move = Action.from_json(action.action)
    chance = RecordedChance(action.chance, position.rs.pack)
    position.apply(action.player, move, chance, action.at.timestamp())


def positions(hand: Hand) -> Iterator[tuple[LoggedAction | None, Position]]:
    """Yield the position after the deal and after each action.

    Always yields the same object, which is changed in place.
    """
    position = start_position(hand, rulesets.make(hand.match.ruleset, hand.match.options))
    yield None, position
    for action in hand.actions.order_by("number"):
        apply_action(position, action)
        yield action, position
