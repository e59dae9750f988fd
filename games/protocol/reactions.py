"""Reactions that players may show each other: faces and "good game", never free text."""

from typing import Literal, TypedDict, get_args

Shown = Literal["smile", "laugh", "wow", "sad", "cross", "think", "clap", "heart", "good-game"]
REACTIONS: tuple[str, ...] = get_args(Shown)


class React(TypedDict):
    """From a player: show this to the table."""

    type: Literal["react"]
    id: str
    shown: str


class Reacted(TypedDict):
    """To everybody who sees the table as it is: this seat has just shown it."""

    type: Literal["reacted"]
    seat: int
    shown: Shown
