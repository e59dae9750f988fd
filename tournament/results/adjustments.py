"""Adjustments to the standings besides matches: point penalties, byes and missed rounds."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Round, Ruling, Stage
from tournament.pure.ranking import Adjustment, Adjustments
from tournament.results.queries import TableResult

Missed = Event.Missed
# In each stage, the player's average counts for so many missed rounds. Others count as losses, or
# else a player could stop playing after a good match.
AVERAGED = 1


def adjustments(
    event: Event,
    tables: Sequence[TableResult],
    rulings: Iterable[Ruling],
    playing: Collection[int],
    departed: Collection[int] = (),
) -> Adjustments:
    """Return the adjustments by player.

    They follow from `rulings` that deduct points, and from rounds of these `tables` in which
    players who are still `playing` had a bye or were absent. `departed` players have left the
    event and get no credit for later rounds.
    """
    found: defaultdict[int, list[Adjustment]] = defaultdict(list)
    low = any(at.low_wins for at in tables)
    for ruling in rulings:
        found[ruling.registration_id].append(_make_penalty(ruling, low=low))
    for away in _iterate_absences(tables, [*playing, *departed]):
        has_left = away.player in departed
        rule = _choose_rule(event, low=low, has_left=has_left)
        # Finding a player's own points is slow, and most events do not need them.
        needed = away.byes or rule != Missed.NOTHING
        own = _list_own_points(away.player, away.stage, tables) if needed else []
        if away.byes and own and not low and not has_left:
            found[away.player].append(_make_bye_adjustment(away, own))
        if away.missed:
            found[away.player] += _iterate_missed_adjustments(rule, away, own, tables)
    return found


def _choose_rule(event: Event, *, low: bool, has_left: bool) -> str:
    """Return the rule by which a player's missed rounds count.

    If the fewest points win, the mean per match decides. Not counting a missed round would preserve
    a good mean, so the round counts as a loss.
    """
    if event.missed_rounds == Missed.NOTHING:
        return Missed.LOSS if low else Missed.NOTHING
    return Missed.LOSS if has_left else event.missed_rounds


def _make_penalty(ruling: Ruling, *, low: bool) -> Adjustment:
    """Make the adjustment for a penalty, which adds points if few are good.

    The adjustment is public. Its reason is visible only to the player and the organizers.
    """
    points = ruling.points if low else -ruling.points
    return Adjustment(points, _("{points}: penalty.").format(points=_format_signed(points)))


def _format_signed(points: int) -> str:
    return f"−{-points}" if points < 0 else f"+{points}"


class _Absence(NamedTuple):
    """A player's closed rounds of a stage without a table.

    `byes` is their number; `missed` has the keys of missed rounds.
    """

    player: int
    stage: int
    byes: int
    missed: list[int]


def _iterate_absences(
    tables: Sequence[TableResult], playing: Collection[int]
) -> Iterator[_Absence]:
    """Yield the absences of players in the stages they play in.

    A bye is not a missed round.
    """
    here: defaultdict[int, set[int]] = defaultdict(set)
    for at in tables:
        here[at.table.round_id].update(at.people)
    stages: defaultdict[int, dict[int, Round]] = defaultdict(dict)
    for at in filter(_does_count, tables):
        stages[at.table.round.stage_id][at.table.round_id] = at.table.round
    for player in playing:
        for stage, rounds in stages.items():
            away = [pk for pk in rounds if player not in here[pk]]
            if len(away) == len(rounds):
                continue
            byes = [pk for pk in away if player in rounds[pk].seating.byes]
            if away:
                missed = [pk for pk in away if pk not in byes]
                yield _Absence(player, stage, len(byes), missed)


def _does_count(at: TableResult) -> bool:
    rounds = at.table.round.stage.format == Stage.Format.ROUNDS
    return rounds and at.final and at.table.round.state == Round.State.CLOSED


def _list_own_points(player: int, stage: int, tables: Sequence[TableResult]) -> list[int]:
    """Return the player's points at each finished table of the stage."""
    return [
        at.counts.points[at.players.index(player)]
        for at in tables
        if at.final and at.counts and at.table.round.stage_id == stage and player in at.players
    ]


def _make_bye_adjustment(away: _Absence, own_points: Sequence[int]) -> Adjustment:
    """Count each bye as the player's average, so that it costs nothing."""
    points = sum(own_points) * away.byes // len(own_points)
    text = ngettext(
        "{points} for {count} bye, the average of the player’s own matches.",
        "{points} for {count} byes, the average of the player’s own matches.",
        away.byes,
    )
    return Adjustment(points, text.format(points=_format_signed(points), count=away.byes))


def _iterate_missed_adjustments(
    rule: str, away: _Absence, own_points: Sequence[int], tables: Sequence[TableResult]
) -> Iterator[Adjustment]:
    """Yield the adjustments for missed rounds; the first AVERAGED count as the average.

    Under every rule, fewer missed rounds break a tie in points.
    """
    if rule == Missed.NOTHING:
        yield Adjustment(0, "", missed=len(away.missed))
        return
    averaged = AVERAGED if rule == Missed.AVERAGE else 0
    if averaged and own_points:
        low = any(at.low_wins for at in tables)
        yield _make_average_adjustment(own_points, min(averaged, len(away.missed)), low=low)
    if away.missed[averaged:]:
        yield _make_loss_adjustment(away.missed[averaged:], own_points, tables)


def _make_average_adjustment(own_points: Sequence[int], count: int, *, low: bool) -> Adjustment:
    """Count missed rounds as the average, rounded down.

    If few points are good, the mean per match decides and already includes them.
    """
    text = ngettext(
        "{points} for {count} missed round, the average of the player’s own matches.",
        "{points} for {count} missed rounds, the average of the player’s own matches.",
        count,
    )
    points = 0 if low else sum(own_points) * count // len(own_points)
    shown = text.format(points=_format_signed(points), count=count)
    return Adjustment(points, shown, 0 if low else count, missed=count)


def _make_loss_adjustment(
    missed: Sequence[int], own: Sequence[int], tables: Sequence[TableResult]
) -> Adjustment:
    """Count missed rounds as losses.

    Each counts as 0 points. If the fewest points win, each counts as the most points of the round,
    or as the player's own average if that is worse.
    """
    points, count = 0, len(missed)
    if any(at.low_wins for at in tables):
        average = -(-sum(own) // len(own)) if own else 0
        points = sum(max(average, _find_most_points(pk, tables)) for pk in missed)
    text = ngettext(
        "{points} for {count} missed round, which counts as a loss.",
        "{points} for {count} missed rounds, which count as losses.",
        count,
    )
    sentence = text.format(points=_format_signed(points), count=count)
    return Adjustment(points, sentence, count, missed=count)


def _find_most_points(played: int, tables: Sequence[TableResult]) -> int:
    """Return the largest number of points of any player in this round."""
    here = (at.counts for at in tables if at.final and at.table.round_id == played)
    return max((max(counts.points) for counts in here if counts), default=0)
