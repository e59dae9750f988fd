"""Players to seat, their past opponents, and the quality of a round's seats."""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Prefetch, Q, QuerySet

from tournament.models import Event, Qualifier, Registration, Round, Stage, TableSeat
from tournament.people.presence import make_presence_condition
from tournament.pure import arrangement
from tournament.pure.arrangement.quality import BrokenRule, SeatingQuality, evaluate_seating
from tournament.pure.arrangement.reasons import SeatReason, explain_seat
from tournament.results.queries import rules_of
from tournament.results.stages import stage_results
from tournament.results.unplayed import count_earlier_rounds, find_unplayed_rounds


def list_entrants(stage: Stage, number: int, staying: Collection[int] = ()) -> list[Registration]:
    """Return those of the round's `candidates` who are present, and those in `staying`."""
    is_present = (
        make_presence_condition(stage.event)
        if requires_check_in(stage, number)
        else Q(absent_at=None)
    )
    players = select_candidates(stage, number).filter(is_present | Q(pk__in=staying))
    return list(players.select_related("student").order_by("queue_number"))


def select_candidates(stage: Stage, number: int) -> QuerySet[Registration]:
    """Return the candidates for this round, whether they are present or not.

    In the first stage, these are all players with a spot. In a later stage, they are the players
    who advanced to it. In a bracket round after the first, they are the round's seeds.
    """
    players = stage.event.registrations.filter(state=Registration.State.APPROVED)
    if stage.number > 1:
        players = players.filter(qualified__in=Qualifier.objects.filter(stage=stage, active=True))
    # Later bracket rounds keep their seeds, so replacements can join only the first bracket round.
    if stage.format == Stage.Format.BRACKET and number > 1:
        players = players.filter(pk__in=_find_bracket_players(stage, number))
    return players


def requires_check_in(stage: Stage, number: int) -> bool:
    """Return whether only players who have checked in get a seat.

    A place in a bracket is earned, so players lose it only if they are marked as absent.
    """
    earned = stage.number > 1 or number > 1
    earned_place = stage.format == Stage.Format.BRACKET and earned
    return stage.event.asks_presence and not earned_place


def _find_bracket_players(stage: Stage, number: int) -> set[int]:
    """Return the seeds of a bracket round, and players seated since its draw."""
    played = stage.rounds.filter(number=number).first()
    if played is None:
        return set()
    return {*played.seating.seeds, *(pk for table in list_seated(played) for pk in table)}


def build_problem(
    stage: Stage, number: int, out: Collection[int] = (), staying: Collection[int] = ()
) -> arrangement.SeatingProblem:
    """Return the input for seating a round of the stage. The players in `out` sit out."""
    event = stage.event
    people = [each for each in list_entrants(stage, number, staying) if each.pk not in out]
    turn = find_turn(stage, number)
    points = _map_points_by_player(event) if stage.by_points and turn > 1 else {}
    return arrangement.SeatingProblem(
        players=tuple(
            arrangement.SeatingPlayer(
                each.pk, each.name, points.get(each.pk, 0), _find_player_group(event, each)
            )
            for each in people
        ),
        history=tuple(_make_past_round(each) for each in _list_earlier_rounds(stage, number)),
        rules=rules_for(stage, people, turn),
        absent=_list_absent_players(event, people),
    )


def build_current_problem(round_: Round) -> arrangement.SeatingProblem:
    """Return the input for reviewing or repairing a round's existing seats."""
    return build_problem(round_.stage, round_.number, round_.seating.out, retained_players(round_))


def retained_players(round_: Round) -> set[int]:
    """Return the keys of the players who keep their seat in the round, checked in or not.

    Before the round starts, players who are marked as absent lose their seat.
    """
    rows = TableSeat.objects.filter(table__round=round_).exclude(registration=None)
    if round_.state in (Round.State.DRAFT, Round.State.PUBLISHED):
        rows = rows.filter(registration__absent_at=None)
    return set(rows.values_list("registration_id", flat=True))


def _list_absent_players(
    event: Event, people: list[Registration]
) -> tuple[arrangement.SeatingPlayer, ...]:
    seated = {each.pk for each in people}
    rows = event.registrations.values_list("pk", "name")
    return tuple(arrangement.SeatingPlayer(pk, name) for pk, name in rows if pk not in seated)


def _map_points_by_player(event: Event) -> dict[int, int]:
    return {row.player: row.points for row in stage_results(event).rows()}


def _find_player_group(event: Event, registration: Registration) -> str:
    student = registration.student
    return getattr(student, event.apart_by) if event.apart_by and student else ""


def rules_for(
    stage: Stage, people: Collection[Registration], turn: int
) -> arrangement.SeatingRules:
    """Return the event's rules for seating these players.

    `turn` is a result of `find_turn`.
    """
    event, rules = stage.event, rules_of(stage.event)
    links = Registration.apart_from.through.objects.filter(from_registration__in=people)
    pairs = links.values_list("from_registration_id", "to_registration_id")
    return arrangement.SeatingRules(
        table_size=max(rules.min_seats, min(event.table_size, rules.max_seats)),
        minimum=2 if event.fill_with_bots else rules.min_seats,
        maximum=rules.max_seats,
        apart=tuple(sorted({(min(pair), max(pair)) for pair in pairs})),
        fixed=tuple((each.pk, each.fixed_table) for each in people if each.fixed_table),
        by_points=stage.by_points and turn > 1,
        groups_apart=bool(event.apart_by),
        rounds_to_come=max(0, stage.rounds_planned - turn),
        partners=stage.rotation,
    )


def find_turn(stage: Stage, number: int) -> int:
    """Return the position of this round among the stage's rounds that count, from 1."""
    return count_earlier_rounds(stage, number) + 1


def _list_earlier_rounds(stage: Stage, number: int) -> list[Round]:
    """Return the event's earlier rounds that count, in order, with tables and seats."""
    if (stage.number, number) == (1, 1):
        return []
    rounds = Round.objects.filter(stage__event=stage.event).exclude(state=Round.State.DRAFT)
    rounds = rounds.exclude(pk__in=find_unplayed_rounds(stage.event))
    in_order = rounds.order_by("stage__number", "number").select_related("stage")
    own_position = (stage.number, number)
    return [
        each
        for each in in_order.prefetch_related("tables__seats")
        if (each.stage.number, each.number) < own_position
    ]


def _make_past_round(round_: Round) -> arrangement.PastRound:
    tables = tuple(table for table in list_seated(round_) if table)
    return arrangement.PastRound(tables, round_.seating.byes, round_.title)


def list_seated(round_: Round) -> arrangement.Tables:
    """Return the registration keys at every table in seat order, without bots.

    Table n is at index n - 1. Removed tables are empty.
    """
    members = {
        table.number: tuple(
            seat.registration_id for seat in table.seats.all() if seat.registration_id
        )
        for table in round_.tables.all()
    }
    return tuple(members.get(number, ()) for number in range(1, max(members, default=0) + 1))


def compute_version(stage: Stage, number: int) -> str:
    """Return a short digest of a round's seats. It changes whenever a seat changes."""
    played = stage.rounds.filter(number=number).first()
    if played is None:
        return f"{number}:"
    seats = TableSeat.objects.filter(table__round=played).order_by("table__number", "number")
    rows = seats.values_list("table__number", "number", "registration_id", "bot")
    not_seated = [sorted(played.seating.out), sorted(played.seating.byes)]
    text = json.dumps([played.state, list(rows), not_seated])
    return f"{number}:{hashlib.sha256(text.encode()).hexdigest()[:16]}"


@dataclass(frozen=True)
class SeatingReview:
    """The review of a round's seats for the organizer.

    `quality` rates the seats. `sitting_out` contains the candidates without a seat.
    """

    problem: arrangement.SeatingProblem
    tables: arrangement.Tables
    quality: SeatingQuality
    sitting_out: list[Registration]

    def broken_at(self, table: int) -> list[BrokenRule]:
        """Return the rules that are broken at the table with this number."""
        return [each for each in self.quality.broken if each.table == table]

    def why(self, registration: int) -> SeatReason:
        """Explain why this player has this seat.

        Raises KeyError for a player without a seat.
        """
        return explain_seat(self.problem, self.tables, registration)


def review_seats(round_: Round) -> SeatingReview:
    """Return a round's seats, reviewed for the players who should play in it now."""
    seating_problem = build_current_problem(round_)
    tables = list_seated(Round.objects.prefetch_related("tables__seats").get(pk=round_.pk))
    seated = {pk for table in tables for pk in table}
    return SeatingReview(
        problem=seating_problem,
        tables=tables,
        quality=evaluate_seating(seating_problem, tables, round_.seating.byes),
        sitting_out=[
            player
            for player in list_entrants(round_.stage, round_.number)
            if player.pk not in seated
        ],
    )


def list_issues_to_explain(round_: Round, review: SeatingReview) -> list[str]:
    """Return sentences about all issues for which publishing the seats requires a reason.

    These are broken hard rules, and repeated meetings that changes by hand have added to the draw.
    """
    drawn, costs = round_.seating.costs, review.quality.costs
    worse_rules = {key for key in ("again", "repeats") if costs.get(key, 0) > drawn.get(key, 0)}
    by_hand = round_.seating.changed and bool(drawn)
    new_repeats = [
        each.sentence for each in review.quality.broken if by_hand and each.rule in worse_rules
    ]
    return [*review.quality.hard, *dict.fromkeys(new_repeats)]


def prefetch_sitters() -> Prefetch[str, QuerySet[TableSeat], str]:
    """Return a prefetch of tables' seats, joined with their players.

    Without the join, Django would load the players by key, and SQLite does not accept a thousand
    keys in a query.
    """
    return Prefetch("seats", TableSeat.objects.select_related("registration", "substitute"))
