"""Keeping a cut that no longer matches the corrected results."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import Event, LogAction, User
from tournament.oversight.audit import record
from tournament.pure.codes import Code
from tournament.stages.outdated_cuts import outdated_cut


@transaction.atomic
def keep_outdated_cut(
    event: Event, actor: User, expected: Mapping[str, Sequence[int]], reason: str
) -> None:
    """Keep a cut although other players would advance by the corrected results.

    `expected` is the mismatch that the page showed (`OutdatedCut.facts`). Raises RefusedError with
    the code `no-reason` or `changed`.
    """
    event = lock_event(event)
    check_reason(reason, _("Say why the cut is being left as it is. Everyone can see the reason."))
    outdated = outdated_cut(event)
    if outdated is None or outdated.facts != expected:
        raise RefusedError(
            Code.CHANGED,
            _("The results have changed since you opened this page. Review the results again."),
        )
    text = translate_later(
        gettext_noop("Left the cut after {stage} unchanged."), stage=outdated.stage
    )
    record(
        event,
        actor,
        LogAction.CUT_LEFT,
        text,
        reason,
        stage=outdated.stage.number,
        **outdated.facts,
    )
