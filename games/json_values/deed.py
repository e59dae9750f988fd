"""An action at a table together with its author.

This module is pure.
"""

from dataclasses import dataclass

from games.rules.actions.actions import Action
from games.seats import PlayerIndex


@dataclass(frozen=True, slots=True)
class Deed:
    """An action of a player of the hand.

    `auto` says who or what acted for the player (see LoggedAction).
    """

    player: PlayerIndex
    action: Action
    client_id: str = ""
    auto: str = ""
