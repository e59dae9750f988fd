"""The exception that services raise to refuse a request, and common checks."""

from games.services import RefusedError
from tournament.models import Round
from tournament.pure.codes import Code

__all__ = ["RefusedError", "check_reason", "check_state"]


def check_reason(reason: str, explanation: str) -> None:
    """Check that a reason was given.

    Raises RefusedError with the code `no-reason` and `explanation` as its message.
    """
    if not reason.strip():
        raise RefusedError(Code.NO_REASON, explanation)


def check_state(round_: Round, state: str, text: str) -> None:
    """Check that the round is in this state.

    `text` may have the placeholders {round} and {state}. Raises RefusedError with the code
    `state`.
    """
    if round_.state != state:
        message = text.format(round=round_, state=round_.get_state_display())
        raise RefusedError(Code.STATE, message)
