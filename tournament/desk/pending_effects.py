"""Finding pending requests that may change the players of a round.

Requests are confirmed in a transaction that is rolled back. If other players would then enter the
round, the request may change its players.
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
from tournament.stages.cut import compute_cut, rule_of

Kind = Proposal.Kind
# These kinds change only points, so a trial shows their effect. All others change who advances, or
# reopen a round.
TRIED_KINDS = {Kind.RESULT, Kind.UNDO, Kind.RULING, Kind.RULING_OFF}
# More requests than this have too many possible orders to try them all.
MAX_COMBINED = 3


def find_proposal_changing_players(round_: Round, waiting: Sequence[Proposal]) -> Proposal | None:
    """Return the first pending request that could change the players of the round, or None.

    Requests are tried separately and in every order, because one may depend on another.
    """
    if untried := [each for each in waiting if each.kind not in TRIED_KINDS]:
        return untried[0]
    before = _compute_sources(round_)
    for confirmed in _iterate_orders(waiting):
        if before is None or _has_other_players(round_, confirmed, before):
            return confirmed[0]
    return waiting[0] if len(waiting) > MAX_COMBINED else None


def _iterate_orders(waiting: Sequence[Proposal]) -> Iterator[Sequence[Proposal]]:
    """Yield each possible sequence of confirmed requests, single requests first."""
    most = len(waiting) if len(waiting) <= MAX_COMBINED else 1
    return chain.from_iterable(permutations(waiting, count) for count in range(1, most + 1))


def _has_other_players(round_: Round, confirmed: Sequence[Proposal], before: "_Sources") -> bool:
    """Return whether confirming these requests in order would change the round's players.

    A single request that is impossible now counts as a change, because it may become possible
    later. A sequence in which one request makes another impossible does not count.
    """
    try:
        with trial(round_.stage.event) as event:
            for proposal in confirmed:
                step, trial_request = (
                    kind_of(proposal).step,
                    replace(request_of(proposal), event=event),
                )
                step.check(trial_request)
                step.do(trial_request)
            return _compute_sources(round_) != before
    except RefusedError:
        return len(confirmed) == 1


@dataclass(frozen=True)
class _Sources:
    """Facts that determine a round's seats.

    * `earlier`: the players who advanced from each cut and bracket round except the latest.
    * `last`: the players who advanced from the latest cut or bracket round. In a bracket, they are
      listed best first. In other stages, their order has no effect.
    * `playing`: (stage, registration) for all qualifiers who are still in the event.
    """

    earlier: Sequence[frozenset[int]]
    last: frozenset[int] | tuple[int, ...]
    playing: frozenset[tuple[int, int]]


def _compute_sources(round_: Round) -> _Sources | None:
    """Return the facts that determine the round's seats, or None if they cannot be computed."""
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
    """Yield the players who advance from each cut and bracket round before this round.

    Raises RuleError or RefusedError.
    """
    stage = round_.stage
    for cutting in Stage.objects.filter(event=stage.event_id, number__lt=stage.number):
        yield _list_advanced_players(cutting)
    if stage.format == Stage.Format.BRACKET:
        earlier = Round.objects.filter(stage=stage, number__lt=round_.number)
        for each in earlier.select_related("stage__event").order_by("number"):
            yield decide_next_round(each)[0].seeds


def _list_advanced_players(stage: Stage) -> tuple[int, ...]:
    following = Qualifier.objects.filter(
        stage__event=stage.event_id, stage__number=stage.number + 1
    )
    staying = following.values_list("registration_id", flat=True)
    return compute_cut(stage_results(stage), rule_of(stage), staying=set(staying)).through
