"""From the first round to the winner: who goes through, the bracket, the announcement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament import brackets
from tournament.brackets.tables import numbered
from tournament.models import Event, Qualifier, Round, Stage, User
from tournament.qualifying import Cut, Playoff, RuleError
from tournament.queries import going_on as onward
from tournament.queries import results as read
from tournament.queries.cut import CutRule, cut, doubts
from tournament.queries.last_one import last_one
from tournament.queries.misfit import LEFT, misfit
from tournament.queries.seats import rules_for, turn_of
from tournament.queries.shapes import Winner
from tournament.queries.stage_results import StageResults, stage_results
from tournament.queries.winners import deciding_stage, is_decided, winner_by
from tournament.seating import RoundSeating
from tournament.services import draws
from tournament.services.audit import record, where
from tournament.services.bracket_rounds import describe, shape_of
from tournament.services.errors import Refused
from tournament.services.language import of_the_site
from tournament.services.locks import lock_event
from tournament.services.qualifiers import enter_all
from tournament.services.rounds import stage_is_played
from tournament.services.seatings import check_seen, store_draft
from tournament.services.second import check_nothing_waits


def preview_cut(results: StageResults, rule: CutRule) -> Cut:
    """Whom the rule would send through. Refused with: rule."""
    try:
        return cut(results, rule)
    except RuleError as error:
        raise Refused("rule", str(error)) from error


@transaction.atomic
def qualify(
    stage: Stage, actor: User, rule: CutRule, expected: Sequence[int], *, sure: bool = True
) -> list[Qualifier]:
    """Close the stage and send through whom the preview showed (`expected`, registration ids).

    Who is not `sure` is asked first where something is unusual. Refused with: state, open-round,
    last, waiting, rule, unsure, playoff, changed.
    """
    event = lock_event(stage.event)
    stage.refresh_from_db()
    _check_played(stage)
    _check_followed(stage)
    check_nothing_waits(event)
    results = stage_results(stage)
    outcome = preview_cut(results, rule)
    if not sure and doubts(results, outcome):
        raise Refused("unsure", _("Please read what is unusual here, and say that it is meant."))
    if outcome.playoffs:
        raise Refused(
            "playoff",
            _("Some are level for the last place and play a hand for it: enter its order."),
        )
    if list(outcome.through) != list(expected):
        raise Refused("changed", _("The results have changed since this preview: look once more."))
    stage.qualify_rule, stage.qualify_value = rule.kind, rule.value
    stage.cut_ties, stage.min_matches = rule.ties, rule.min_matches
    stage.state = Stage.State.CLOSED
    stage.save()
    with of_the_site():
        kept = preview_cut(results, rule)
    drafts = stage.rounds.filter(state=Round.State.DRAFT)
    draws.throw_away(event, actor, drafts, "")
    drafts.delete()
    made = _store(event, stage, kept)
    data = {"stage": stage.number, "through": kept.through}
    record(event, actor, "qualify", lambda: kept.sentence, "", **data)
    return made


def _check_played(stage: Stage) -> None:
    if stage.state == Stage.State.CLOSED:
        raise Refused("state", _("{stage} is closed already.").format(stage=stage))
    if not stage_is_played(stage):
        text = _("{stage} has to be played and its rounds closed first.")
        raise Refused("open-round", text.format(stage=stage))


def _check_followed(stage: Stage) -> None:
    if not stage.event.stages.filter(number=stage.number + 1).exists():
        text = _("{stage} is the last stage: nobody goes through, its standings decide.")
        raise Refused("last", text.format(stage=stage))


def _store(event: Event, stage: Stage, outcome: Cut) -> list[Qualifier]:
    following = event.stages.get(number=stage.number + 1)
    notes = {d.player: d.sentence for d in outcome.decisions}
    return Qualifier.objects.bulk_create(
        Qualifier(stage=following, registration_id=pk, seed=seed, note=notes[pk])
        for seed, pk in enumerate(outcome.through, 1)
    )


@transaction.atomic
def undo_qualify(stage: Stage, actor: User, reason: str) -> Stage:
    """Open the stage again, as long as nothing of the next has been published.

    Refused with: no-reason, state, begun.
    """
    event = lock_event(stage.event)
    stage.refresh_from_db()
    if not reason.strip():
        raise Refused("no-reason", _("Please say why the stage is opened again."))
    if stage.state != Stage.State.CLOSED:
        raise Refused("state", _("{stage} is open.").format(stage=stage))
    later = Round.objects.filter(stage__event=event, stage__number__gt=stage.number)
    if later.exclude(state=Round.State.DRAFT).exists():
        raise Refused("begun", _("The next stage has begun: its players stay as they are."))
    later.delete()
    Qualifier.objects.filter(stage__event=event, stage__number__gt=stage.number).delete()
    stage.state = Stage.State.OPEN
    stage.save(update_fields=["state"])

    def text() -> str:
        return _("Opened {stage} again.").format(stage=stage)

    record(event, actor, "undo-qualify", text, reason, stage=stage.number)
    return stage


@transaction.atomic
def leave_cut(
    event: Event, actor: User, expected: Mapping[str, Sequence[int]], reason: str
) -> None:
    """Say that a cut stays although the results, corrected since, would send others through.

    `expected`: what the page showed, as Misfit.facts. Refused with: no-reason, changed.
    """
    event = lock_event(event)
    if not reason.strip():
        raise Refused("no-reason", _("Please say why it stays; everybody reads it."))
    found = misfit(event)
    if found is None or found.facts != expected:
        raise Refused("changed", _("The results have changed since you looked: look once more."))

    def text() -> str:
        return _("Left the cut of {stage} as it was made.").format(stage=found.stage)

    record(event, actor, LEFT, text, reason, stage=found.stage.number, **found.facts)


@transaction.atomic
def draw_bracket(stage: Stage, actor: User, *, seen: str | None = None) -> Round:
    """Draft the bracket's next round, or draw its draft again.

    Refused with: not-open, open-round, waiting, changed, over, shape, few, no-result, playoff,
    no-progress.
    """
    event = lock_event(stage.event)
    stage.refresh_from_db()
    enter_all(stage)
    number = _next_number(stage)
    check_nothing_waits(event)
    check_seen(stage, number, seen)
    if left := last_one(event):
        text = _("Only {name} is left: announce the winner.")
        raise Refused("over", text.format(name=left.name))
    coming = _coming(stage, number)
    rules = rules_for(
        stage, event.registrations.filter(pk__in=coming.seeds), turn_of(stage, number)
    )
    try:
        drawn = brackets.draw(coming.seeds, shape_of(stage), coming.met, rules)
    except brackets.BracketError as error:
        raise Refused("few", str(error)) from error
    details = RoundSeating(seeds=tuple(coming.seeds), byes=drawn.byes, why=coming.why)
    played = store_draft(stage, number, numbered(drawn.tables, rules), details)
    describe(played)
    record(
        event,
        actor,
        "seat",
        lambda: _("Drew {stage}: {plan}").format(stage=stage, plan=played.seating.plan),
        "",
        **where(played),
    )
    return played


def _next_number(stage: Stage) -> int:
    if not stage.qualifiers.filter(active=True).exists():
        raise Refused("not-open", _("Nobody has qualified for {stage} yet.").format(stage=stage))
    last = stage.rounds.order_by("-number").first()
    if last is None:
        return 1
    if last.state == Round.State.DRAFT:
        return last.number
    if last.state != Round.State.CLOSED:
        text = _("{round} is {state}: close it first.")
        raise Refused("open-round", text.format(round=last, state=last.get_state_display()))
    if last.is_final:
        raise Refused("over", _("The final has been played: announce the winner."))
    return last.number + 1


@dataclass(frozen=True)
class _Coming:
    """Whom a bracket round is drawn from, best first, who has met, and why they come."""

    seeds: Sequence[int]
    met: Sequence[Sequence[int]] = ()
    why: tuple[tuple[int, str], ...] = ()


def _coming(stage: Stage, number: int) -> _Coming:
    if number == 1:
        here = stage.qualifiers.filter(active=True, registration__absent_at=None)
        active = here.order_by("seed", "pk")
        return _Coming(list(active.values_list("registration_id", flat=True)))
    last = stage.rounds.get(number=number - 1)
    following, drawn = going_on(last)
    if following.playoffs:
        hands = "; ".join(map(_hand_text, following.playoffs))
        text = _("A hand must be played for the last place ({hands}).")
        raise Refused("playoff", text.format(hands=hands))
    if len(following.seeds) >= len(following.decisions):
        raise Refused(
            "no-progress",
            _(
                "All are level and would go on together, so nobody would ever go out. Choose lots "
                "or a hand for ties on the cut in the settings of the second round."
            ),
        )
    with of_the_site():
        kept, _same = going_on(last)
    why = tuple((d.player, d.sentence) for d in kept.decisions)
    return _Coming(following.seeds, drawn.tables, why)


def _hand_text(play: Playoff) -> str:
    text = ngettext(
        "{where}: {count} player for {places}",
        "{where}: {count} players for {places}",
        len(play.players),
    )
    return text.format(where=play.where, count=len(play.players), places=play.places)


def going_on(
    played: Round, supposed: Sequence[read.TableResult] | None = None
) -> tuple[brackets.NextRound, brackets.Draw]:
    """Who goes on from a bracket round, by its results or supposed ones.

    Refused with: no-result, shape.
    """
    found = read.table_results(played) if supposed is None else supposed
    missing = [str(o.table.number) for o in found if not o.final]
    if missing:
        text = ngettext(
            "No result from table {tables}: enter one by hand first.",
            "No result from tables {tables}: enter one by hand first.",
            len(missing),
        )
        raise Refused("no-result", text.format(tables=", ".join(missing)))
    try:
        return onward.going_on(played, found), onward.drawn_as(played, found)
    except brackets.BracketError as error:
        raise Refused("shape", str(error)) from error


@transaction.atomic
def announce_winner(event: Event, actor: User) -> Winner:
    """Finish the event: from now on everybody sees who has won. Refused with: state, waiting,
    open, none."""
    event = lock_event(event)
    if event.state == Event.State.FINISHED:
        raise Refused("state", _("The winner has been announced already."))
    check_nothing_waits(event)
    rounds = Round.objects.filter(stage__event=event)
    if rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING)).exists():
        raise Refused("open", _("A round is still open: close it, or take its seats back."))
    left = last_one(event)
    first = winner_by(stage_results(event), left) if is_decided(event, left) else None
    if first is None:
        raise Refused("none", _("The winner is not decided yet: play all rounds first."))
    _set_last_rounds(event, Stage.State.CLOSED)
    event.state = Event.State.FINISHED
    event.save(update_fields=["state"])
    winners = [person.pk for person in first.shared]
    record(event, actor, "winner", lambda: _announced(first), winners=winners)
    return first


def _set_last_rounds(event: Event, state: Stage.State) -> None:
    """Where the event ends with rounds, without a cut, they end and begin with the announcement."""
    last = event.stages.order_by("number").last()
    if last and last.format == Stage.Format.ROUNDS and last == deciding_stage(event):
        event.stages.filter(pk=last.pk).update(state=state)


def _announced(winner: Winner) -> str:
    return _("Announced: {sentence}.").format(sentence=winner.sentence)


@transaction.atomic
def reopen_event(event: Event, actor: User, reason: str) -> Event:
    """Take back the announcement. Refused with: no-reason, state."""
    event = lock_event(event)
    if not reason.strip():
        raise Refused("no-reason", _("Please say why the announcement is taken back."))
    if event.state != Event.State.FINISHED:
        raise Refused("state", _("No winner has been announced."))
    event.state = Event.State.RUNNING
    event.save(update_fields=["state"])
    _set_last_rounds(event, Stage.State.OPEN)
    record(event, actor, "reopen", lambda: _("Took back the announcement of the winner."), reason)
    return event
