"""Where an event stands on its way from the list to the winner."""

from dataclasses import dataclass

from tournament.models import Event


@dataclass(frozen=True)
class Step:
    """`key` names the step, `state` is done, now or later; `text` says where it stands."""

    key: str
    title: str
    text: str
    state: str


def desk(event: Event) -> list[Step]:
    """The steps of the event's day, exactly one of them `now` unless all are done."""
    raise NotImplementedError
