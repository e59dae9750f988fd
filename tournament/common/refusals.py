"""Refusals: the exception with which services refuse a request."""

from games.services import RefusedError
from tournament.models import Round
from tournament.pure.codes import Code

__all__ = ["RefusedError", "check_reason", "check_state"]


def check_reason(reason: str, explanation: str) -> None:
    """Check that a reason was given; `explanation` is the message that asks for one.

    Refused with: no-reason.
    """
    if not reason.strip():
        raise RefusedError(Code.NO_REASON, explanation)


def check_state(round_: Round, state: str, text: str) -> None:
    """Refuse unless the round is in this state; `text` has {round} and {state}."""
    if round_.state != state:
        told = text.format(round=round_, state=round_.get_state_display())
        raise RefusedError(Code.STATE, told)
