"""Reactions that players may send each other: faces and "good game", but never free text."""

from typing import Literal, TypedDict, get_args

Shown = Literal["smile", "laugh", "wow", "sad", "cross", "think", "clap", "heart", "good-game"]
REACTIONS: tuple[str, ...] = get_args(Shown)


class React(TypedDict):
    """A player's request to show a reaction at the table."""

    type: Literal["react"]
    id: str
    shown: str


class Reacted(TypedDict):
    """Notice that a seat has just shown a reaction.

    It is sent to all windows that show the table without a delay.
    """

    type: Literal["reacted"]
    seat: int
    shown: Shown
