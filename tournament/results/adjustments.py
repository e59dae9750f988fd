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
    left: Collection[int] = (),
) -> Adjustments:
    """Return the adjustments by player.

    They follow from `rulings` that deduct points, and from rounds of these `tables` in which
    players who are still `playing` had a bye or were absent. Players who have `left` the event
    get no credit for the rounds after that.
    """
    found: defaultdict[int, list[Adjustment]] = defaultdict(list)
    low = any(at.low_wins for at in tables)
    for ruling in rulings:
        found[ruling.registration_id].append(_make_penalty(ruling, low=low))
    for away in _iterate_absences(tables, [*playing, *left]):
        gone = away.player in left
        rule = _choose_rule(event, low=low, gone=gone)
        # The player's own points take long to find, and most events do not need them.
        needed = away.byes or rule != Missed.NOTHING
        own = _list_own_points(away.player, away.stage, tables) if needed else []
        if away.byes and own and not low and not gone:
            found[away.player].append(_make_bye_adjustment(away, own))
        if away.missed:
            found[away.player] += _iterate_missed_adjustments(rule, away, own, tables)
    return found


def _choose_rule(event: Event, *, low: bool, gone: bool) -> str:
    """Return how missed rounds count for a player.

    If few points are good, the mean per match decides. A round that is simply left out would keep
    a good mean, so it counts as a loss.
    """
    if event.missed_rounds == Missed.NOTHING:
        return Missed.LOSS if low else Missed.NOTHING
    return Missed.LOSS if gone else event.missed_rounds


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


def _make_bye_adjustment(away: _Absence, own: Sequence[int]) -> Adjustment:
    """Count each bye as the player's average, so that it costs nothing."""
    points = sum(own) * away.byes // len(own)
    text = ngettext(
        "{points} for {count} bye, the average of the player’s own matches.",
        "{points} for {count} byes, the average of the player’s own matches.",
        away.byes,
    )
    return Adjustment(points, text.format(points=_format_signed(points), count=away.byes))


def _iterate_missed_adjustments(
    rule: str, away: _Absence, own: Sequence[int], tables: Sequence[TableResult]
) -> Iterator[Adjustment]:
    """Yield the adjustments for missed rounds; the first AVERAGED count as the average.

    Under any rule, players with equal points who missed fewer rounds are ahead.
    """
    if rule == Missed.NOTHING:
        yield Adjustment(0, "", missed=len(away.missed))
        return
    averaged = AVERAGED if rule == Missed.AVERAGE else 0
    if averaged and own:
        low = any(at.low_wins for at in tables)
        yield _make_average_adjustment(own, min(averaged, len(away.missed)), low=low)
    if away.missed[averaged:]:
        yield _make_loss_adjustment(away.missed[averaged:], own, tables)


def _make_average_adjustment(own: Sequence[int], count: int, *, low: bool) -> Adjustment:
    """Count missed rounds as the average, rounded down.

    If few points are good, the mean per match decides and already includes them.
    """
    text = ngettext(
        "{points} for {count} missed round, the average of the player’s own matches.",
        "{points} for {count} missed rounds, the average of the player’s own matches.",
        count,
    )
    points = 0 if low else sum(own) * count // len(own)
    shown = text.format(points=_format_signed(points), count=count)
    return Adjustment(points, shown, 0 if low else count, missed=count)


def _make_loss_adjustment(
    missed: Sequence[int], own: Sequence[int], tables: Sequence[TableResult]
) -> Adjustment:
    """Count missed rounds as losses: 0 points, or if few are good, the worst score of the round.

    That score is never better than the player's own average.
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
    told = text.format(points=_format_signed(points), count=count)
    return Adjustment(points, told, count, missed=count)


def _find_most_points(played: int, tables: Sequence[TableResult]) -> int:
    """Return the most points of any player in this round."""
    here = (at.counts for at in tables if at.final and at.table.round_id == played)
    return max((max(counts.points) for counts in here if counts), default=0)
