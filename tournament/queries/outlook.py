"""Who still goes through: the stage as it stands, and what the worker has found of its endings."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _

from tournament.models import Event, Forecast, Round, Stage
from tournament.planning.chances import Standing, TableStands
from tournament.planning.courses import Part
from tournament.planning.matches import Begun
from tournament.queries.courses import Wanted, begun_match, course
from tournament.queries.cut import BEGUN, GONE, cutting_stage, rule_of
from tournament.queries.pages import bracket
from tournament.queries.results import TableResult
from tournament.queries.shapes import (
    BracketStage,
    Chance,
    Leaderboard,
    RoundView,
    SeatView,
    TableView,
)
from tournament.queries.stage_results import StageResults, stage_results
from tournament.queries.unplayed import counting_before, unplayed
from tournament.seating import Tables, partner_rounds

# In nearly all endings, or hardly any: told as a word, not as a figure.
SURE = 0.995


@dataclass(frozen=True)
class Outlook:
    """What the endings of a stage came to: by registration, with the places there are."""

    stage: int
    places: int
    shares: Mapping[int, float]
    at: datetime | None


def open_stage(event: Event) -> Stage | None:
    """The stage that is being played and that players go through from, or on in; else None."""
    if event.state != Event.State.RUNNING:
        return None
    played = _bracket_round(event)
    stage = played.stage if played else cutting_stage(event)
    if played or stage is None:
        return stage
    if stage.state == Stage.State.CLOSED or stage.format != Stage.Format.ROUNDS:
        return None
    return stage if stage.rounds.filter(state__in=BEGUN).exists() else None


def _bracket_round(event: Event) -> Round | None:
    """The round of a bracket that is being played, unless it is the final."""
    rounds = Round.objects.filter(stage__event=event, stage__format=Stage.Format.BRACKET)
    playing = rounds.filter(state=Round.State.RUNNING, is_final=False)
    return playing.select_related("stage__event").first()


def standing(event: Event, *, public: bool) -> Standing | None:
    """Where the stage stands, as far as viewers know or as it is; None where nothing is open."""
    stage = open_stage(event)
    if stage is None:
        return None
    results = stage_results(stage, public=public)
    if stage.format == Stage.Format.BRACKET:
        return _in_bracket(event, results)
    rows = [row for row in results.rows(lots=False) if not row.out and _stays(results, row.player)]
    whole = course(event, Wanted(), max(2, len(rows)))
    part = _part(stage)
    tables = tuple(_stands(results))
    rounds = _rounds_left(stage)
    coming = _prescribed(stage, rounds) if part.rotation else ()
    drawn = 0 if part.rotation else rounds
    if not (tables or rounds) or drawn + len(coming) < rounds:
        return None
    return Standing(
        course=replace(whole, parts=(part,)),
        points={row.player: row.points for row in rows},
        played={row.player: row.played for row in rows},
        tables=tables,
        rounds=drawn,
        coming=coming,
    )


def _in_bracket(event: Event, results: StageResults) -> Standing | None:
    """Where the tables of the bracket's round stand; what has ended stays as it is."""
    played = _bracket_round(event)
    found = [at for at in results.tables if at.table.round == played]
    if played is None or all(at.final for at in found):
        return None
    tables = tuple(_stand_of(at) for at in found)
    lost = {seat.registration_id for at in found for seat in at.seats if seat.number in at.gone}
    seated = {p for table in tables for p in table.players if p > 0} - lost
    here = sorted(p for p in seated if _stays(results, p))
    whole = course(event, Wanted(), max(2, len(here)))
    nothing = dict.fromkeys(here, 0)
    return Standing(
        course=replace(whole, parts=(_part(played.stage),)),
        points=nothing,
        played=nothing,
        tables=tables,
        byes=len(played.seating.byes),
    )


def _stand_of(found: TableResult) -> TableStands:
    if not (found.final or found.abandoned):
        return _playing_on(found)
    points = tuple(found.points) or (0,) * len(found.players)
    return TableStands(found.players, Begun((points,), left=0))


def _playing_on(found: TableResult) -> TableStands:
    kept = found.table.round.stage.event.forfeits == Event.Forfeits.KEPT
    lost = () if kept else tuple(sorted(found.gone))
    return TableStands(found.players, begun_match(found), lost)


def _prescribed(stage: Stage, rounds: int) -> tuple[Tables, ...]:
    """Who sits where in the rounds that are left, as partners rotate; () where nobody knows."""
    last = stage.rounds.filter(state__in=BEGUN).latest("number")
    turns = partner_rounds(last.seating.order) if last.seating.order else ()
    if not turns:
        return ()
    done = counting_before(stage, last.number + 1)
    return tuple(turns[number % len(turns)] for number in range(done, done + rounds))


def _stays(results: StageResults, player: int) -> bool:
    return results.registrations[player].state not in GONE


def _part(stage: Stage) -> Part:
    """The stage's rule for going through, and how its rounds are drawn."""
    rule = rule_of(stage)
    return Part(
        format=stage.format,
        advance=stage.advance,
        rule=rule.kind,
        value=rule.value,
        ties=rule.ties,
        thresholds=stage.thresholds,
        by_points=stage.by_points,
        rotation=stage.rotation,
    )


def _stands(results: StageResults) -> Iterator[TableStands]:
    """The tables whose points are still to come."""
    for found in results.tables:
        if found.open:
            yield _playing_on(found)


def _rounds_left(stage: Stage) -> int:
    begun = set(stage.rounds.filter(state__in=BEGUN).values_list("pk", flat=True))
    return max(0, stage.rounds_planned - len(begun - unplayed(stage)))


def places(stand: Standing) -> int:
    """How many go through by the rule, 0 where each table decides or nobody does."""
    part = stand.course.parts[0]
    if part.by_tables:
        return 0
    seated = {player for table in stand.tables for player in table.players}
    counting = {player for player, count in stand.played.items() if count} | seated
    to_come = stand.rounds or stand.coming
    took_part = len(stand.points) if to_come else len(counting & set(stand.points))
    return part.places(took_part)


def digest(stand: Standing) -> str:
    """The same as long as no hand ends and nobody comes or goes, however late it gets."""
    tables = [(table.players, table.begun.hands) for table in stand.tables]
    facts = stand.to_json() | {"tables": tables}
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def outlook(event: Event, *, public: bool) -> Outlook | None:
    """What was found last. To the public nothing is told while places are being revealed."""
    if event.state != Event.State.RUNNING or (public and event.freeze.revealing):
        return None
    kind = Forecast.Kind.PUBLIC if public else Forecast.Kind.DESK
    found = event.forecasts.filter(kind=kind).first()
    if found is None or (told := found.answer) is None:
        return None
    shares = {int(player): share for player, share in told["shares"].items()}
    return Outlook(told["stage"], told["places"], shares, found.answered_at)


def with_chances(board: Leaderboard, *, public: bool) -> Leaderboard:
    """The board with each player's chance and the cut, where the stage it shows is the open one."""
    found = outlook(board.event, public=public)
    shown = board.stage.number if board.stage else 1
    if found is None or found.stage != shown:
        return board
    rows = [
        replace(row, chance=chance(found.shares.get(row.registration.pk))) for row in board.rows
    ]
    return replace(board, rows=rows, cut=found.places, chances_at=found.at)


def bracket_told(event: Event, *, public: bool) -> BracketStage | None:
    """The bracket with the chances to go on from the round that is being played."""
    found, told = bracket(event), outlook(event, public=public)
    if found is None or told is None or told.stage != found.stage.number:
        return found
    rounds = [
        _told_in(each, told) if each.round.state == Round.State.RUNNING else each
        for each in found.rounds
    ]
    return replace(found, rounds=rounds, chances_at=told.at)


def _told_in(found: RoundView, told: Outlook) -> RoundView:
    return replace(found, tables=[_told_by(table, told) for table in found.tables])


def _told_by(table: TableView, told: Outlook) -> TableView:
    return replace(table, seats=[_told_at(seat, told) for seat in table.seats])


def _told_at(seat: SeatView, told: Outlook) -> SeatView:
    share = told.shares.get(seat.registration.pk) if seat.registration else None
    return replace(seat, chance=chance(share))


def chance(share: float | None) -> Chance | None:
    """A share of endings in words; None for who is not among those that can go through."""
    if share is None:
        return None
    if share >= SURE:
        return Chance("safe", _("safe"))
    if share <= 1 - SURE:
        return Chance("out", _("out"))
    return Chance("open", _("{share} %").format(share=max(1, min(99, round(share * 100)))))
