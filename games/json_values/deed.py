"""An action at a table together with its author.

This module is pure.
"""

from dataclasses import dataclass

from games.rules.actions.actions import Action
from games.seats import PlayerIndex


@dataclass(frozen=True, slots=True)
class Deed:
    """An action of one player of the hand.

    `auto` is empty if the player acted, and otherwise says who acted instead (see LoggedAction).
    """

    player: PlayerIndex
    action: Action
    client_id: str = ""
    auto: str = ""
