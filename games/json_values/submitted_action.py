"""An action at a table, together with the player who submits it.

This module is pure.
"""

from dataclasses import dataclass

from games.rules.actions.actions import Action
from games.seats import PlayerIndex


@dataclass(frozen=True, slots=True)
class SubmittedAction:
    """An action that a player of the hand submits.

    `auto` is "" if the player acted, and otherwise names who acted instead (see LoggedAction).
    """

    player: PlayerIndex
    action: Action
    client_id: str = ""
    auto: str = ""
