"""Adjustments to the standings besides matches: point penalties and missed rounds."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Round, Ruling, Stage
from tournament.pure.ranking import Adjustment, Adjustments
from tournament.results.queries import TableResult

Missed = Event.Missed


def adjustments(
    event: Event,
    tables: Sequence[TableResult],
    rulings: Iterable[Ruling],
    playing: Collection[int],
) -> Adjustments:
    """Return the adjustments by player.

    They come from `rulings` that take points off, and from rounds of these `tables` that
    players who are still `playing` have missed.
    """
    found: defaultdict[int, list[Adjustment]] = defaultdict(list)
    low = any(at.low_wins for at in tables)
    for ruling in rulings:
        found[ruling.registration_id].append(_make_penalty(ruling, low=low))
    if event.missed_rounds != Missed.NOTHING:
        for player, rounds in _find_missed_rounds(tables, playing).items():
            found[player].append(_make_missed_adjustment(event, player, rounds, tables))
    return found


def _make_penalty(ruling: Ruling, *, low: bool) -> Adjustment:
    """Make the adjustment of a penalty, which adds points if few are good.

    Everyone can read it. Only the player and the organizers learn the reason.
    """
    points = ruling.points if low else -ruling.points
    return Adjustment(points, _("{points}: penalty.").format(points=_format_signed(points)))


def _format_signed(points: int) -> str:
    return f"−{-points}" if points < 0 else f"+{points}"


def _find_missed_rounds(
    tables: Sequence[TableResult], playing: Collection[int]
) -> dict[int, list[int]]:
    """Map each player to the closed rounds, by key, that they missed in stages they play in.

    A bye is not a missed round. Players who have left or were disqualified miss nothing any
    more.
    """
    here: defaultdict[int, set[int]] = defaultdict(set)
    for at in tables:
        here[at.table.round_id].update(at.people)
    counting = {at.table.round_id: at.table.round for at in tables if _does_count(at)}
    found: defaultdict[int, list[int]] = defaultdict(list)
    for player in playing:
        stages = {r.stage_id for pk, r in counting.items() if player in here[pk]}
        for pk, played in counting.items():
            away = player not in here[pk] and player not in played.seating.byes
            if away and played.stage_id in stages:
                found[player].append(pk)
    return found


def _does_count(at: TableResult) -> bool:
    rounds = at.table.round.stage.format == Stage.Format.ROUNDS
    return rounds and at.final and at.table.round.state == Round.State.CLOSED


def _make_missed_adjustment(
    event: Event, player: int, rounds: Collection[int], tables: Sequence[TableResult]
) -> Adjustment:
    count = len(rounds)
    if event.missed_rounds == Missed.AVERAGE:
        points = _compute_average(player, tables) * count
        text = ngettext(
            "{points} for {count} missed round, based on the average of the player’s own matches.",
            "{points} for {count} missed rounds, based on the average of the player’s own matches.",
            count,
        )
        return Adjustment(points, text.format(points=_format_signed(points), count=count), count)
    points = sum(_find_worst_points(pk, tables) for pk in rounds)
    text = ngettext(
        "{points} for {count} missed round, which counts as a loss.",
        "{points} for {count} missed rounds, which count as losses.",
        count,
    )
    return Adjustment(points, text.format(points=_format_signed(points), count=count), count)


def _compute_average(player: int, tables: Sequence[TableResult]) -> int:
    """Points a match, rounded down."""
    own = [
        at.counts.points[at.players.index(player)]
        for at in tables
        if at.final and at.counts and player in at.players
    ]
    return sum(own) // len(own) if own else 0


def _find_worst_points(played: int, tables: Sequence[TableResult]) -> int:
    """Return the points of a lost match in this round: 0, or the most if few points are good."""
    here = (at.counts for at in tables if at.final and at.table.round_id == played)
    points = [max(counts.points) for counts in here if counts]
    return max(points, default=0) if any(at.low_wins for at in tables) else 0
