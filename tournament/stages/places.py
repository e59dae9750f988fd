"""Every player's place in an event, so far and at its end; no other module decides it.

A player who progressed further is ahead of one who did not. In a bracket, the winner of the
final is first. Other players are ranked by the round in which they were eliminated, then by
their place at that table. In rounds, the stage's standings count. Players who did not enter a
stage are behind those who did, in the order of the stages before it.

Players with the same place at different tables of a closed bracket round are ranked in the seeding
order of the next draw. Players share a place only if that order does not separate them.
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
    Key,
    SeedStep,
    Sentences,
    explain_difference,
    list_keys,
    make_bye_step,
    make_table_step,
)
from tournament.pure.qualifying import TableOrder
from tournament.pure.ranking import Bot, StandingsRow, Value
from tournament.pure.words import ordinal
from tournament.results.queries import TableResult
from tournament.results.stages import StageResults
from tournament.stages.walkover import last_player

# A player's progress, where smaller is better; it begins with the negated number of the stage.
Way = tuple[int, ...]
# Before all rounds.
ALONE = -(10**6)


@dataclass
class Progress:
    """A player's progress in the event.

    `points`: the points that decided it, in a bracket those of the last table. `why`: the reason in
    words. `told`: the reason is shown whatever the points are. `shared`: why others progressed as
    far. `first`: a player at place 1 has won. `final`: the result of the final, once there is one.
    `still_in`: the player plays on after others were eliminated. `awaited`: the player is in a
    final without any known result. `average`: the points per match if these decide, or None if the
    points do. `behind`: the better players that `why` names. `steps`: the seeding order of the next
    draw of a bracket: the last round first, then the rounds before it. `separating_keys`: the part
    of it that separates players who progressed equally far, () while their round is open.
    """

    way: Way
    points: int
    why: Callable[[], str]
    shared: Callable[[], str] = str
    told: bool = False
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
        """Key that players who share a place have in common."""
        return self.way, self.separating_keys


# Not frozen, as there are thousands: a frozen one takes five times as long to make.
@dataclass(kw_only=True)
class PlayerPlace(Progress):
    """A player's place, which equal players share, with the reason in `why`.

    `row`: the player's row in the standings of all rounds.
    """

    place: int
    row: StandingsRow

    @property
    def player(self) -> int:
        return self.row.player

    @property
    def out(self) -> bool:
        """True for a disqualified player, who is placed last."""
        return self.row.out

    @property
    def rank(self) -> int | None:
        """The place as published: None for a disqualified player."""
        return None if self.out else self.place


def places(results: StageResults, *, provisional: bool = False) -> list[PlayerPlace]:
    """Return the places by the results of an event or one stage, first place first.

    `provisional`: include the matches in play, with their results so far.
    """
    rows = results.rows(provisional=provisional)
    stages = list(_iterate_stages(results))
    if is_by_standings(results):
        return [_as_it_stands(row) for row in rows]
    came = {row.player: Progress((0, row.rank), row.points, _make_sentence(row)) for row in rows}
    for stage in stages:
        came |= _find_progress(results, stage, came, provisional=provisional)
    if (left := last_player(results)) and left.pk in came:
        came[left.pk] = _make_sole_winner(stages[-1], came[left.pk])
    return _rank_rows([row for row in rows if not row.out], came) + _place_disqualified(rows)


def _iterate_stages(results: StageResults) -> Iterator[Stage]:
    """Yield the first stage and every later stage that has begun or that players have entered."""
    if results.stage:
        yield results.stage
        return
    begun = {played.stage_id for played in results.rounds}
    for stage in results.stages:
        if stage.number in (1, results.last_entered) or stage.pk in begun:
            yield stage


def is_by_standings(results: StageResults) -> bool:
    """Return whether the standings of a single stage of rounds decide everything."""
    stages = list(_iterate_stages(results))
    return len(stages) < 2 and all(each.format == Stage.Format.ROUNDS for each in stages)


def _as_it_stands(row: StandingsRow) -> PlayerPlace:
    first = bool(row.played) and not row.out
    way, why = (0, row.rank), _make_sentence(row)
    average = _find_average(row)
    return PlayerPlace(way, row.points, why, first=first, average=average, place=row.rank, row=row)


def _find_average(row: StandingsRow) -> Value:
    return row.value("average") if row.ranked.order[:1] == ("average",) else None


def _make_sentence(row: StandingsRow) -> Callable[[], str]:
    return partial(getattr, row, "sentence")


def _place_disqualified(rows: Sequence[StandingsRow]) -> list[PlayerPlace]:
    """Place disqualified players behind everyone else, as in the standings."""
    return [_as_it_stands(row) for row in rows if row.out]


def _rank_rows(rows: Sequence[StandingsRow], progress: Mapping[int, Progress]) -> list[PlayerPlace]:
    """Rank the rows by progress, and players who share a place by their seeds, then by name."""

    def compute_key(row: StandingsRow) -> tuple[object, ...]:
        mine = progress[row.player]
        return mine.way, list_keys(mine.steps), row.name.casefold(), row.player

    best_first = sorted(rows, key=compute_key)
    shared = Counter(progress[row.player].tie for row in rows)
    explained = _explain_separations(best_first, progress)
    found: list[PlayerPlace] = []
    for number, row in enumerate(best_first, 1):
        mine = explained.get(row.player) or progress[row.player]
        above = found[-1].place if found and found[-1].tie == mine.tie else number
        found.append(_make_placed(above, row, mine, alone=shared[mine.tie] == 1))
    return found


def _explain_separations(
    best_first: Sequence[StandingsRow], came: Mapping[int, Progress]
) -> dict[int, Progress]:
    """Return the progress of players separated across tables, with the reason added."""
    found: dict[int, Progress] = {}
    for _way, level in groupby(best_first, key=lambda row: came[row.player].way):
        parts = [list(part) for _tie, part in groupby(level, key=lambda row: came[row.player].tie)]
        for number, part in enumerate(parts):
            if number:
                other, sentences = parts[number - 1][-1], BEHIND
            elif parts[1:]:
                other, sentences = parts[1][0], AHEAD
            else:
                continue
            better = frozenset({other.player} if number else ())
            for row in part:
                found[row.player] = _add_reason(came, row.player, other, sentences, better)
    return found


def _add_reason(
    came: Mapping[int, Progress],
    player: int,
    other: StandingsRow,
    sentences: Sentences,
    better: frozenset[int],
) -> Progress:
    mine, theirs = came[player], came[other.player]

    def explain_place() -> str:
        reason = explain_difference(mine.steps, theirs.steps, other.name, sentences)
        return f"{mine.why()} {reason}"

    return replace(mine, why=explain_place, behind=mine.behind | better)


def _make_placed(place: int, row: StandingsRow, progress: Progress, *, alone: bool) -> PlayerPlace:
    def explain_place() -> str:
        adjustments = row.adjustment_text if progress.told else ""
        return " ".join(
            filter(None, (progress.why(), "" if alone else progress.shared(), adjustments))
        )

    return PlayerPlace(**{**vars(progress), "why": explain_place}, place=place, row=row)


# Progress within one stage


def _find_progress(
    results: StageResults, stage: Stage, before: Mapping[int, Progress], *, provisional: bool
) -> dict[int, Progress]:
    """Return the progress of each player who entered the stage.

    `before`: progress in the stages before it.
    """
    here = results if results.stage else results.for_stage(stage)
    playing = {each.player for each in results.entered if each[::2] == (stage.number, True)}
    came = {pk: _find_advanced_progress(stage, before[pk]) for pk in playing if pk in before}
    if stage.format == Stage.Format.BRACKET:
        came |= _find_bracket_progress(here, stage, came, provisional=provisional)
    else:
        came |= _find_rounds_progress(here, stage, provisional=provisional)
    return {
        pk: replace(one, still_in=_is_still_in(here, stage, pk, one)) for pk, one in came.items()
    }


def _find_advanced_progress(stage: Stage, before: Progress) -> Progress:
    """Return the progress of a player who advanced but has no seat in the stage yet.

    The stages before it decide.
    """
    text = _("Reached {stage}.")
    way = (-stage.number, 0, *before.way)
    return Progress(way, before.points, lambda: text.format(stage=stage), told=stage.number > 1)


def _find_rounds_progress(
    results: StageResults, stage: Stage, *, provisional: bool
) -> dict[int, Progress]:
    rows = results.rows(provisional=provisional)
    return {row.player: _make_rounds_progress(stage, row) for row in rows}


def _make_rounds_progress(stage: Stage, row: StandingsRow) -> Progress:
    def explain_place() -> str:
        text = _("{stage}: {place} place.").format(stage=stage, place=ordinal(row.rank))
        return f"{text} {row.sentence}".strip() if row.played else row.sentence

    return Progress(
        (-stage.number, -1, row.rank),
        row.points,
        explain_place,
        first=bool(row.played),
        average=_find_average(row),
    )


def _find_bracket_progress(
    results: StageResults, stage: Stage, before: Mapping[int, Progress], *, provisional: bool
) -> dict[int, Progress]:
    """Return each player's progress: by the last round they were in, and their place there.

    `before`: the earlier progress of the players who have entered the bracket.
    """
    came: dict[int, Progress] = {}
    steps = {pk: (SeedStep(each.way),) for pk, each in before.items()}
    # The first draw of an event is random, so it must not give anyone a better place.
    is_drawn_by_lot = stage.number == 1
    for played in results.rounds:
        tables = [at for at in results.tables if at.table.round_id == played.pk]
        here = {pk: _make_bye_progress(played) for pk in played.seating.byes}
        for at in tables:
            here |= _iterate_table_progress(at, provisional=provisional)
        decides = results.is_closed(played) and all(at.final for at in tables)
        for pk, each in here.items():
            each.steps = steps[pk] = (*each.steps, *steps.get(pk, ()))
            if decides and not played.is_final:
                each.separating_keys = list_keys(each.steps[:-1] if is_drawn_by_lot else each.steps)
        came |= here
    return came


def _make_bye_progress(round_: Round) -> Progress:
    text = _("{round}: bye.")
    way, steps = _make_progress_key(round_, 1), (make_bye_step(round_.title),)
    return Progress(way, 0, lambda: text.format(round=round_.title), told=True, steps=steps)


def _make_progress_key(round_: Round, place: int) -> Way:
    return (-round_.stage.number, -round_.number, place)


def _iterate_table_progress(
    at: TableResult, *, provisional: bool
) -> Iterator[tuple[int, Progress]]:
    """Yield each player's progress at the table.

    Before there are any points, all players share the first place.
    """
    known = at.counts if at.final or provisional else None
    for pk, points in zip(at.players, at.points or [0] * len(at.players), strict=True):
        place = at.order.places[pk] if known else 1
        if not isinstance(pk, Bot):
            came = _make_table_progress(at, place, points, known=known is not None)
            title = at.table.round.title
            step = make_table_step(title, place, known, pk) if known else SeedStep((place, 0))
            came.steps = (step,)
            yield pk, _add_separation(came, at.order, pk) if known else came


def _add_separation(progress: Progress, order: TableOrder, player: int) -> Progress:
    """Add the reason that separated the player from others with the same points at the table."""
    if (reason := order.explain(player)) is None:
        return progress
    better = frozenset({order.above[player]} if player in order.above else ())
    return replace(progress, why=lambda: f"{progress.why()} {reason}", behind=better)


def _make_table_progress(at: TableResult, place: int, points: int, *, known: bool) -> Progress:
    played = at.table.round
    final = at if played.is_final and at.final else None
    told = partial(_describe_table_place, at, place, known=known)
    first = final is not None and place == 1
    way, same = _make_progress_key(played, place), _describe_tie if known else str
    awaited = played.is_final and not known
    return Progress(way, points, told, same, told=True, first=first, final=final, awaited=awaited)


def _describe_table_place(at: TableResult, place: int, *, known: bool) -> str:
    played, number = at.table.round, at.table.number
    if played.is_final:
        return _describe_final_place(place, known=known, over=at.final)
    text = _("{round}, table {table}.")
    if known:
        so_far = _("{round}, table {table}: {place} so far.")
        text = _("{round}, table {table}: {place} place.") if at.final else so_far
    return text.format(round=played.title, table=number, place=ordinal(place))


def _describe_final_place(place: int, *, known: bool, over: bool) -> str:
    if not known:
        return _("In the final.")
    if not over:
        return _("Final: {place} so far.").format(place=ordinal(place))
    if place == 1:
        return _("Won the final.")
    return _("Final: {place} place.").format(place=ordinal(place))


def _describe_tie() -> str:
    return _("Tied with everyone else who finished in the same place in that round.")


def _make_sole_winner(stage: Stage, before: Progress) -> Progress:
    """Return the progress of a player who has won without a final."""
    text = _("Won without a final because no opponents were left.")
    return Progress((-stage.number, ALONE), before.points, lambda: text, told=True, first=True)


def _is_still_in(results: StageResults, stage: Stage, player: int, progress: Progress) -> bool:
    """Return whether a player is still in after others were eliminated.

    Return False once that is decided.
    """
    if stage.number < results.last_entered:
        return False
    if stage.format == Stage.Format.ROUNDS or not results.rounds:
        return stage.number > 1
    last = results.rounds[-1]
    later = stage.number > 1 or last.number > 1
    return later and not results.is_closed(last) and progress.way[1] == -last.number
