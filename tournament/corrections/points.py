"""Effect of changing the points at a table.

It covers the table's winner, the ranks, the players who advance and the event's winner.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.advancing.services import going_on
from tournament.common.refusals import RefusedError
from tournament.corrections.dry_run import Consequences, Deed, exchange, list_moved, trial
from tournament.models import Event, Qualifier, Round, Stage, Table, User
from tournament.pure import brackets
from tournament.pure.qualifying import Decision, RuleError
from tournament.pure.words import join_words
from tournament.results.queries import TableResult
from tournament.results.services import enter_result
from tournament.results.stages import StageResults, stage_results
from tournament.stages.cut import cut, proposed_rule, rule_text
from tournament.stages.outdated_cuts import find_cut_mismatch
from tournament.stages.places import places
from tournament.stages.walkover import last_player
from tournament.stages.winners import is_decided, winner_by


@dataclass(frozen=True)
class _TrialOutcomes:
    """All outcomes of the event, with the current and with the new points of the table."""

    event: Event
    table: Table
    both: tuple[StageResults, StageResults]

    @property
    def stage(self) -> tuple[StageResults, StageResults]:
        """Outcomes of the table's stage."""
        before, after = (found.for_stage(self.table.round.stage) for found in self.both)
        return before, after

    @property
    def own(self) -> tuple[TableResult, TableResult]:
        """Outcomes of the table itself."""
        before, after = (found.for_table(self.table) for found in self.both)
        return before, after


def preview_result(
    table: Table, actor: User, points: Sequence[int], reason: str = "", *, override: bool = False
) -> Consequences:
    """Return the effect of entering these points.

    Raises RefusedError as `enter_result` does.
    """
    return preview_points(
        table, lambda _event: enter_result(table, actor, points, reason, override=override)
    )


def preview_points(table: Table, do: Deed) -> Consequences:
    """Return the effect of a change to the table's points.

    Raises RefusedError as `do` does.
    """
    with trial(table.round.stage.event) as event:
        before = stage_results(event)
        do(event)
        tried = _TrialOutcomes(event, table, (before, stage_results(event)))
        old, new = tried.stage
        sentences = [
            *_describe_table_winner(tried),
            *_describe_event_winner(tried),
            *_describe_who_advances(tried),
        ]
        return Consequences(
            sentences, list_moved(places(old), places(new)), _list_changed_points(tried)
        )


def _list_changed_points(tried: _TrialOutcomes) -> list[tuple[str, int | None, int | None]]:
    before, after = map(_list_points_by_seat, tried.own)
    return list(zip([str(seat) for seat in tried.own[1].seats], before, after, strict=True))


def _list_points_by_seat(result: TableResult) -> Sequence[int | None]:
    return result.points or [None] * len(result.seats)


def _describe_table_winner(tried: _TrialOutcomes) -> list[str]:
    old, new = map(_list_winner_names, tried.own)
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
    return [str(result.seats[number]) for number in result.winners] if result.final else []


def _describe_event_winner(tried: _TrialOutcomes) -> list[str]:
    left = last_player(tried.both[1])
    if left or not (tried.table.round.is_final or is_decided(tried.event, left)):
        return []
    old, new = map(winner_by, tried.both)
    if new is None or (old and old.shared == new.shared):
        return []
    told = _("{names} would win the event.").format(names=new.name)
    if old:
        text = _("{names} would win the event instead of {others}.")
        told = text.format(names=new.name, others=old.name)
    if tried.event.state == Event.State.FINISHED:
        at_once = _("The winner has been announced, so everyone would see the change immediately.")
        return [f"{told} {at_once}"]
    return [told]


def _describe_who_advances(tried: _TrialOutcomes) -> list[str]:
    stage = tried.table.round.stage
    if stage.format == Stage.Format.BRACKET:
        return _describe_bracket(tried)
    following = Qualifier.objects.filter(stage__event=tried.event, active=True)
    try:
        if following.filter(stage__number=stage.number + 1).exists():
            return _describe_stored_cut(tried)
        return _describe_coming_cut(tried)
    except RuleError as error:
        return [_("It is unclear who would advance: {reason}").format(reason=error)]


def _describe_stored_cut(tried: _TrialOutcomes) -> list[str]:
    """Describe which players of the next stage would not have advanced, and who would have.

    The next stage itself stays unchanged.
    """
    found = find_cut_mismatch(tried.stage[1])
    return _describe_exchanges(
        (found.surplus, found.missing) if found else ((), ()),
        _("{name} would not have advanced."),
        _("{name} would have advanced."),
        _("The next stage will not change. To redraw it, reopen this stage."),
    )


def _describe_coming_cut(tried: _TrialOutcomes) -> list[str]:
    rule = proposed_rule(tried.stage[0])
    old, new = (_list_advancing(cut(results, rule).decisions) for results in tried.stage)
    text = _("This is based on the current rule: {rule}.").format(rule=rule_text(rule))
    lost, won = _("{name} would not advance."), _("{name} would advance.")
    return _describe_exchanges(exchange(old, new), lost, won, text)


def _describe_bracket(tried: _TrialOutcomes) -> list[str]:
    played = tried.table.round
    if played.is_final:
        return []
    old, new = (_find_advancing(played, results) for results in tried.stage)
    more = ""
    if played.stage.rounds.filter(number=played.number + 1).exists():
        more = _(
            "The next round has already been drawn and will not change automatically. "
            "You will be asked to redraw it, or to say why it stays."
        )
    lost, won = _("{name} would be eliminated."), _("{name} would not be eliminated.")
    return _describe_exchanges(exchange(old, new), lost, won, more)


def _find_advancing(round_: Round, results: StageResults) -> dict[int, str]:
    try:
        found = [at for at in results.tables if at.table.round_id == round_.pk]
        return _list_advancing(going_on(round_, found)[0].decisions)
    except (RefusedError, brackets.BracketError):
        return {}


def _list_advancing(decisions: Iterable[Decision]) -> dict[int, str]:
    """Map the registrations of players who advance to their names."""
    return {d.player: d.name for d in decisions if d.through}


def _describe_exchanges(
    names: tuple[Iterable[object], Iterable[object]], lost: str, won: str, more: str
) -> list[str]:
    """Return a sentence about each player who drops out or comes in, followed by `more`."""
    gone, came = names
    told = [*(lost.format(name=one) for one in gone), *(won.format(name=one) for one in came)]
    return [*told, more] if told and more else told
