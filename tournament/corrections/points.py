"""The effect of changed points at a table.

It includes the table's winner, the ranks, the advancing players and the event's winner.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.advancing.services import decide_next_round
from tournament.common.refusals import RefusedError
from tournament.corrections.dry_run import (
    Consequences,
    TrialAction,
    compare_players,
    describe_new_winner,
    list_rank_changes,
    trial,
)
from tournament.models import Event, Qualifier, Round, Stage, Table, User
from tournament.pure import brackets
from tournament.pure.qualifying import Decision, RuleError
from tournament.pure.words import join_words
from tournament.results.services import enter_result
from tournament.results.stages import StageResults, stage_results
from tournament.results.table_result import TableResult
from tournament.stages.cut import compute_cut, propose_rule, rule_text
from tournament.stages.outdated_cuts import find_cut_mismatch
from tournament.stages.places import places
from tournament.stages.walkover import find_sole_player_in
from tournament.stages.winners import find_winner, is_decided


@dataclass(frozen=True)
class _TrialOutcomes:
    """The results of the event before and after the change of the table's points."""

    event: Event
    table: Table
    both: tuple[StageResults, StageResults]

    @property
    def stage(self) -> tuple[StageResults, StageResults]:
        """The results of the table's stage, before and after the change."""
        before, after = (results.for_stage(self.table.round.stage) for results in self.both)
        return before, after

    @property
    def table_results(self) -> tuple[TableResult, TableResult]:
        """The results of the table, before and after the change."""
        before, after = (results.for_table(self.table) for results in self.both)
        return before, after


def preview_result(
    table: Table, actor: User, points: Sequence[int], reason: str = "", *, override: bool = False
) -> Consequences:
    """Return the effect of entering these points. Raises RefusedError like `enter_result`."""
    return preview_points(
        table, lambda _event: enter_result(table, actor, points, reason, override=override)
    )


def preview_points(table: Table, action: TrialAction) -> Consequences:
    """Return the effect of changing the table's points with `action`.

    Raises RefusedError like `action`.
    """
    with trial(table.round.stage.event) as event:
        before = stage_results(event)
        action(event)
        outcomes = _TrialOutcomes(event, table, (before, stage_results(event)))
        old, new = outcomes.stage
        sentences = [
            *_describe_table_winner(outcomes),
            *_describe_event_winner(outcomes),
            *_describe_advancing_players(outcomes),
        ]
        return Consequences(
            sentences, list_rank_changes(places(old), places(new)), _list_changed_points(outcomes)
        )


def _list_changed_points(outcomes: _TrialOutcomes) -> list[tuple[str, int | None, int | None]]:
    before, after = map(_list_points_by_seat, outcomes.table_results)
    return list(
        zip([str(seat) for seat in outcomes.table_results[1].seats], before, after, strict=True)
    )


def _list_points_by_seat(result: TableResult) -> Sequence[int | None]:
    return result.points or [None] * len(result.seats)


def _describe_table_winner(outcomes: _TrialOutcomes) -> list[str]:
    old, new = map(_list_winner_names, outcomes.table_results)
    if old == new:
        return []
    if not old:
        text = _("{names} would win the table.")
    elif not new:
        text = _("The table would have no result, so {others} would no longer win it.")
    else:
        text = _("{names} would win the table instead of {others}.")
    return [text.format(names=join_words(new), others=join_words(old))]


def _list_winner_names(result: TableResult) -> list[str]:
    return [str(result.seats[number]) for number in result.table_winners] if result.final else []


def _describe_event_winner(outcomes: _TrialOutcomes) -> list[str]:
    sole_player = find_sole_player_in(outcomes.both[1])
    if sole_player or not (
        outcomes.table.round.is_final or is_decided(outcomes.event, sole_player)
    ):
        return []
    return describe_new_winner(outcomes.event, *map(find_winner, outcomes.both))


def _describe_advancing_players(outcomes: _TrialOutcomes) -> list[str]:
    stage = outcomes.table.round.stage
    if stage.format == Stage.Format.BRACKET:
        return _describe_bracket(outcomes)
    following = Qualifier.objects.filter(stage__event=outcomes.event, active=True)
    try:
        if following.filter(stage__number=stage.number + 1).exists():
            return _describe_stored_cut(outcomes)
        return _describe_future_cut(outcomes)
    except RuleError as error:
        return [_("It is unclear who would advance: {reason}").format(reason=error)]


def _describe_stored_cut(outcomes: _TrialOutcomes) -> list[str]:
    """Describe which players of the next stage would not have advanced, and who would have.

    The next stage itself is not changed.
    """
    mismatch = find_cut_mismatch(outcomes.stage[1])
    return _describe_exchanged_players(
        (mismatch.surplus, mismatch.missing) if mismatch else ((), ()),
        _("{name} would not have advanced."),
        _("{name} would have advanced."),
        _("The next stage will not change. To redraw it, reopen this stage."),
    )


def _describe_future_cut(outcomes: _TrialOutcomes) -> list[str]:
    rule = propose_rule(outcomes.stage[0])
    old, new = (
        _get_advancing_names(compute_cut(results, rule).decisions) for results in outcomes.stage
    )
    text = _("This is based on the current rule: {rule}.").format(rule=rule_text(rule))
    lost, won = _("{name} would not advance."), _("{name} would advance.")
    return _describe_exchanged_players(compare_players(old, new), lost, won, text)


def _describe_bracket(outcomes: _TrialOutcomes) -> list[str]:
    played = outcomes.table.round
    if played.is_final:
        return []
    old, new = (_find_advancing_players(played, results) for results in outcomes.stage)
    note = ""
    if played.stage.rounds.filter(number=played.number + 1).exists():
        note = _(
            "The next round has already been drawn and will not change automatically. "
            "You will be asked to redraw it, or to say why it stays."
        )
    lost, won = _("{name} would be eliminated."), _("{name} would not be eliminated.")
    return _describe_exchanged_players(compare_players(old, new), lost, won, note)


def _find_advancing_players(round_: Round, results: StageResults) -> dict[int, str]:
    try:
        round_results = [result for result in results.tables if result.table.round_id == round_.pk]
        return _get_advancing_names(decide_next_round(round_, round_results)[0].decisions)
    except (RefusedError, brackets.BracketError):
        return {}


def _get_advancing_names(decisions: Iterable[Decision]) -> dict[int, str]:
    """Return the names of the advancing players, by registration key."""
    return {decision.player: decision.name for decision in decisions if decision.through}


def _describe_exchanged_players(
    names: tuple[Iterable[object], Iterable[object]], lost: str, won: str, note: str
) -> list[str]:
    """Return a sentence for each removed player and each added player, then `note`."""
    removed, added = names
    sentences = [
        *(lost.format(name=name) for name in removed),
        *(won.format(name=name) for name in added),
    ]
    return [*sentences, note] if sentences and note else sentences
