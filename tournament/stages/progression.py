"""Advancing from a round of a bracket, and why: by its results, or as drawn since."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.models import Registration, Round, Stage
from tournament.pure import brackets
from tournament.pure.sentences import Sentence, stored_sentence
from tournament.results.queries import TableResult, rules_of
from tournament.results.stages import order_of
from tournament.stages.cut import absent


def shape_of(stage: Stage) -> brackets.Shape:
    """Return the bracket that the organizer has asked for.

    Raises brackets.BracketError, in words.
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


def drawn_as(played: Round, found: Sequence[TableResult]) -> brackets.BracketDraw:
    """Return the round as the bracket takes it.

    `found`: the results of its tables.
    """
    return brackets.BracketDraw(
        tuple(tuple(o.people) for o in found),
        played.seating.byes,
    )


def going_on(played: Round, found: Sequence[TableResult]) -> brackets.NextRound:
    """Decide who advances from a bracket round by the final results of its tables.

    The round is not the final.

    Raises brackets.BracketError, in words.
    """
    drawn = drawn_as(played, found)
    people = [s.registration for o in found for s in o.seats if s.registration]
    byes = list(played.stage.event.registrations.filter(pk__in=drawn.byes)) if drawn.byes else []
    return brackets.next_round(
        drawn,
        [o.as_counted() for o in found],
        shape_of(played.stage),
        {r.pk: r.name for r in [*people, *byes]},
        list_seeds(played, drawn),
        gone=_explain_absences([*people, *byes]),
        hands=played.seating.playoff,
    )


def _explain_absences(people: Collection[Registration]) -> dict[int, str]:
    """Return the reasons for players who cannot advance, by registration.

    They have left for good, or are marked absent as the next round is drawn.
    """
    marked = {r.pk: "absent" for r in people if r.absent_at}
    return marked | absent(people)


def list_seeds(played: Round, drawn: brackets.BracketDraw) -> list[int]:
    """Return the round's seeds after changes by hand.

    A player who was taken out is gone, and one who was added comes last.
    """
    here = {pk for table in drawn.tables for pk in table} | set(drawn.byes)
    kept = [pk for pk in played.seating.seeds if pk in here]
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
    played: Round, found: Sequence[TableResult], following: Round | None
) -> RoundOutcome:
    """As `following`, the next round, was drawn; before that by the results of this round alone.

    `found`: the results of both rounds. Empty while the round is open, and of a final.
    """
    mine = [o for o in found if o.table.round_id == played.pk]
    if following is None:
        return _decide_by_results(played, mine)
    later = [o for o in found if o.table.round_id == following.pk]
    through = frozenset(_find_players(later)) | set(following.seating.byes)
    # Rounds that were drawn before it was kept know it by their results alone.
    why = dict(following.seating.why) or _decide_by_results(played, mine).why
    drawn = set(following.seating.seeds)
    by_hand = {pk: _describe_move(why, pk, drawn) for pk in _find_players(mine) & (drawn ^ through)}
    return RoundOutcome(through, {**why, **by_hand})


def _find_players(found: Iterable[TableResult]) -> set[int]:
    return {player for o in found for player in o.people}


def _describe_move(why: Mapping[int, Sentence], player: int, drawn: Collection[int]) -> Sentence:
    """Describe a player whose place in the next round changed after its draw."""
    if player not in drawn:
        return given_place()
    return not_after_all(why.get(player, Sentence()))


@stored_sentence("given_place")
def given_place() -> str:
    """Describe a player whom the organizers have put into the next round."""
    return _("Given a spot in the next round by the organizers.")


@stored_sentence("not_after_all")
def not_after_all(why: Sentence) -> str:
    """Describe a player whom the organizers have taken out of the next round."""
    return _("{why} Won’t play in the next round after all.").format(why=why).strip()


def _decide_by_results(played: Round, mine: Sequence[TableResult]) -> RoundOutcome:
    closed = played.state == Round.State.CLOSED
    if played.is_final or not closed or not all(o.final for o in mine):
        return NOWHERE
    try:
        decisions = going_on(played, mine).decisions
    except brackets.BracketError:
        return NOWHERE
    through = frozenset(d.player for d in decisions if d.through)
    return RoundOutcome(through, {d.player: d.why for d in decisions})
