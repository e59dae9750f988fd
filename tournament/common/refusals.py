"""The exception that services raise to refuse a request, and common checks."""

from games.services import RefusedError
from tournament.models import Round
from tournament.pure.codes import Code

__all__ = ["RefusedError", "check_reason", "check_state"]


def check_reason(reason: str, explanation: str) -> None:
    """Refuse an action without a reason.

    `explanation` is the message that asks for the reason.

    Raises RefusedError with the code `no-reason`.
    """
    if not reason.strip():
        raise RefusedError(Code.NO_REASON, explanation)


def check_state(round_: Round, state: str, text: str) -> None:
    """Refuse the action unless the round is in this state.

    `text` may contain the placeholders {round} and {state}.

    Raises RefusedError with the code `state`.
    """
    if round_.state != state:
        message = text.format(round=round_, state=round_.get_state_display())
        raise RefusedError(Code.STATE, message)
