"""The one way in which a service says no."""

from collections.abc import Iterator
from contextlib import contextmanager

from games import services as games


class Refused(Exception):
    """Nothing was changed. `code` is stable; `message` is a sentence for the person who asked."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@contextmanager
def refused_by_play() -> Iterator[None]:
    """What live play refuses inside is refused here, with its code and sentence."""
    try:
        yield
    except games.Refused as refused:
        raise Refused(refused.code, refused.sentence) from None
