"""Adjustments to the standings that do not come from matches: penalties, byes, missed rounds."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Round, Ruling, Stage
from tournament.pure.ranking import Adjustment, Adjustments
from tournament.results.table_result import TableResult

Missed = Event.Missed
# Maximum number of missed rounds per stage that count as the player's average. More missed rounds
# count as losses, so that no player can stop playing after a good match.
MAX_AVERAGED_ROUNDS = 1


def adjustments(
    event: Event,
    tables: Sequence[TableResult],
    rulings: Iterable[Ruling],
    playing: Collection[int],
    departed: Collection[int] = (),
    known_until: datetime | None = None,
) -> Adjustments:
    """Return the adjustments to the standings, by player.

    * `tables`: the results of the rounds that may have byes or missed rounds.
    * `rulings`: the rulings that deduct points.
    * `playing`: the players who are still in the event.
    * `departed`: the players who have left the event. They get no credit for later rounds.
    * `known_until`: rounds that were closed later do not count. None means that all rounds count.
    """
    by_player: defaultdict[int, list[Adjustment]] = defaultdict(list)
    low = any(result.low_wins for result in tables)
    for ruling in rulings:
        by_player[ruling.registration_id].append(_make_penalty(ruling, low=low))
    for absence in _iterate_absences(tables, [*playing, *departed], known_until):
        has_left = absence.player in departed
        rule = _choose_rule(event, low=low, has_left=has_left)
        # Collecting a player's own points is slow, and most events do not need them.
        needed = absence.byes or rule != Missed.NOTHING
        own_points = _list_own_points(absence.player, absence.stage, tables) if needed else []
        if absence.byes and not has_left:
            by_player[absence.player].append(_make_bye_adjustment(absence, own_points, tables))
        if absence.missed:
            by_player[absence.player] += _iterate_missed_adjustments(
                rule, absence, own_points, tables
            )
    return by_player


def _choose_rule(event: Event, *, low: bool, has_left: bool) -> str:
    """Return the rule for counting a player's missed rounds.

    If the fewest points win, the mean per match decides. A missed round then counts as a loss,
    because ignoring it would preserve a good mean.
    """
    if event.missed_rounds == Missed.NOTHING:
        return Missed.LOSS if low else Missed.NOTHING
    return Missed.LOSS if has_left else event.missed_rounds


def _make_penalty(ruling: Ruling, *, low: bool) -> Adjustment:
    """Return the adjustment for a penalty. It adds points if the lowest score wins.

    The adjustment is public, but only the player and the organizers see its reason.
    """
    points = ruling.points if low else -ruling.points
    return Adjustment(points, _("{points}: penalty.").format(points=_format_with_sign(points)))


def _format_with_sign(points: int) -> str:
    return f"−{-points}" if points < 0 else f"+{points}"


class _Absence(NamedTuple):
    """The closed rounds of a stage in which a player had no seat.

    `byes` and `missed` contain the keys of these rounds.
    """

    player: int
    stage: int
    byes: list[int]
    missed: list[int]


def _iterate_absences(
    tables: Sequence[TableResult], playing: Collection[int], known_until: datetime | None
) -> Iterator[_Absence]:
    """Yield each player's absences from the stages in which they have played or had a bye.

    A bye is not a missed round.
    """
    seated: defaultdict[int, set[int]] = defaultdict(set)
    for result in tables:
        seated[result.table.round_id].update(result.people)
    stages: defaultdict[int, dict[int, Round]] = defaultdict(dict)
    for result in tables:
        if not counts_byes(result, known_until):
            continue
        stages[result.table.round.stage_id][result.table.round_id] = result.table.round
    for player in playing:
        for stage, rounds in stages.items():
            absent_rounds = [pk for pk in rounds if player not in seated[pk]]
            byes = [pk for pk in absent_rounds if player in rounds[pk].seating.byes]
            has_taken_part = byes or len(absent_rounds) < len(rounds)
            if absent_rounds and has_taken_part:
                missed = [pk for pk in absent_rounds if pk not in byes]
                yield _Absence(player, stage, byes, missed)


def counts_byes(result: TableResult, known_until: datetime | None) -> bool:
    """Return whether byes and missed rounds count in this table's round.

    They count once the round is closed, if that is known at `known_until`.
    """
    played = result.table.round
    if not result.final or played.stage.format != Stage.Format.ROUNDS:
        return False
    if played.state != Round.State.CLOSED:
        return False
    closed_at = played.closed_at
    return known_until is None or (closed_at is not None and closed_at <= known_until)


def _list_own_points(player: int, stage: int, tables: Sequence[TableResult]) -> list[int]:
    """Return the player's points at each finished table of the stage."""
    return [
        result.counts.points[result.players.index(player)]
        for result in tables
        if result.final
        and result.counts
        and result.table.round.stage_id == stage
        and player in result.players
    ]


def _make_bye_adjustment(
    absence: _Absence, own_points: Sequence[int], tables: Sequence[TableResult]
) -> Adjustment:
    """Count each bye as the player's average score, so that a bye is not a disadvantage.

    If the lowest score wins, no points are added, because the mean per match decides.
    """
    if not own_points:
        return _make_sole_bye_adjustment(absence.byes, tables)
    count = len(absence.byes)
    if any(result.low_wins for result in tables):
        return Adjustment(0, "", byes=count)
    points = sum(own_points) * count // len(own_points)
    text = ngettext(
        "{points} for {count} bye, the average of the player’s own matches.",
        "{points} for {count} byes, the average of the player’s own matches.",
        count,
    )
    shown = text.format(points=_format_with_sign(points), count=count)
    return Adjustment(points, shown, byes=count)


def _make_sole_bye_adjustment(byes: Sequence[int], tables: Sequence[TableResult]) -> Adjustment:
    """Count the byes of a player without a match in the stage as the other players' average."""
    averages = [_find_average(pk, tables) for pk in byes]
    low, count = any(result.low_wins for result in tables), len(byes)
    points = math.ceil(sum(averages)) if low else math.floor(sum(averages))
    text = ngettext(
        "{points} for {count} bye, the average of the players in that round.",
        "{points} for {count} byes, the average of the players in those rounds.",
        count,
    )
    shown = text.format(points=_format_with_sign(points), count=count)
    return Adjustment(points, shown, count, byes=count)


def _find_average(round_id: int, tables: Sequence[TableResult]) -> Fraction:
    """Return the average points of everyone who played in this round."""
    counted = [
        result.counts.points
        for result in tables
        if result.final and result.counts and result.table.round_id == round_id
    ]
    return Fraction(sum(map(sum, counted)), sum(map(len, counted)))


def _iterate_missed_adjustments(
    rule: str, absence: _Absence, own_points: Sequence[int], tables: Sequence[TableResult]
) -> Iterator[Adjustment]:
    """Yield the adjustments for missed rounds.

    At most MAX_AVERAGED_ROUNDS missed rounds count as the average. Under every rule, fewer missed
    rounds break a tie in points.
    """
    if rule == Missed.NOTHING:
        yield Adjustment(0, "", missed=len(absence.missed))
        return
    averaged = MAX_AVERAGED_ROUNDS if rule == Missed.AVERAGE and own_points else 0
    if averaged:
        low = any(result.low_wins for result in tables)
        yield _make_average_adjustment(own_points, min(averaged, len(absence.missed)), low=low)
    if absence.missed[averaged:]:
        yield _make_loss_adjustment(absence.missed[averaged:], own_points, tables)


def _make_average_adjustment(own_points: Sequence[int], count: int, *, low: bool) -> Adjustment:
    """Count missed rounds as the average, rounded down.

    If the lowest score wins, no points are added, because the mean per match decides.
    """
    text = ngettext(
        "{points} for {count} missed round, the average of the player’s own matches.",
        "{points} for {count} missed rounds, the average of the player’s own matches.",
        count,
    )
    points = 0 if low else sum(own_points) * count // len(own_points)
    shown = text.format(points=_format_with_sign(points), count=count)
    return Adjustment(points, shown, 0 if low else count, missed=count)


def _make_loss_adjustment(
    missed: Sequence[int], own_points: Sequence[int], tables: Sequence[TableResult]
) -> Adjustment:
    """Count missed rounds as losses.

    A loss is 0 points. If the lowest score wins, it is the highest score of the round, or the
    player's own average if that is higher.
    """
    points, count = 0, len(missed)
    if any(result.low_wins for result in tables):
        average = -(-sum(own_points) // len(own_points)) if own_points else 0
        points = sum(max(average, _find_most_points(pk, tables)) for pk in missed)
    text = ngettext(
        "{points} for {count} missed round, which counts as a loss.",
        "{points} for {count} missed rounds, which count as losses.",
        count,
    )
    sentence = text.format(points=_format_with_sign(points), count=count)
    return Adjustment(points, sentence, count, missed=count)


def _find_most_points(round_id: int, tables: Sequence[TableResult]) -> int:
    """Return the highest score of any player in the round."""
    counted = (
        result.counts for result in tables if result.final and result.table.round_id == round_id
    )
    return max((max(counts.points) for counts in counted if counts), default=0)
