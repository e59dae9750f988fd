"""The effect of entering or undoing the finishing order of a play-off hand."""

from django.utils.translation import gettext as _

from tournament.advancing.services import decide_next_round
from tournament.corrections.dry_run import Consequences, TrialAction, trial
from tournament.models import Round, Stage
from tournament.pure.words import join_words
from tournament.results.queries import event_of
from tournament.results.stages import stage_results
from tournament.stages.cut import CutRule, compute_cut, rule_of


def preview_order(scope: Stage | Round, rule: CutRule | None, action: TrialAction) -> Consequences:
    """Return the effect of entering or undoing an order with `action`.

    Raises RefusedError like `action`.
    """
    with trial(event_of(scope)) as event:
        before, drafts = _find_certain_qualifiers(scope, rule), _list_drafts(scope)
        action(event)
        scope.refresh_from_db()
        after = _find_certain_qualifiers(scope, rule)
    added = [name for pk, name in after.items() if pk not in before]
    removed = [name for pk, name in before.items() if pk not in after]
    sentences = []
    if added:
        sentences.append(
            _("Players who would advance: {names}.").format(names=join_words(sorted(added)))
        )
    if removed:
        sentences.append(
            _("Players who would not advance: {names}.").format(names=join_words(sorted(removed)))
        )
    text = _("The draft of {round} will be discarded.")
    return Consequences([*sentences, *(text.format(round=draft) for draft in drafts)], [])


def _find_certain_qualifiers(scope: Stage | Round, rule: CutRule | None) -> dict[int, str]:
    """Return the names of players who are certain to advance, by registration key."""
    if isinstance(scope, Round):
        decisions = decide_next_round(scope)[0].decisions
    else:
        decisions = compute_cut(stage_results(scope), rule or rule_of(scope)).decisions
    return {each.player: each.name for each in decisions if each.through}


def _list_drafts(scope: Stage | Round) -> list[str]:
    """Return the titles of later rounds' drafts. They are based on the earlier order."""
    if isinstance(scope, Stage):
        return []
    return [str(later) for later in scope.stage.rounds.filter(number__gt=scope.number)]
