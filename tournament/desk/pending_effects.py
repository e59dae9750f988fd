"""Detection of pending steps that may change the players of a round.

Each step is run as a trial to see whether other players would enter the round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, permutations

from tournament.advancing.services import decide_next_round
from tournament.common.refusals import RefusedError
from tournament.corrections.dry_run import trial
from tournament.desk.steps import kind_of, request_of
from tournament.models import Proposal, Qualifier, Round, Stage
from tournament.pure.qualifying import RuleError
from tournament.results.stages import stage_results
from tournament.stages.cut import cut, rule_of

Kind = Proposal.Kind
# These change only points; all other steps change who advances, or reopen a round.
TRIED = {Kind.RESULT, Kind.UNDO, Kind.RULING, Kind.RULING_OFF}
# More steps could be confirmed in too many orders to try them all.
MOST_AT_ONCE = 3


def find_unsettling(round_: Round, waiting: Sequence[Proposal]) -> Proposal | None:
    """Return the first pending step that could change the players of the round.

    Steps are tried separately and in combination with others.
    """
    if untried := [each for each in waiting if each.kind not in TRIED]:
        return untried[0]
    before = _find_sources(round_)
    for confirmed in _iterate_orders(waiting):
        if before is None or _has_other_players(round_, confirmed, before):
            return confirmed[0]
    return waiting[0] if len(waiting) > MOST_AT_ONCE else None


def _iterate_orders(waiting: Sequence[Proposal]) -> Iterator[Sequence[Proposal]]:
    """Iterate over the orders in which pending steps may be confirmed, single steps first."""
    most = len(waiting) if len(waiting) <= MOST_AT_ONCE else 1
    return chain.from_iterable(permutations(waiting, count) for count in range(1, most + 1))


def _has_other_players(round_: Round, confirmed: Sequence[Proposal], before: "_Sources") -> bool:
    """Return whether the round would get other players if these steps were confirmed in order.

    A single step that is not possible now counts, since it may become possible later. A step
    that is not possible after another one does not count, since it would not be done.
    """
    try:
        with trial(round_.stage.event) as event:
            for proposal in confirmed:
                step, deed = kind_of(proposal).step, replace(request_of(proposal), event=event)
                step.check(deed)
                step.do(deed)
            return _find_sources(round_) != before
    except RefusedError:
        return len(confirmed) == 1


@dataclass(frozen=True)
class _Sources:
    """Facts that determine a round's seats.

    `earlier` has the players who advanced from each earlier cut or bracket round. `last` has
    the players from the latest one; in a bracket, they are ordered with the best first. Where
    everyone in a stage plays on, the order has no effect. `playing` has the players of each
    stage.
    """

    earlier: Sequence[frozenset[int]]
    last: frozenset[int] | tuple[int, ...]
    playing: frozenset[tuple[int, int]]


def _find_sources(round_: Round) -> _Sources | None:
    """Return the facts that determine the round's seats, or None if they cannot be found."""
    try:
        *earlier, last = _iterate_sources(round_)
    except (RefusedError, RuleError):
        return None
    ordered = round_.stage.format == Stage.Format.BRACKET
    rows = Qualifier.objects.filter(stage__event=round_.stage.event_id, active=True)
    return _Sources(
        [frozenset(each) for each in earlier],
        last if ordered else frozenset(last),
        frozenset(rows.values_list("stage", "registration")),
    )


def _iterate_sources(round_: Round) -> Iterator[tuple[int, ...]]:
    """Yield the players who advance from each cut and each bracket round before this one.

    Raises RuleError or Refused.
    """
    stage = round_.stage
    for cutting in Stage.objects.filter(event=stage.event_id, number__lt=stage.number):
        yield _list_advanced(cutting)
    if stage.format == Stage.Format.BRACKET:
        earlier = Round.objects.filter(stage=stage, number__lt=round_.number)
        for each in earlier.select_related("stage__event").order_by("number"):
            yield decide_next_round(each)[0].seeds


def _list_advanced(stage: Stage) -> tuple[int, ...]:
    following = Qualifier.objects.filter(
        stage__event=stage.event_id, stage__number=stage.number + 1
    )
    staying = following.values_list("registration_id", flat=True)
    return cut(stage_results(stage), rule_of(stage), staying=set(staying)).through
