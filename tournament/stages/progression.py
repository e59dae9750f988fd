"""Who advances from a bracket round and why, according to its results or the next draw."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Registration, Round, Stage
from tournament.pure import brackets
from tournament.pure.sentences import Sentence, stored_sentence
from tournament.results.queries import rules_of
from tournament.results.stages import list_metric_keys
from tournament.results.table_result import TableResult
from tournament.stages.cut import explain_absences


def get_bracket_shape(stage: Stage) -> brackets.Shape:
    """Return the bracket's settings.

    Raises `brackets.BracketError`, with a message for the organizer, if they are invalid.
    """
    event, rules = stage.event, rules_of(stage.event)
    return brackets.Shape(
        table_size=max(rules.min_seats, min(event.table_size, rules.max_seats)),
        advance=stage.advance,
        minimum=rules.min_seats,
        maximum=rules.max_seats,
        ties=stage.cut_ties,
        lots_key=stage.lots_key,
        breakers=list_metric_keys(event)[1:],
    )


def make_bracket_draw(round_: Round, results: Sequence[TableResult]) -> brackets.BracketDraw:
    """Convert a round and the results of its tables to a `BracketDraw`."""
    return brackets.BracketDraw(
        tuple(tuple(result.people) for result in results),
        round_.seating.byes,
    )


def decide_advancing(
    round_: Round, results: Sequence[TableResult], following: Round | None = None
) -> brackets.NextRound:
    """Decide from its results who advances from a bracket round other than the final.

    If the next round has been drawn, pass it as `following`. Players who were absent at that draw
    cannot advance. Raises `brackets.BracketError`, with a message for the organizer, if the results
    do not decide.
    """
    draw = make_bracket_draw(round_, results)
    people = [seat.registration for result in results for seat in result.seats if seat.registration]
    byes = list(round_.stage.event.registrations.filter(pk__in=draw.byes)) if draw.byes else []
    return brackets.seed_next_round(
        draw,
        [result.as_counted() for result in results],
        get_bracket_shape(round_.stage),
        {person.pk: person.name for person in [*people, *byes]},
        list_seeds(round_, draw),
        removed=_explain_absences_at_draw([*people, *byes], following),
        hands=round_.seating.playoff,
    )


def _explain_absences_at_draw(
    people: Collection[Registration], following: Round | None
) -> dict[int, str]:
    """Return the reasons why absent players could not advance, by registration.

    Players are absent if they have left for good or are marked as absent. If the `following` round
    has been drawn, absences at the time of its draw count. Otherwise, current absences count.
    """
    current = {person.pk: "absent" for person in people if person.absent_at} | explain_absences(
        people
    )
    if following is None:
        return current
    drawn = set(following.seating.seeds)
    recorded = {
        pk: str(why.values["why"])
        for pk, why in following.seating.why
        if why.kind == "cannot_go_on"
    }
    return {pk: why for pk, why in (current | recorded).items() if pk not in drawn}


def list_seeds(round_: Round, draw: brackets.BracketDraw) -> list[int]:
    """Return the round's seeds, including changes made by hand.

    Players who were removed from the round are left out. Players who were added come last.
    """
    players = {pk for table in draw.tables for pk in table} | set(draw.byes)
    remaining = [pk for pk in round_.seating.seeds if pk in players]
    return remaining + sorted(players - set(remaining))


@dataclass(frozen=True)
class RoundOutcome:
    """The outcome of a bracket round.

    * `through`: the players who advance.
    * `why`: the reason for each player, including those who do not advance.
    """

    through: frozenset[int]
    why: Mapping[int, Sentence]


NO_OUTCOME = RoundOutcome(frozenset(), {})


def find_round_outcome(
    round_: Round, results: Sequence[TableResult], following: Round | None
) -> RoundOutcome:
    """Return who advances from the round, and why.

    If the next round has been drawn (`following`), its players are those who advance. Otherwise,
    the results of this round decide, and the outcome is empty for a final or an open round. Reasons
    always follow the current results, even if these were corrected after the draw. `results` are
    the results of both rounds.
    """
    own_results = [result for result in results if result.table.round_id == round_.pk]
    if following is None:
        return _decide_by_results(round_, own_results)
    next_results = [result for result in results if result.table.round_id == following.pk]
    through = frozenset(_list_seated_players(next_results)) | set(following.seating.byes)
    # Older draws have no stored reasons, so the reasons are derived from the results.
    why = dict(following.seating.why) or _decide_by_results(round_, own_results).why
    drawn = set(following.seating.seeds)
    by_hand = {
        pk: _describe_move(why, pk, drawn)
        for pk in _list_seated_players(own_results) & (drawn ^ through)
    }
    change = compare_draw(round_, own_results, following, through)
    current_reasons = change.list_reasons() if change and not change.problem else {}
    return RoundOutcome(through, {**why, **by_hand, **current_reasons})


def _list_seated_players(results: Iterable[TableResult]) -> set[int]:
    return {player for result in results for player in result.people}


def _describe_move(
    reasons: Mapping[int, Sentence], player: int, drawn_players: Collection[int]
) -> Sentence:
    """Return the reason for a player whom organizers added to or removed from the next round."""
    if player not in drawn_players:
        return explain_addition()
    return explain_removal(reasons.get(player, Sentence()))


@stored_sentence("given_place")
def explain_addition() -> str:
    """Return the reason for a player whom the organizers added to the next round."""
    return _("Given a spot in the next round by the organizers.")


@stored_sentence("as_drawn_on")
def explain_surplus(why: Sentence) -> str:
    """Return the reason for a player who advances despite the corrected results."""
    text = _("{why} Still advances: the next round was drawn before the results changed.")
    return text.format(why=why).strip()


@stored_sentence("as_drawn_out")
def explain_missing(why: Sentence) -> str:
    """Return the reason for a player who does not advance despite the corrected results."""
    text = _("{why} Doesn’t advance: the next round was drawn before the results changed.")
    return text.format(why=why).strip()


@stored_sentence("not_after_all")
def explain_removal(why: Sentence) -> str:
    """Return the reason for a player whom the organizers removed from the next round."""
    return _("{why} Won’t play in the next round after all.").format(why=why).strip()


def _decide_by_results(round_: Round, results: Sequence[TableResult]) -> RoundOutcome:
    closed = round_.state == Round.State.CLOSED
    if round_.is_final or not closed or not all(result.final for result in results):
        return NO_OUTCOME
    try:
        decisions = decide_advancing(round_, results).decisions
    except brackets.BracketError:
        return NO_OUTCOME
    through = frozenset(decision.player for decision in decisions if decision.through)
    return RoundOutcome(through, {decision.player: decision.why for decision in decisions})


# Results that changed after the next draw


def digest_results(round_: Round, results: Sequence[TableResult]) -> str:
    """Return a digest of the results on which the next draw is based.

    `results` are the results of this round's tables.
    """
    tables = [
        [result.table.number, result.final, result.points, result.left, result.places]
        for result in results
    ]
    data = [sorted(tables), round_.seating.playoff]
    # Digests made before tie-breaks existed do not contain any.
    if breakers := round_.stage.event.tie_breakers:
        data.append(breakers)
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class ChangedDraw:
    """The effect of changed results on a next round that has already been drawn.

    Players are identified by registration key.

    * `missing`: players who would now be in the next round.
    * `surplus`: players who would no longer be in it.
    * `undecided`: players who would have to play a tie-break hand.
    * `seeds`: the current seeds, if only their order differs.
    * `why`: the reason for each player, based on the current results.
    * `problem`: a sentence that explains why the results no longer decide who advances, or "".
    """

    missing: tuple[int, ...] = ()
    surplus: tuple[int, ...] = ()
    undecided: tuple[int, ...] = ()
    seeds: tuple[int, ...] = ()
    why: Mapping[int, Sentence] = field(default_factory=dict)
    problem: str = ""

    def list_reasons(self) -> dict[int, Sentence]:
        """Return the reason for each player, with a remark if the draw does not follow it."""
        advancing = {pk: explain_surplus(self.why[pk]) for pk in (*self.surplus, *self.undecided)}
        out = {pk: explain_missing(self.why[pk]) for pk in self.missing}
        return {**self.why, **advancing, **out}


def compare_draw(
    round_: Round, results: Sequence[TableResult], following: Round, players: Collection[int]
) -> ChangedDraw | None:
    """Compare the draw of the next round with the current results of this round.

    * `following`: the next round.
    * `players`: the players in it. Those added by hand count as drawn.

    Players who have left since the draw do not count as missing. Returns None if there is no other
    change.
    """
    seating = following.seating
    if not seating.seeds or seating.drawn_from == digest_results(round_, results):
        return None
    if missing := [str(result.table.number) for result in results if not result.final]:
        text = ngettext(
            "Table {tables} no longer has a result.",
            "Tables {tables} no longer have results.",
            len(missing),
        )
        return ChangedDraw(problem=text.format(tables=", ".join(missing)))
    try:
        next_round = decide_advancing(round_, results, following)
    except brackets.BracketError as error:
        return ChangedDraw(problem=str(error))
    people = [seat.registration for result in results for seat in result.seats if seat.registration]
    return _compare_decisions(next_round, following, set(players), set(explain_absences(people)))


def _compare_decisions(
    next_round: brackets.NextRound, following: Round, in_round: set[int], departed: set[int]
) -> ChangedDraw | None:
    seeds = following.seating.seeds
    through = {decision.player: decision.through for decision in next_round.decisions}
    drawn = [pk for pk in seeds if pk in in_round and pk not in departed]
    surplus = [pk for pk in drawn if through.get(pk) is False]
    undecided = [pk for pk in drawn if pk in through and through[pk] is None]
    missing = [
        pk
        for pk, advances in through.items()
        if advances and pk not in in_round and pk not in seeds
    ]
    lost = departed & set(seeds)
    if lost and not surplus and not undecided and len(missing) <= len(lost):
        return None
    seeds_drawn = [pk for pk in next_round.seeds if pk in drawn]
    reordered = not following.seating.changed and seeds_drawn != [
        pk for pk in drawn if pk in seeds_drawn
    ]
    return ChangedDraw(
        tuple(missing),
        tuple(surplus),
        tuple(undecided),
        next_round.seeds if reordered else (),
        {decision.player: decision.why for decision in next_round.decisions},
    )
