"""Each player's place in an event, during the event and at its end.

Only this module decides places. In a bracket, the winner of the final is first, and other players
are ranked by the round in which they were eliminated, then by their place at that table. In a stage
of rounds, the standings decide. Players who did not enter a stage rank behind those who did, by
their results in earlier stages.

Once a bracket round is closed, players with the same place at different tables are ranked in the
seeding order of the next draw. They share a place only if that order does not separate them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from django.utils.translation import gettext as _

from tournament.models import Round, Stage
from tournament.pure.brackets.seed_steps import (
    AHEAD,
    BEHIND,
    DifferenceSentences,
    Key,
    SeedStep,
    explain_difference,
    join_keys,
    make_bye_step,
    make_table_step,
)
from tournament.pure.qualifying import TableOrder
from tournament.pure.ranking import Bot, StandingsRow, Value
from tournament.pure.words import ordinal
from tournament.results.stages import StageResults
from tournament.results.table_result import TableResult
from tournament.stages.walkover import find_sole_player_in

# The sort key of a player's progress. Further progress has a smaller key, so the key begins with
# the negated number of the stage.
SortKey = tuple[int, ...]
# Part of a sort key that is smaller than that of any round.
SOLE_WINNER = -(10**6)


@dataclass
class Progress:
    """A player's progress in the event.

    * `way`: the sort key. It is equal for players who progressed equally far.
    * `points`: the points that decided the progress. In a bracket, those at the last table.
    * `why`: a function that returns the reason for the place.
    * `shared`: a function that returns the reason why the place is shared.
    * `always_explained`: whether the reason is shown regardless of points.
    * `first`: whether the player has won if placed first.
    * `final`: the result of the final in which the player took part, once it is over.
    * `still_in`: whether the player remains in the event after others were eliminated.
    * `awaited`: whether the player is in a final without a known result.
    * `behind`: the better-placed players whom `why` names.
    * `average`: the points per match if these decide, or None.
    * `steps`: the player's seeding keys for the next bracket draw, last round first.
    * `separating_keys`: the seeding keys that separate tied players, or () while a round is open.
    """

    way: SortKey
    points: int
    why: Callable[[], str]
    shared: Callable[[], str] = str
    always_explained: bool = False
    first: bool = False
    final: TableResult | None = None
    still_in: bool = False
    awaited: bool = False
    behind: frozenset[int] = frozenset()
    average: Value = None
    steps: tuple[SeedStep, ...] = ()
    separating_keys: tuple[Key, ...] = ()

    @property
    def tie(self) -> tuple[object, ...]:
        """A key that is equal for players who share a place."""
        return self.way, self.separating_keys


# Not frozen: thousands are created, and a frozen instance takes five times as long to create.
@dataclass(kw_only=True)
class PlayerPlace(Progress):
    """A player's place, with the progress that led to it.

    * `place`: the place, which several players may share.
    * `row`: the player's row in the standings of all rounds.
    * `why_in_list`: like `why`, without the sentence about a shared place.
    """

    place: int
    row: StandingsRow
    why_in_list: Callable[[], str]

    @property
    def player(self) -> int:
        return self.row.player

    @property
    def out(self) -> bool:
        """Whether the player is disqualified and therefore last."""
        return self.row.out

    @property
    def rank(self) -> int | None:
        """The place to publish, or None for a disqualified player."""
        return None if self.out else self.place


def places(results: StageResults, *, provisional: bool = False) -> list[PlayerPlace]:
    """Return the places in an event or one stage, first place first.

    If `provisional`, matches in progress count with their current results.
    """
    rows = results.rows(provisional=provisional)
    stages = list(_iterate_stages(results))
    if is_decided_by_standings(results):
        return [_make_standings_place(row) for row in rows]
    progress = {
        row.player: Progress((0, row.rank), row.points, _make_standings_reason(row)) for row in rows
    }
    for stage in stages:
        progress |= _find_progress(results, stage, progress, provisional=provisional)
    if (sole_player := find_sole_player_in(results)) and sole_player.pk in progress:
        progress[sole_player.pk] = _make_sole_winner(stages[-1], progress[sole_player.pk])
    disqualified = [_make_standings_place(row) for row in rows if row.out]
    return _rank_rows([row for row in rows if not row.out], progress) + disqualified


def _iterate_stages(results: StageResults) -> Iterator[Stage]:
    """Yield the first stage, and each later stage that has begun or has players."""
    if results.stage:
        yield results.stage
        return
    begun = {played.stage_id for played in results.rounds}
    for stage in results.stages:
        if stage.number in (1, results.last_entered_stage) or stage.pk in begun:
            yield stage


def is_decided_by_standings(results: StageResults) -> bool:
    """Return whether all places follow from the standings, as in a single stage of rounds."""
    stages = list(_iterate_stages(results))
    return len(stages) < 2 and all(each.format == Stage.Format.ROUNDS for each in stages)


def _make_standings_place(row: StandingsRow) -> PlayerPlace:
    first = bool(row.played) and not row.out
    why, average = _make_standings_reason(row), _find_deciding_average(row)
    progress = Progress((0, row.rank), row.points, why, first=first, average=average)
    return PlayerPlace(**vars(progress), place=row.rank, row=row, why_in_list=why)


def _find_deciding_average(row: StandingsRow) -> Value:
    return row.value("average") if row.ranked.order[:1] == ("average",) else None


def _make_standings_reason(row: StandingsRow) -> Callable[[], str]:
    return partial(getattr, row, "sentence")


def _rank_rows(rows: Sequence[StandingsRow], progress: Mapping[int, Progress]) -> list[PlayerPlace]:
    """Rank the rows by progress. Players who share a place are sorted by seed, then by name."""

    def compute_key(row: StandingsRow) -> tuple[object, ...]:
        own_progress = progress[row.player]
        return own_progress.way, join_keys(own_progress.steps), row.name.casefold(), row.player

    best_first = sorted(rows, key=compute_key)
    shared = Counter(progress[row.player].tie for row in rows)
    explained = _explain_separations(best_first, progress)
    placed: list[PlayerPlace] = []
    for number, row in enumerate(best_first, 1):
        own_progress = explained.get(row.player) or progress[row.player]
        place = placed[-1].place if placed and placed[-1].tie == own_progress.tie else number
        placed.append(
            _make_player_place(place, row, own_progress, alone=shared[own_progress.tie] == 1)
        )
    return placed


def _explain_separations(
    best_first: Sequence[StandingsRow], progress: Mapping[int, Progress]
) -> dict[int, Progress]:
    """Return the progress of players who are separated across tables, with the reason added."""
    explained: dict[int, Progress] = {}
    for _way, level in groupby(best_first, key=lambda row: progress[row.player].way):
        parts = [
            list(part) for _tie, part in groupby(level, key=lambda row: progress[row.player].tie)
        ]
        for number, part in enumerate(parts):
            if number:
                other, sentences = parts[number - 1][-1], BEHIND
            elif parts[1:]:
                other, sentences = parts[1][0], AHEAD
            else:
                continue
            better = frozenset({other.player} if number else ())
            for row in part:
                explained[row.player] = _add_reason(progress, row.player, other, sentences, better)
    return explained


def _add_reason(
    progress: Mapping[int, Progress],
    player: int,
    other: StandingsRow,
    sentences: DifferenceSentences,
    better: frozenset[int],
) -> Progress:
    own_progress, other_progress = progress[player], progress[other.player]

    def explain_place() -> str:
        reason = explain_difference(own_progress.steps, other_progress.steps, other.name, sentences)
        return f"{own_progress.why()} {reason}"

    return replace(own_progress, why=explain_place, behind=own_progress.behind | better)


def _make_player_place(
    place: int, row: StandingsRow, progress: Progress, *, alone: bool
) -> PlayerPlace:
    def explain_place(*, with_tie: bool) -> str:
        tie = progress.shared() if with_tie and not alone else ""
        adjustments = row.adjustment_text if progress.always_explained else ""
        return " ".join(filter(None, (progress.why(), tie, adjustments)))

    why, why_in_list = (partial(explain_place, with_tie=shown) for shown in (True, False))
    fields = {**vars(progress), "why": why}
    return PlayerPlace(**fields, place=place, row=row, why_in_list=why_in_list)


# Progress within one stage


def _find_progress(
    results: StageResults, stage: Stage, earlier: Mapping[int, Progress], *, provisional: bool
) -> dict[int, Progress]:
    """Return the progress of each player who entered the stage.

    `earlier` is the progress of all players in the earlier stages.
    """
    stage_results = results if results.stage else results.for_stage(stage)
    playing = {each.player for each in results.entered if each[::2] == (stage.number, True)}
    progress = {pk: _find_advanced_progress(stage, earlier[pk]) for pk in playing if pk in earlier}
    if stage.format == Stage.Format.BRACKET:
        progress |= _find_bracket_progress(stage_results, stage, earlier, provisional=provisional)
    else:
        rows = stage_results.rows(provisional=provisional)
        # Before their first result here, players keep the order of the earlier stages.
        counting = [row for row in rows if row.counts or row.player not in progress]
        progress |= {row.player: _make_rounds_progress(stage, row) for row in counting}
    return {
        pk: replace(each, still_in=_is_still_in(stage_results, stage, pk, each))
        for pk, each in progress.items()
    }


def _find_advanced_progress(stage: Stage, earlier: Progress) -> Progress:
    """Return the progress of a player who has advanced to the stage but has no result in it yet.

    Such players are ordered by their progress in earlier stages.
    """
    text = _("Reached {stage}.")
    sort_key = (-stage.number, 0, *earlier.way)
    explained = stage.number > 1
    return Progress(
        sort_key, earlier.points, lambda: text.format(stage=stage), always_explained=explained
    )


def _make_rounds_progress(stage: Stage, row: StandingsRow) -> Progress:
    def explain_place() -> str:
        text = _("{stage}: {place} place.").format(stage=stage, place=ordinal(row.rank))
        return f"{text} {row.sentence}".strip() if row.counts else row.sentence

    return Progress(
        (-stage.number, -1, row.rank),
        row.points,
        explain_place,
        first=bool(row.played),
        average=_find_deciding_average(row),
    )


def _find_bracket_progress(
    results: StageResults, stage: Stage, earlier: Mapping[int, Progress], *, provisional: bool
) -> dict[int, Progress]:
    """Return the progress of each player, by the player's last bracket round and place there.

    `earlier` is the progress in the earlier stages, also of players who have left since.
    """
    progress: dict[int, Progress] = {}
    steps = {pk: (SeedStep(each.way),) for pk, each in earlier.items()}
    # The first draw of an event is random, so its seeds must not affect the places.
    is_drawn_by_lot = stage.number == 1
    for played in results.rounds:
        tables = [result for result in results.tables if result.table.round_id == played.pk]
        round_progress = {pk: _make_bye_progress(played) for pk in played.seating.byes}
        for result in tables:
            round_progress |= _iterate_table_progress(result, provisional=provisional)
        decides = results.is_closed(played) and all(result.final for result in tables)
        for pk, each in round_progress.items():
            each.steps = steps[pk] = (*each.steps, *steps.get(pk, ()))
            if decides and not played.is_final:
                each.separating_keys = join_keys(each.steps[:-1] if is_drawn_by_lot else each.steps)
        progress |= round_progress
    return progress


def _make_bye_progress(round_: Round) -> Progress:
    text = _("{round}: bye.")
    sort_key, steps = _make_progress_key(round_, 1), (make_bye_step(round_.title),)
    return Progress(
        sort_key, 0, lambda: text.format(round=round_.title), always_explained=True, steps=steps
    )


def _make_progress_key(round_: Round, place: int) -> SortKey:
    return (-round_.stage.number, -round_.number, place)


def _iterate_table_progress(
    result: TableResult, *, provisional: bool
) -> Iterator[tuple[int, Progress]]:
    """Yield the progress of each player at the table.

    Before any points, all players share first place.
    """
    counted = result.counts if result.final or provisional else None
    for pk, points in zip(result.players, result.points or [0] * len(result.players), strict=True):
        place = result.order.places[pk] if counted else 1
        if not isinstance(pk, Bot):
            progress = _make_table_progress(result, place, points, has_points=counted is not None)
            title = result.table.round.title
            step = make_table_step(title, place, counted, pk) if counted else SeedStep((place, 0))
            progress.steps = (step,)
            yield pk, _add_separation(progress, result.order, pk) if counted else progress


def _add_separation(progress: Progress, order: TableOrder, player: int) -> Progress:
    """Return the progress with the reason why the player ranks above or below a tied player."""
    if (reason := order.explain(player)) is None:
        return progress
    better = frozenset({order.above[player]} if player in order.above else ())
    return replace(progress, why=lambda: f"{progress.why()} {reason}", behind=better)


def _make_table_progress(
    result: TableResult, place: int, points: int, *, has_points: bool
) -> Progress:
    played = result.table.round
    final = result if played.is_final and result.final else None
    explain = partial(_describe_table_place, result, place, has_points=has_points)
    first = final is not None and place == 1
    sort_key, explain_tie = _make_progress_key(played, place), _describe_tie if has_points else str
    awaited = played.is_final and not has_points
    return Progress(
        sort_key,
        points,
        explain,
        explain_tie,
        always_explained=True,
        first=first,
        final=final,
        awaited=awaited,
    )


def _describe_table_place(result: TableResult, place: int, *, has_points: bool) -> str:
    played, number = result.table.round, result.table.number
    if played.is_final:
        return _describe_final_place(place, has_points=has_points, is_over=result.final)
    text = _("{round}, table {table}.")
    if has_points:
        so_far = _("{round}, table {table}: {place} so far.")
        text = _("{round}, table {table}: {place} place.") if result.final else so_far
    return text.format(round=played.title, table=number, place=ordinal(place))


def _describe_final_place(place: int, *, has_points: bool, is_over: bool) -> str:
    if not has_points:
        return _("In the final.")
    if not is_over:
        return _("Final: {place} so far.").format(place=ordinal(place))
    return _("Final: {place} place.").format(place=ordinal(place))


def _describe_tie() -> str:
    return _("Tied with everyone else who finished in the same place in that round.")


def _make_sole_winner(stage: Stage, earlier: Progress) -> Progress:
    """Return the progress of a player who wins because no one else is left."""
    text = _("Won without a final because no opponents were left.")
    return Progress(
        (-stage.number, SOLE_WINNER),
        earlier.points,
        lambda: text,
        always_explained=True,
        first=True,
    )


def _is_still_in(results: StageResults, stage: Stage, player: int, progress: Progress) -> bool:
    """Return whether a player remains in the event after others were eliminated.

    Returns False once the player's bracket round is closed, or others have advanced further.
    """
    if stage.number < results.last_entered_stage:
        return False
    if stage.format == Stage.Format.ROUNDS or not results.rounds:
        return stage.number > 1
    last = results.rounds[-1]
    later = stage.number > 1 or last.number > 1
    return later and not results.is_closed(last) and progress.way[1] == -last.number
