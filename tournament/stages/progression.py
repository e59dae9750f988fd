"""Advancement from a bracket round and the reasons, by its results or by the next draw."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Registration, Round, Stage
from tournament.pure import brackets
from tournament.pure.sentences import Sentence, stored_sentence
from tournament.results.queries import TableResult, rules_of
from tournament.results.stages import order_of
from tournament.stages.cut import absent


def shape_of(stage: Stage) -> brackets.Shape:
    """Return the bracket that the organizer has chosen.

    Raises brackets.BracketError, with a message in words.
    """
    event, rules = stage.event, rules_of(stage.event)
    return brackets.Shape(
        table_size=max(rules.min_seats, min(event.table_size, rules.max_seats)),
        advance=stage.advance,
        minimum=rules.min_seats,
        maximum=rules.max_seats,
        ties=stage.cut_ties,
        lots_key=stage.lots_key,
        breakers=order_of(event)[1:],
    )


def drawn_as(round_: Round, results: Sequence[TableResult]) -> brackets.BracketDraw:
    """Return the round as input for the bracket.

    `results`: the results of its tables.
    """
    return brackets.BracketDraw(
        tuple(tuple(o.people) for o in results),
        round_.seating.byes,
    )


def going_on(
    round_: Round, results: Sequence[TableResult], following: Round | None = None
) -> brackets.NextRound:
    """Decide which players advance from a bracket round, by the final results of its tables.

    The round is not the final. With `following`, the next round as it was drawn, the decision is
    based on the players who were present for that draw.

    Raises brackets.BracketError, with a message in words.
    """
    drawn = drawn_as(round_, results)
    people = [s.registration for o in results for s in o.seats if s.registration]
    byes = list(round_.stage.event.registrations.filter(pk__in=drawn.byes)) if drawn.byes else []
    return brackets.next_round(
        drawn,
        [o.as_counted() for o in results],
        shape_of(round_.stage),
        {r.pk: r.name for r in [*people, *byes]},
        list_seeds(round_, drawn),
        removed=_explain_absences_at_draw([*people, *byes], following),
        hands=round_.seating.playoff,
    )


def _explain_absences(people: Collection[Registration]) -> dict[int, str]:
    """Return the reasons for players who cannot advance, by registration.

    They have left for good, or are marked absent when the next round is drawn.
    """
    marked = {r.pk: "absent" for r in people if r.absent_at}
    return marked | absent(people)


def _explain_absences_at_draw(
    people: Collection[Registration], following: Round | None
) -> dict[int, str]:
    """Explain absences as of the draw of the `following` round, if there is one.

    Otherwise this is `_explain_absences`.
    """
    now = _explain_absences(people)
    if following is None:
        return now
    there = set(following.seating.seeds)
    then = {
        pk: str(why.values["why"])
        for pk, why in following.seating.why
        if why.kind == "cannot_go_on"
    }
    return {pk: why for pk, why in (now | then).items() if pk not in there}


def list_seeds(round_: Round, draw: brackets.BracketDraw) -> list[int]:
    """Return the round's seeds after changes by hand.

    Players who were taken out are removed, and added players are last.
    """
    here = {pk for table in draw.tables for pk in table} | set(draw.byes)
    kept = [pk for pk in round_.seating.seeds if pk in here]
    return kept + sorted(here - set(kept))


@dataclass(frozen=True)
class RoundOutcome:
    """Outcome of a bracket round.

    `through`: the players who advance. `why`: a sentence for every player.
    """

    through: frozenset[int]
    why: Mapping[int, Sentence]


NOWHERE = RoundOutcome(frozenset(), {})


def list_onward(
    round_: Round, results: Sequence[TableResult], following: Round | None
) -> RoundOutcome:
    """Return the players who advance from the round, and why.

    This follows the draw of the next round, `following`, or before that the results of this round
    only. `results`: the results of both rounds. Empty while the round is open, and for a final. The
    reasons follow the current results, even if these were corrected after the draw.
    """
    mine = [o for o in results if o.table.round_id == round_.pk]
    if following is None:
        return _decide_by_results(round_, mine)
    later = [o for o in results if o.table.round_id == following.pk]
    through = frozenset(_find_players(later)) | set(following.seating.byes)
    # Rounds that were drawn before it was kept know it by their results alone.
    why = dict(following.seating.why) or _decide_by_results(round_, mine).why
    drawn = set(following.seating.seeds)
    by_hand = {pk: _describe_move(why, pk, drawn) for pk in _find_players(mine) & (drawn ^ through)}
    changed = compare_draw(round_, mine, following, through)
    now = changed.list_reasons() if changed and not changed.problem else {}
    return RoundOutcome(through, {**why, **by_hand, **now})


def _find_players(results: Iterable[TableResult]) -> set[int]:
    return {player for o in results for player in o.people}


def _describe_move(
    reasons: Mapping[int, Sentence], player: int, drawn_players: Collection[int]
) -> Sentence:
    """Describe a player whose place in the next round changed after its draw."""
    if player not in drawn_players:
        return given_place()
    return not_after_all(reasons.get(player, Sentence()))


@stored_sentence("given_place")
def given_place() -> str:
    """Describe a player whom the organizers have put into the next round."""
    return _("Given a spot in the next round by the organizers.")


@stored_sentence("as_drawn_on")
def advances_as_drawn(why: Sentence) -> str:
    """Describe a player who advances although they would not by the corrected results."""
    text = _("{why} Still advances: the next round was drawn before the results were corrected.")
    return text.format(why=why).strip()


@stored_sentence("as_drawn_out")
def eliminated_as_drawn(why: Sentence) -> str:
    """Describe a player who does not advance although they would by the corrected results."""
    text = _("{why} Doesn’t advance: the next round was drawn before the results were corrected.")
    return text.format(why=why).strip()


@stored_sentence("not_after_all")
def not_after_all(why: Sentence) -> str:
    """Describe a player whom the organizers have taken out of the next round."""
    return _("{why} Won’t play in the next round after all.").format(why=why).strip()


def _decide_by_results(round_: Round, mine: Sequence[TableResult]) -> RoundOutcome:
    closed = round_.state == Round.State.CLOSED
    if round_.is_final or not closed or not all(o.final for o in mine):
        return NOWHERE
    try:
        decisions = going_on(round_, mine).decisions
    except brackets.BracketError:
        return NOWHERE
    through = frozenset(d.player for d in decisions if d.through)
    return RoundOutcome(through, {d.player: d.why for d in decisions})


# Draws whose results have changed since


def digest_results(round_: Round, results: Sequence[TableResult]) -> str:
    """Return a digest of the results that the round after this one is drawn from.

    `results`: the results of this round's tables.
    """
    tables = [[o.table.number, o.final, o.points, o.left, o.places] for o in results]
    data = [sorted(tables), round_.seating.playoff]
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class ChangedDraw:
    """Consequences of a bracket round's results if they have changed since the next draw.

    Registrations are given by key. `missing` would now be in the next round; `surplus` would not.
    For the `undecided`, a tie-break hand would decide. `seeds`: the current seeds, if only their
    order differs. `why`: a reason by the current results for every player. `problem`: a sentence
    if the results decide nothing.
    """

    missing: tuple[int, ...] = ()
    surplus: tuple[int, ...] = ()
    undecided: tuple[int, ...] = ()
    seeds: tuple[int, ...] = ()
    why: Mapping[int, Sentence] = field(default_factory=dict)
    problem: str = ""

    def list_reasons(self) -> dict[int, Sentence]:
        """Return a reason for every player, which also mentions a draw that differs from it."""
        still = {pk: advances_as_drawn(self.why[pk]) for pk in (*self.surplus, *self.undecided)}
        out = {pk: eliminated_as_drawn(self.why[pk]) for pk in self.missing}
        return {**self.why, **still, **out}


def compare_draw(
    round_: Round, results: Sequence[TableResult], following: Round, here: Collection[int]
) -> ChangedDraw | None:
    """Compare the draw of the `following` round with the current results of this round.

    `here`: the players who are in the following round. Changes by hand count as drawn, and a
    player who has left since the draw is not missing. Returns None if the results are those of the
    draw, or if the only difference is players who have left.
    """
    seating = following.seating
    if not seating.seeds or seating.drawn_from == digest_results(round_, results):
        return None
    if missing := [str(o.table.number) for o in results if not o.final]:
        text = ngettext(
            "Table {tables} no longer has a result.",
            "Tables {tables} no longer have results.",
            len(missing),
        )
        return ChangedDraw(problem=text.format(tables=", ".join(missing)))
    try:
        now = going_on(round_, results, following)
    except brackets.BracketError as error:
        return ChangedDraw(problem=str(error))
    people = [s.registration for o in results for s in o.seats if s.registration]
    return _compare_decisions(now, following, set(here), set(absent(people)))


def _compare_decisions(
    now: brackets.NextRound, following: Round, here: set[int], departed: set[int]
) -> ChangedDraw | None:
    seeds = following.seating.seeds
    through = {d.player: d.through for d in now.decisions}
    drawn = [pk for pk in seeds if pk in here and pk not in departed]
    surplus = [pk for pk in drawn if through.get(pk) is False]
    undecided = [pk for pk in drawn if pk in through and through[pk] is None]
    missing = [pk for pk, sure in through.items() if sure and pk not in here and pk not in seeds]
    lost = departed & set(seeds)
    if lost and not surplus and not undecided and len(missing) <= len(lost):
        return None
    kept = [pk for pk in now.seeds if pk in drawn]
    reordered = not following.seating.changed and kept != [pk for pk in drawn if pk in kept]
    return ChangedDraw(
        tuple(missing),
        tuple(surplus),
        tuple(undecided),
        now.seeds if reordered else (),
        {d.player: d.why for d in now.decisions},
    )
