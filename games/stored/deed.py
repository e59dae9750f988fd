"""What is done at a table, before and after it counts. Pure."""

from dataclasses import dataclass

from games.rules.actions.actions import Action
from games.seats import PlayerIndex


@dataclass(frozen=True, slots=True)
class Deed:
    """What a player of a hand does. `auto` says who acted for the player (see LoggedAction)."""

    player: PlayerIndex
    action: Action
    client_id: str = ""
    auto: str = ""
