"""The cut after a stage, the draw of a bracket round, and the announcement of the winner."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tournament.advancing.qualifiers import enter_all_players
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import Event, LogAction, Qualifier, Round, Stage, User
from tournament.oversight.audit import identify_place, record
from tournament.oversight.conflicts import (
    describe_event_change,
    describe_round_change,
    describe_stage_change,
)
from tournament.oversight.public_history import email_history_head
from tournament.oversight.second_person import check_nothing_pending
from tournament.pure import brackets
from tournament.pure.arrangement import RoundSeating
from tournament.pure.brackets.tables import number_tables
from tournament.pure.codes import Code
from tournament.pure.qualifying import Cut, Playoff, RuleError
from tournament.pure.sentences import Sentence
from tournament.results import queries as read
from tournament.results.stages import StageResults, stage_results
from tournament.results.table_result import TableResult
from tournament.rounds.services import is_stage_played
from tournament.seating import draws
from tournament.seating.bracket_rounds import get_bracket_shape, store_plan
from tournament.seating.left_out import check_left_out_confirmed
from tournament.seating.queries import find_turn, rules_for
from tournament.seating.services import check_seen, store_draft
from tournament.stages import progression as onward
from tournament.stages.cut import CutRule, compute_cut, list_cut_warnings
from tournament.stages.outdated_draws import check_nothing_outdated
from tournament.stages.walkover import find_sole_player, find_sole_player_in
from tournament.stages.winners import Winner, find_deciding_stage, find_winner, is_decided


def preview_cut(results: StageResults, rule: CutRule) -> Cut:
    """Return the cut that the rule would make. Raises RefusedError with the code `rule`."""
    try:
        return compute_cut(results, rule)
    except RuleError as error:
        raise RefusedError(Code.RULE, str(error)) from error


@transaction.atomic
def qualify(
    stage: Stage, actor: User, rule: CutRule, expected: Sequence[int], *, sure: bool = True
) -> list[Qualifier]:
    """Close the stage, and let the players in the preview advance.

    `expected` contains the registration ids of these players. Unless `sure`, a cut with warnings is
    refused. Raises RefusedError with the code `state`, `open-round`, `last`, `waiting`,
    `outdated`, `rule`, `unsure`, `playoff` or `changed`.
    """
    event = lock_event(stage.event, stage)
    _check_can_be_cut(stage)
    _check_has_next_stage(stage)
    check_nothing_pending(event)
    check_nothing_outdated(event)
    results = stage_results(stage)
    outcome = preview_cut(results, rule)
    if not sure and list_cut_warnings(results, outcome):
        raise RefusedError(
            Code.UNSURE, _("Read the warnings and confirm that you want to continue.")
        )
    if outcome.playoffs:
        raise RefusedError(
            Code.PLAYOFF,
            _(
                "Players tied for the last spot have to play a tie-break hand. Enter its "
                "finishing order first."
            ),
        )
    if list(outcome.through) != list(expected):
        raise RefusedError(
            Code.CHANGED,
            _("The results have changed since this preview was made. Check the new preview."),
        )
    stage.qualify_rule, stage.qualify_value = rule.kind, rule.value
    stage.cut_ties, stage.min_matches = rule.ties, rule.min_matches
    stage.state = Stage.State.CLOSED
    stage.save()
    drafts = stage.rounds.filter(state=Round.State.DRAFT)
    draws.record_discarded_draws(event, actor, drafts, "")
    drafts.delete()
    qualifiers = _create_qualifiers(event, stage, outcome)
    data = {"stage": stage.number, "through": outcome.through}
    record(event, actor, LogAction.QUALIFY, lambda: outcome.sentence, "", **data)
    return qualifiers


def _check_can_be_cut(stage: Stage) -> None:
    if stage.state == Stage.State.CLOSED:
        raise RefusedError(Code.STATE, describe_stage_change(stage))
    if not is_stage_played(stage):
        text = _("Finish {stage} and close its rounds first.")
        raise RefusedError(Code.OPEN_ROUND, text.format(stage=stage))


def _check_has_next_stage(stage: Stage) -> None:
    if not stage.event.stages.filter(number=stage.number + 1).exists():
        text = _(
            "{stage} is the last stage, so no one advances from it. Its standings decide the event."
        )
        raise RefusedError(Code.LAST, text.format(stage=stage))


def _create_qualifiers(event: Event, stage: Stage, outcome: Cut) -> list[Qualifier]:
    following = event.stages.get(number=stage.number + 1)
    why = {decision.player: decision.why for decision in outcome.decisions}
    return Qualifier.objects.bulk_create(
        Qualifier(stage=following, registration_id=pk, seed=seed, why=why[pk])
        for seed, pk in enumerate(outcome.through, 1)
    )


@transaction.atomic
def undo_qualify(stage: Stage, actor: User, reason: str) -> Stage:
    """Reopen the stage if nothing in the next stage has been published.

    Raises RefusedError with the code `no-reason`, `state` or `begun`.
    """
    event = lock_event(stage.event, stage)
    check_reason(reason, _("Give a reason for reopening the stage."))
    if stage.state != Stage.State.CLOSED:
        raise RefusedError(Code.STATE, describe_stage_change(stage))
    later = Round.objects.filter(stage__event=event, stage__number__gt=stage.number)
    if later.exclude(state=Round.State.DRAFT).exists():
        raise RefusedError(Code.BEGUN, _("The next stage has begun, so its players stay the same."))
    later.delete()
    Qualifier.objects.filter(stage__event=event, stage__number__gt=stage.number).delete()
    stage.state = Stage.State.OPEN
    stage.save(update_fields=["state"])
    text = translate_later(gettext_noop("Reopened {stage}."), stage=stage)
    record(event, actor, LogAction.UNDO_QUALIFY, text, reason, stage=stage.number)
    return stage


@transaction.atomic
def draw_bracket(
    stage: Stage, actor: User, *, seen: str | None = None, without: Collection[int] = ()
) -> Round:
    """Draw the bracket's next round as a draft, replacing any existing draft.

    `without` is as for `seat_round`. Raises RefusedError with the code `not-open`, `open-round`,
    `waiting`, `changed`, `over`, `shape`, `few`, `no-result`, `playoff`, `no-progress` or
    `left-out`.
    """
    event = lock_event(stage.event, stage)
    enter_all_players(stage)
    number = _find_next_round_number(stage)
    check_left_out_confirmed(stage, number, without)
    check_nothing_pending(event)
    check_seen(stage, number, seen)
    if sole_player := find_sole_player(event):
        text = _("Only {name} is left. Announce the winner.")
        raise RefusedError(Code.OVER, text.format(name=sole_player.name))
    bracket_entrants = _find_bracket_entrants(stage, number)
    rules = rules_for(
        stage, event.registrations.filter(pk__in=bracket_entrants.seeds), find_turn(stage, number)
    )
    try:
        drawn = brackets.draw_tables(
            bracket_entrants.seeds, get_bracket_shape(stage), bracket_entrants.met, rules
        )
    except brackets.BracketError as error:
        raise RefusedError(Code.FEW, str(error)) from error
    details = RoundSeating(
        seeds=tuple(bracket_entrants.seeds),
        byes=drawn.byes,
        why=bracket_entrants.why,
        drawn_from=bracket_entrants.drawn_from,
    )
    played = store_draft(stage, number, number_tables(drawn.tables, rules), details)
    store_plan(played)
    record(
        event,
        actor,
        LogAction.SEAT,
        lambda: _("Drew the tables for {stage}: {plan}").format(
            stage=stage, plan=played.seating.plan
        ),
        "",
        **identify_place(played),
        seeds="lots" if stage.number == number == 1 else "results",
    )
    return played


def _find_next_round_number(stage: Stage) -> int:
    if not stage.qualifiers.filter(active=True).exists():
        raise RefusedError(
            Code.NOT_OPEN, _("No one has advanced to {stage} yet.").format(stage=stage)
        )
    last = stage.rounds.order_by("-number").first()
    if last is None:
        return 1
    if last.state == Round.State.DRAFT:
        return last.number
    if last.state != Round.State.CLOSED:
        raise RefusedError(Code.OPEN_ROUND, f"{describe_round_change(last)} {_('Close it first.')}")
    if last.is_final:
        raise RefusedError(Code.OVER, _("The final has been played. Announce the winner."))
    return last.number + 1


@dataclass(frozen=True)
class _BracketEntrants:
    """The players for the draw of a bracket round.

    * `seeds`: the players, best first.
    * `met`: groups of players who have already met.
    * `why`: the reason for each player's place in the round.
    * `drawn_from`: a digest of the results on which the draw is based.
    """

    seeds: Sequence[int]
    met: Sequence[Sequence[int]] = ()
    why: tuple[tuple[int, Sentence], ...] = ()
    drawn_from: str = ""


def _find_bracket_entrants(stage: Stage, number: int) -> _BracketEntrants:
    if number == 1:
        present = stage.qualifiers.filter(active=True, registration__absent_at=None)
        active = present.order_by("seed", "pk")
        return _BracketEntrants(list(active.values_list("registration_id", flat=True)))
    last = stage.rounds.get(number=number - 1)
    results = read.table_results(last)
    following, drawn = decide_next_round(last, results)
    if following.playoffs:
        hands = "; ".join(map(_describe_playoff_hand, following.playoffs))
        text = _("A tie-break hand must be played for the last spot ({hands}).")
        raise RefusedError(Code.PLAYOFF, text.format(hands=hands))
    if len(following.seeds) >= len(following.decisions):
        raise RefusedError(
            Code.NO_PROGRESS,
            _(
                "All players are tied and would advance together, so no one would ever be "
                "eliminated. In the settings of the second round, choose drawing lots or a "
                "tie-break hand for ties at the cut."
            ),
        )
    why = tuple((decision.player, decision.why) for decision in following.decisions)
    return _BracketEntrants(
        following.seeds, drawn.tables, why, onward.digest_results(last, results)
    )


def _describe_playoff_hand(playoff: Playoff) -> str:
    text = ngettext(
        "{count} players for {places} spot {where}",
        "{count} players for {places} spots {where}",
        playoff.places,
    )
    return text.format(where=playoff.where, count=len(playoff.players), places=playoff.places)


def decide_next_round(
    round_: Round, results: Sequence[TableResult] | None = None
) -> tuple[brackets.NextRound, brackets.BracketDraw]:
    """Decide who advances from a bracket round. Return the decision and the round's own draw.

    `results` are the round's results, if already loaded. Raises RefusedError with the code
    `no-result` or `shape`.
    """
    results = read.table_results(round_) if results is None else results
    missing = [str(result.table.number) for result in results if not result.final]
    if missing:
        text = ngettext(
            "Table {tables} has no result. Enter one by hand first.",
            "Tables {tables} have no results. Enter them by hand first.",
            len(missing),
        )
        raise RefusedError(Code.NO_RESULT, text.format(tables=", ".join(missing)))
    try:
        return onward.decide_advancing(round_, results), onward.make_bracket_draw(round_, results)
    except brackets.BracketError as error:
        raise RefusedError(Code.SHAPE, str(error)) from error


@transaction.atomic
def announce_winner(event: Event, actor: User) -> Winner:
    """Finish the event and publish its winner.

    Raises RefusedError with the code `state`, `waiting`, `open`, `outdated` or `none`.
    """
    event = lock_event(event)
    if event.state == Event.State.FINISHED:
        raise RefusedError(Code.STATE, describe_event_change(event))
    check_nothing_pending(event)
    rounds = Round.objects.filter(stage__event=event)
    if rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING)).exists():
        raise RefusedError(Code.OPEN, _("A round is still open. Close it or withdraw its seats."))
    check_nothing_outdated(event)
    results = stage_results(event)
    winner = find_winner(results) if is_decided(event, find_sole_player_in(results)) else None
    if winner is None:
        raise RefusedError(
            Code.NONE, _("The winner has not been decided yet. Play all rounds first.")
        )
    _set_last_stage_state(event, Stage.State.CLOSED)
    event.state = Event.State.FINISHED
    event.save(update_fields=["state"])
    winners = [person.pk for person in winner.shared]
    record(event, actor, LogAction.WINNER, lambda: _describe_announcement(winner), winners=winners)
    email_history_head(event)
    return winner


def _set_last_stage_state(event: Event, state: Stage.State) -> None:
    """Close the last stage when the winner is announced, or open it when that is undone.

    Only an event that ends with rounds, without a cut, needs this.
    """
    last = event.stages.order_by("number").last()
    if last and last.format == Stage.Format.ROUNDS and last == find_deciding_stage(event):
        event.stages.filter(pk=last.pk).update(state=state)


def _describe_announcement(winner: Winner) -> str:
    return _("Announced: {sentence}.").format(sentence=winner.sentence)


@transaction.atomic
def reopen_event(event: Event, actor: User, reason: str) -> Event:
    """Undo the announcement of the winner.

    Raises RefusedError with the code `no-reason` or `state`.
    """
    event = lock_event(event)
    check_reason(reason, _("Give a reason for undoing the announcement."))
    if event.state != Event.State.FINISHED:
        raise RefusedError(Code.STATE, describe_event_change(event))
    event.state = Event.State.RUNNING
    event.save(update_fields=["state"])
    _set_last_stage_state(event, Stage.State.OPEN)
    record(
        event, actor, LogAction.REOPEN, lambda: _("Undid the announcement of the winner."), reason
    )
    return event
