"""Players' chances to advance, from simulated endings of the current stage."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import repeat

from django.utils.translation import gettext as _

from games import facts
from tournament.hall.queries import bracket
from tournament.hall.table_views import BracketStage, PublicTable, RoundView, SeatView
from tournament.models import Event, Forecast, Round, Stage
from tournament.planning.scenarios import PlanChoice, find_match_progress, make_planned_event
from tournament.pure.arrangement import Tables, partner_rounds
from tournament.pure.qualifying import Decision
from tournament.pure.ranking import StandingsRow, draw_lot
from tournament.pure.simulation.chances import ENDINGS, Standing, TableProgress
from tournament.pure.simulation.matches import MatchProgress
from tournament.pure.simulation.scenarios import PlannedStage
from tournament.results.stages import StageResults, stage_results
from tournament.results.table_result import TableResult
from tournament.results.unplayed import count_earlier_rounds
from tournament.stages.current import describe_current, find_latest_finished_round
from tournament.stages.cut import BEGUN, GONE, count_remaining_rounds, find_cutting_stage, rule_of
from tournament.stages.line import CutLine, line_of
from tournament.standings.rows import Leaderboard, LeaderRow, QualifyingChance

# Chances this close to 0 or 1 are shown as a word instead of a percentage.
CERTAIN = 0.995
# Percentages are rounded to a multiple of this. The simulations are a sample, so a finer figure
# would suggest false precision.
ROUNDING_STEP = 5


@dataclass(frozen=True)
class Outlook:
    """The share of a stage's simulated endings in which each player advances."""

    stage: int
    shares: Mapping[int, float]
    at: datetime | None


def open_stage(event: Event) -> Stage | None:
    """Return the stage in progress whose players are about to advance, or None."""
    if event.state != Event.State.RUNNING:
        return None
    played = _find_bracket_round(event)
    stage = played.stage if played else find_cutting_stage(event)
    if played or stage is None:
        return stage
    if stage.state == Stage.State.CLOSED or stage.format != Stage.Format.ROUNDS:
        return None
    return stage if stage.rounds.filter(state__in=BEGUN).exists() else None


def _find_bracket_round(event: Event) -> Round | None:
    """Return the bracket round in progress, unless it is the final."""
    rounds = Round.objects.filter(stage__event=event, stage__format=Stage.Format.BRACKET)
    playing = rounds.filter(state=Round.State.RUNNING, is_final=False)
    return playing.select_related("stage__event").first()


def load_standing(event: Event, *, public: bool) -> Standing | None:
    """Return the current state of the stage in progress, or None if there is no such stage.

    `public` limits the state to the results that viewers may see.
    """
    stage = open_stage(event)
    if stage is None:
        return None
    results = stage_results(stage, public=public)
    if stage.format == Stage.Format.BRACKET:
        return _load_bracket_standing(event, results)
    rounds = count_remaining_rounds(results)
    rows = [
        row
        for row in results.rows(lots=False)
        if not row.out and _is_still_in_event(results, row.player)
    ]
    if rounds:
        rows = [row for row in rows if row.counts or _may_still_play(results, row.player)]
    event_course = make_planned_event(event, PlanChoice(), max(2, len(rows)))
    part = _make_course_part(stage)
    tables = tuple(_iterate_open_tables(results))
    coming_rounds = _list_prescribed_rounds(stage, rounds) if part.rotation else ()
    drawn = 0 if part.rotation else rounds
    if not (tables or rounds) or drawn + len(coming_rounds) < rounds:
        return None
    return Standing(
        course=replace(event_course, parts=(part,)),
        points={row.player: row.points for row in rows},
        played={row.player: row.played + row.byes for row in rows},
        tables=tables,
        rounds=drawn,
        coming=coming_rounds,
        finished=tuple(_iterate_finished_tables(results)) if part.each_table else (),
    )


def _load_bracket_standing(event: Event, results: StageResults) -> Standing | None:
    """Return the state of the bracket round in progress, or None if all tables are finished."""
    played = _find_bracket_round(event)
    results_here = [result for result in results.tables if result.table.round == played]
    if played is None or all(result.final for result in results_here):
        return None
    tables = tuple(_find_table_state(result) for result in results_here)
    forfeited = {
        seat.registration_id
        for result in results_here
        for seat in result.seats
        if seat.number in result.lost_seats
    }
    seated = {player for table in tables for player in table.players if player} - forfeited
    remaining = sorted(player for player in seated if _is_still_in_event(results, player))
    event_course = make_planned_event(event, PlanChoice(), max(2, len(remaining)))
    zeros = dict.fromkeys(remaining, 0)
    return Standing(
        course=replace(event_course, parts=(_make_course_part(played.stage),)),
        points=zeros,
        played=zeros,
        tables=tables,
        byes=len(played.seating.byes),
        seeds=tuple(played.seating.seeds),
    )


def _find_table_state(result: TableResult) -> TableProgress:
    if not (result.final or result.is_abandoned):
        return _find_playing_state(result)
    if not result.final:
        unplayed = MatchProgress(((0,) * len(result.seats),), left=0)
        return TableProgress(_list_players(result), unplayed)
    return _read_finished_table(result)


def _read_finished_table(result: TableResult) -> TableProgress:
    """Return a finished table with its final places."""
    end = MatchProgress((tuple(result.points),), left=0)
    return TableProgress(_list_players(result), end, places=tuple(_list_drawn_places(result)))


def _list_drawn_places(result: TableResult) -> list[int]:
    """Return each seat's place for the next draw. Lots decide ties if the rules say so."""
    stage, places = result.table.round.stage, result.list_places()
    if stage.cut_ties != Stage.Ties.LOTS:
        return places
    lots = [draw_lot(stage.lots_key, pk) if isinstance(pk, int) else 0 for pk in result.players]
    drawn = list(zip(places, lots, strict=True))
    best_first = sorted(drawn)
    return [1 + best_first.index(each) for each in drawn]


def _find_playing_state(result: TableResult) -> TableProgress:
    keeps_points = result.table.round.stage.event.forfeits == Event.Forfeits.KEPT
    forfeited = () if keeps_points else tuple(sorted(result.lost_seats))
    return TableProgress(_list_players(result), find_match_progress(result), forfeited)


def _list_players(result: TableResult) -> tuple[int | None, ...]:
    return tuple([seat.registration_id for seat in result.seats])


def _list_prescribed_rounds(stage: Stage, rounds: int) -> tuple[Tables, ...]:
    """Return the tables of the remaining rounds if partners rotate, or () if unknown."""
    last = stage.rounds.filter(state__in=BEGUN).latest("number")
    turns = partner_rounds(last.seating.order) if last.seating.order else ()
    if not turns:
        return ()
    done = count_earlier_rounds(stage, last.number + 1)
    return tuple(turns[number % len(turns)] for number in range(done, done + rounds))


def _is_still_in_event(results: StageResults, player: int) -> bool:
    return results.states[player] not in GONE


def _may_still_play(results: StageResults, player: int) -> bool:
    """Return whether the player is playing, or may be seated in a later round."""
    seated = any(player in result.players for result in results.tables if result.open)
    return seated or not results.registrations[player].absent_at


def _make_course_part(stage: Stage) -> PlannedStage:
    """Return the stage's rule for advancing, and how its rounds are drawn."""
    rule = rule_of(stage)
    return PlannedStage(
        format=stage.format,
        advance=stage.advance,
        rule=rule.kind,
        value=rule.value,
        ties=rule.ties,
        thresholds=stage.thresholds,
        by_points=stage.by_points,
        rotation=stage.rotation,
        min_matches=stage.min_matches,
    )


def _iterate_open_tables(results: StageResults) -> Iterator[TableProgress]:
    """Yield the tables whose points may still change."""
    for result in results.tables:
        if result.open:
            yield _find_playing_state(result)


def _iterate_finished_tables(results: StageResults) -> Iterator[TableProgress]:
    """Yield the tables of the running round that have a result."""
    last = results.rounds[-1] if results.rounds else None
    for result in results.tables:
        if result.final and result.table.round == last:
            yield _read_finished_table(result)


def digest_standing(state: Standing) -> str:
    """Return a digest that changes only when a hand ends, or when a player joins or leaves.

    The elapsed time does not change it.
    """
    tables = [(table.players, table.begun.hands, table.places) for table in state.tables]
    facts = state.to_json() | {"tables": tables}
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def load_outlook(event: Event, *, public: bool) -> Outlook | None:
    """Return the latest simulated chances, or None.

    Returns None for the public while places are being revealed.
    """
    if event.state != Event.State.RUNNING or (public and event.freeze.revealing):
        return None
    kind = Forecast.Kind.PUBLIC if public else Forecast.Kind.DESK
    forecast = event.forecasts.filter(kind=kind).first()
    if forecast is None or (answer := forecast.answer) is None:
        return None
    shares = {int(player): share for player, share in answer["shares"].items()}
    return Outlook(answer["stage"], shares, forecast.answered_at)


def add_chances(board: Leaderboard, *, public: bool) -> Leaderboard:
    """Add the cut line and each player's chance to the board.

    Only a board of the current stage has them, until the organizers confirm the cut.
    """
    results = board.results
    if results is None or (public and board.event.freeze.revealing):
        return board
    stage_rows = board.standing if _has_single_stage(results) else None
    cut_line = line_of(results, stage_rows)
    finished = find_latest_finished_round(results, cut_line)
    board = replace(board, finished_round=finished.title if finished else "")
    if cut_line is None or cut_line.stage.number != (board.stage.number if board.stage else 1):
        return replace(board, line=describe_current(results))
    chances = None if cut_line.settled else load_outlook(board.event, public=public)
    chances = chances if chances and chances.stage == cut_line.stage.number else None
    above = cut_line.count_above([row.registration.pk for row in board.rows])
    shares = sort_shares(chances.shares, group_by_play(results, board.standing)) if chances else {}
    sides = (above and (1 if number < above else -1) for number in range(len(board.rows)))
    rows = [
        _add_chance_to_row(*each)
        for each in zip(board.rows, repeat(cut_line), repeat(shares), sides)
    ]
    chances_at = chances.at if chances else None
    return replace(board, rows=rows, cut=above, line=cut_line.sentence, chances_at=chances_at)


def _has_single_stage(results: StageResults) -> bool:
    return len({result.table.round.stage_id for result in results.tables}) == 1


def group_by_play(results: StageResults, rows: Iterable[StandingsRow]) -> list[list[int]]:
    """Group players with equal numbers of matches and finished hands, in row order."""
    hands_played = {
        pk: 1 + _count_finished_hands(result)
        for result in results.tables
        if result.open
        for pk in result.people
    }
    groups: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        groups.setdefault((row.played, hands_played.get(row.player, 0)), []).append(row.player)
    return list(groups.values())


def _count_finished_hands(result: TableResult) -> int:
    return len(facts.hand_end_times(result.match)) if result.match else 0


def sort_shares(shares: Mapping[int, float], groups: Iterable[Sequence[int]]) -> dict[int, float]:
    """Sort the shares within each group, in descending order.

    Each group comes from `group_by_play` and lists the best player first. Without sorting, the
    better of two players could have a lower chance, because simulations are only a sample.
    """
    sorted_shares = dict(shares)
    for group in groups:
        with_share = [player for player in group if player in shares]
        sorted_shares |= zip(
            with_share, sorted((shares[each] for each in with_share), reverse=True), strict=True
        )
    return sorted_shares


def _add_chance_to_row(
    row: LeaderRow, cut_line: CutLine, shares: Mapping[int, float], side: int
) -> LeaderRow:
    """Add the player's chance to the row, with a reason if the chance contradicts the cut.

    `side` is 1 above the cut, -1 below it, and 0 if there is no cut.
    """
    player = row.registration.pk
    decision = cut_line.decisions.get(player)
    shown_chance = describe_chance(shares.get(player))
    if cut_line.settled:
        shown_chance = _find_decided_chance(decision)
    if shown_chance and side and shown_chance.key == ("out" if side > 0 else "safe"):
        shown_chance = replace(shown_chance, why=_explain_chance(shown_chance, decision, cut_line))
    return replace(row, chance=shown_chance)


def _find_decided_chance(decision: Decision | None) -> QualifyingChance | None:
    """Return the chance after all play has finished, or None for players who have left."""
    if decision is None or decision.code == "gone":
        return None
    if decision.through is None:
        return QualifyingChance("open", _("tie-break hand"))
    return describe_chance(float(decision.through))


def _explain_chance(
    shown_chance: QualifyingChance, decision: Decision | None, cut_line: CutLine
) -> str:
    if decision and (cut_line.settled or decision.code == "too_few"):
        return decision.sentence
    if shown_chance.key == "out":
        text = _(
            "Above the line for now. But play continues, and in practically all of {count} "
            "simulated endings, too many others overtake this player."
        )
    else:
        text = _(
            "Below the line for now. But play continues, and in practically all of {count} "
            "simulated endings, this player moves above it."
        )
    return text.format(count=ENDINGS)


def bracket_with_chances(event: Event, *, public: bool) -> BracketStage | None:
    """Return the bracket with the chances to advance from the round in progress."""
    stage, chances = bracket(event), load_outlook(event, public=public)
    if stage is None or chances is None or chances.stage != stage.stage.number:
        return stage
    rounds = [
        _add_chances_to_round(each, chances) if each.round.state == Round.State.RUNNING else each
        for each in stage.rounds
    ]
    return replace(stage, rounds=rounds, chances_at=chances.at)


def _add_chances_to_round(round_view: RoundView, outlook: Outlook) -> RoundView:
    return replace(
        round_view, tables=[_add_chances_to_table(table, outlook) for table in round_view.tables]
    )


def _add_chances_to_table(table: PublicTable, outlook: Outlook) -> PublicTable:
    """Add the chances to a table. A better place never gets a lower chance."""
    ranked = sorted(
        (seat for seat in table.seats if seat.registration),
        key=lambda seat: (seat.place is None, seat.place or 0),
    )
    shares = sort_shares(
        outlook.shares, [[seat.registration.pk for seat in ranked if seat.registration]]
    )
    return replace(table, seats=[_add_chance_to_seat(seat, shares) for seat in table.seats])


def _add_chance_to_seat(seat: SeatView, shares: Mapping[int, float]) -> SeatView:
    share = shares.get(seat.registration.pk) if seat.registration else None
    return replace(seat, chance=describe_chance(share))


def describe_chance(share: float | None) -> QualifyingChance | None:
    """Describe the share of endings in which a player advances. Return None without a share."""
    if share is None:
        return None
    if share >= CERTAIN:
        return QualifyingChance("safe", _("safe"))
    if share <= 1 - CERTAIN:
        return QualifyingChance("out", _("eliminated"))
    rounded = min(
        100 - ROUNDING_STEP, max(ROUNDING_STEP, ROUNDING_STEP * round(100 * share / ROUNDING_STEP))
    )
    return QualifyingChance("open", _("{share}%").format(share=rounded))
