"""What waits and may change who sits in a round: it is tried, and seen who would come into it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, permutations

from tournament.advancing.services import going_on
from tournament.common.refusals import Refused
from tournament.corrections.trials import trial
from tournament.desk.steps import STEPS, request_of
from tournament.models import Proposal, Qualifier, Round, Stage
from tournament.oversight.second_person import RULING, RULING_OFF
from tournament.results.services import RESULT, UNDO
from tournament.results.stages import stage_results
from tournament.stages.cut import cut, rule_of
from tournament.stages.qualifying import RuleError

# What changes points alone. All else that waits changes who plays on, or opens a round again.
TRIED = {RESULT.kind, UNDO.kind, RULING, RULING_OFF}
# With more at once there are too many orders in which they may be confirmed.
MOST_AT_ONCE = 3


def find_unsettling(played: Round, waiting: Sequence[Proposal]) -> Proposal | None:
    """The first of what waits that could change who sits in the round, alone or with others."""
    if untried := [each for each in waiting if each.kind not in TRIED]:
        return untried[0]
    before = _find_sources(played)
    for confirmed in _iterate_orders(waiting):
        if before is None or _has_other_players(played, confirmed, before):
            return confirmed[0]
    return waiting[0] if len(waiting) > MOST_AT_ONCE else None


def _iterate_orders(waiting: Sequence[Proposal]) -> Iterator[Sequence[Proposal]]:
    """What may be confirmed, in which order: one alone at first."""
    most = len(waiting) if len(waiting) <= MOST_AT_ONCE else 1
    return chain.from_iterable(permutations(waiting, count) for count in range(1, most + 1))


def _has_other_players(played: Round, confirmed: Sequence[Proposal], before: "_Sources") -> bool:
    """Whether others would come into the round. What cannot be done now may be possible later;
    what cannot be done after another is not done with it."""
    try:
        with trial(played.stage.event) as event:
            for proposal in confirmed:
                step, deed = STEPS[proposal.kind], replace(request_of(proposal), event=event)
                step.check(deed)
                step.do(deed)
            return _find_sources(played) != before
    except Refused:
        return len(confirmed) == 1


@dataclass(frozen=True)
class _Sources:
    """What a round's seats follow from: who has come from each cut and bracket round before it,
    and in which order (best first) from the `last`; who plays in which stage.

    Where everybody of a stage plays on, the order says nothing.
    """

    earlier: Sequence[frozenset[int]]
    last: frozenset[int] | tuple[int, ...]
    playing: frozenset[tuple[int, int]]


def _find_sources(played: Round) -> _Sources | None:
    """None where that cannot be told."""
    try:
        *earlier, last = _iterate_sources(played)
    except (Refused, RuleError):
        return None
    ordered = played.stage.format == Stage.Format.BRACKET
    rows = Qualifier.objects.filter(stage__event=played.stage.event_id, active=True)
    return _Sources(
        [frozenset(each) for each in earlier],
        last if ordered else frozenset(last),
        frozenset(rows.values_list("stage", "registration")),
    )


def _iterate_sources(played: Round) -> Iterator[tuple[int, ...]]:
    """Raises RuleError or Refused."""
    stage = played.stage
    for cutting in Stage.objects.filter(event=stage.event_id, number__lt=stage.number):
        yield _list_advanced(cutting)
    if stage.format == Stage.Format.BRACKET:
        earlier = Round.objects.filter(stage=stage, number__lt=played.number)
        for each in earlier.select_related("stage__event").order_by("number"):
            yield going_on(each)[0].seeds


def _list_advanced(stage: Stage) -> tuple[int, ...]:
    following = Qualifier.objects.filter(
        stage__event=stage.event_id, stage__number=stage.number + 1
    )
    staying = following.values_list("registration_id", flat=True)
    return cut(stage_results(stage), rule_of(stage), staying=set(staying)).through
