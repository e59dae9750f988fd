"""Keeping a round's seats although the results on which its draw is based have changed."""

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import LogAction, Round, User
from tournament.oversight.audit import identify_place, record
from tournament.pure.codes import Code
from tournament.stages.outdated_draws import find_outdated_draw


@transaction.atomic
def keep_outdated_draw(round_: Round, actor: User, seen: str, reason: str) -> None:
    """Keep a draw that no longer matches the results, with a public reason.

    `seen` is the version of the mismatch that the page showed. Raises RefusedError with the code
    `no-reason` or `changed`.
    """
    event = lock_event(round_.stage.event, round_)
    check_reason(
        reason, _("Say why the seats are being left as they are. Everyone can see the reason.")
    )
    outdated = find_outdated_draw(round_)
    if outdated is None or outdated.version != seen:
        raise RefusedError(
            Code.CHANGED,
            _("The results have changed since you opened this page. Review the results again."),
        )
    text = translate_later(gettext_noop("Left the seats for {round} unchanged."), round=round_)
    record(
        event, actor, LogAction.DRAW_LEFT, text, reason, **identify_place(round_), **outdated.facts
    )
