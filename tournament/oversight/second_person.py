"""Confirmation of far-reaching steps by a second organizer, if the event has one.

A `Step` is one kind of step. The requesting code calls `take`; desk/confirmation.py handles
the second organizer's answer.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import (
    Event,
    LogAction,
    Proposal,
    Registration,
    Round,
    Ruling,
    Stage,
    TableSeat,
    User,
)
from tournament.oversight.audit import record
from tournament.oversight.rights import people_for
from tournament.pure.chain import Facts
from tournament.pure.codes import Code

State = Proposal.State
Kind = Proposal.Kind
Foresee = Callable[["Step", "StepRequest"], Facts]
# The format version of `Proposal.facts`.
VERSION = 1
# The key in `Proposal.facts` of a ruling that takes effect before confirmation, so that play
# stops.
AT_ONCE = "at_once"
# The kinds that change who plays on.
WHO_PLAYS_ON = (Kind.TAKE_OUT, Kind.RULING, Kind.RULING_OFF)


@dataclass(frozen=True)
class StepRequest:
    """A step that `actor` requests.

    `facts` are keys and codes. `second` is the person who has confirmed the step, None without
    a confirmation.
    `played`: the round whose results the step changes.
    """

    event: Event
    actor: User
    facts: Facts
    reason: str
    played: Round | None = None
    second: User | None = None


def _do_nothing(_deed: StepRequest) -> str:
    """Do nothing, because most steps leave nothing to clean up."""
    return ""


def _is_no_ones(_deed: StepRequest, _second: User) -> bool:
    """Return False, because most steps are not a personal matter of the second organizer."""
    return False


@dataclass(frozen=True)
class Step:
    """A kind of far-reaching step, defined by its functions.

    `check` refuses a step that is impossible, or no longer possible in the situation for which
    it was requested. `do` performs it.
    `drop` cleans up after a step that is not performed: pending rows and preparations. It
    returns a description of the outcome.
    `right`: people with this right (rights_table.py) may confirm the step, except those whom
    `own` reports as personally concerned.
    """

    kind: Kind
    check: Callable[[StepRequest], None]
    do: Callable[[StepRequest], object]
    drop: Callable[[StepRequest], str] = _do_nothing
    right: str = "confirm"
    own: Callable[[StepRequest, User], bool] = _is_no_ones


def _make_no_forecast(_step: Step, _deed: StepRequest) -> Facts:
    return {}


def _find_first_waiting(_played: Round, waiting: Sequence[Proposal]) -> Proposal | None:
    return next(iter(waiting), None)


@dataclass(frozen=True)
class StepOutlook:
    """Effects of steps, supplied by code that knows every kind of step.

    `foresee`: the expected effect that is kept with a proposal.
    `unsettling`: the first pending proposal that could change the seats of a round, None if
    none can.
    """

    foresee: Foresee = _make_no_forecast
    unsettling: Callable[[Round, Sequence[Proposal]], Proposal | None] = _find_first_waiting


_outlook = StepOutlook()


def install(outlook: StepOutlook) -> None:
    """Set the outlook for all steps; called once at startup."""
    global _outlook
    _outlook = outlook


def needs_second(event: Event, actor: User, right: str = "confirm") -> bool:
    """Return whether a far-reaching step of this person has to wait for a second organizer.

    It does if the event's rule requires it and another person has the right.
    """
    if event.second_person == Event.SecondPerson.OFF:
        return False
    return people_for(event, right).exclude(pk=actor.pk).exists()


def take(step: Step, deed: StepRequest) -> Proposal | None:
    """Perform the step, or return the proposal that waits for a second organizer.

    The step needs a reason. Call with the event locked. Refused with: no-reason, asked, and what
    the step refuses.
    """
    check_reason(
        deed.reason, _("Give a reason. The reason stays on record, and everyone can read it.")
    )
    step.check(deed)
    return settle(step, deed)


def settle(step: Step, deed: StepRequest, *, far: bool = True) -> Proposal | None:
    """Perform a checked step, or return its proposal if a second organizer has to confirm it.

    Only a `far` step can need a confirmation. Call with the event locked. Refused with: asked.
    """
    if far and needs_second(deed.event, deed.actor, step.right):
        return ask(step, deed)
    step.do(deed)
    return None


def ask(step: Step, deed: StepRequest) -> Proposal:
    """Store the step as a proposal for a second organizer, with its currently expected effect.

    Refused with: asked, and what the step refuses.
    """
    facts = {"version": VERSION, **deed.facts}
    check_not_asked(step, deed)
    proposal = Proposal.objects.create(
        event=deed.event,
        kind=step.kind,
        facts=facts,
        foreseen=_outlook.foresee(step, deed),
        round=deed.played,
        reason=deed.reason.strip()[:300],
        asked_by=deed.actor,
    )
    told = translate_later(
        gettext_noop("Asked a second organizer to confirm (request no. {number})."),
        number=proposal.pk,
    )
    record(
        deed.event,
        deed.actor,
        LogAction.ASK,
        told,
        deed.reason,
        proposal=proposal.pk,
        kind=step.kind,
    )
    return proposal


def check_not_asked(step: Step, deed: StepRequest) -> None:
    """Refuse a step that has already been requested and is still pending.

    Refused with: asked.
    """
    same = deed.event.proposals.filter(state=State.WAITING, kind=step.kind)
    wanted = _select_asked_facts({"version": VERSION, **deed.facts})
    if any(_select_asked_facts(proposal.facts) == wanted for proposal in same):
        raise RefusedError(
            Code.ASKED, _("This has already been requested and is waiting for a second organizer.")
        )


def _select_asked_facts(facts: Facts) -> Facts:
    return {key: value for key, value in facts.items() if key != AT_ONCE}


def check_nothing_waits(event: Event, round_: Round | None = None) -> None:
    """Refuse to close a round, or make a cut, while a proposal could change its outcome.

    With `round_`, only proposals about that round count; otherwise those about any round or
    about which players advance.
    Refused with: waiting.
    """
    waiting = event.proposals.filter(state=State.WAITING)
    if round_ is None:
        waiting = waiting.filter(Q(round__isnull=False) | Q(kind__in=WHO_PLAYS_ON))
    else:
        waiting = waiting.filter(round=round_)
    if first := waiting.select_related("round__stage", "asked_by").first():
        raise RefusedError(Code.WAITING, f"{_name_asker(first)} {_describe_first_step()}")


def find_rulings_about(round_: Round) -> list[Proposal]:
    """Return the pending proposals that would remove a player seated in the round.

    They are proposals that change which players continue.
    """
    rows = Proposal.objects.filter(state=State.WAITING, kind__in=WHO_PLAYS_ON)
    waiting = list(rows.filter(event=round_.stage.event).select_related("event", "asked_by"))
    return [each for each in waiting if _is_seated_in(round_, _find_player(each))]


def check_no_ruling_waits(round_: Round) -> None:
    """Refuse to close a round while a decision about one of its players waits.

    Refused with: waiting.
    """
    if waiting := find_rulings_about(round_):
        text = _(
            "A decision about {player}, requested by {name}, is waiting for a second organizer."
        )
        told = text.format(player=_find_player(waiting[0]).name, name=waiting[0].asked_by)
        raise RefusedError(Code.WAITING, f"{told} {_describe_first_step()}")


def _find_player(proposal: Proposal) -> Registration:
    """Return the player whose registration a proposal would change."""
    people, facts = proposal.event.registrations, proposal.facts
    if proposal.kind == Kind.RULING_OFF:
        return people.get(rulings=facts["ruling"])
    return people.get(pk=facts["registration"])


def _is_seated_in(round_: Round, person: Registration) -> bool:
    seats = TableSeat.objects.filter(table__round=round_)
    return seats.filter(Q(registration=person) | Q(substitute=person)).exists()


def check_no_player_leaves(event: Event, people: Collection[int]) -> None:
    """Refuse to start a round with players whose removal from the event is pending.

    `people` are keys of registrations.
    Refused with: waiting.
    """
    waiting = event.proposals.filter(state=State.WAITING, kind__in=(Kind.TAKE_OUT, Kind.RULING))
    for proposal in waiting.select_related("asked_by"):
        if proposal.facts["registration"] in people and not _is_point_deduction(proposal):
            person = event.registrations.get(pk=proposal.facts["registration"])
            text = _("{name} has requested that {player} be removed from the event.")
            told = text.format(player=person.name, name=proposal.asked_by)
            take_out = _("Alternatively, remove {player} from this round.").format(
                player=person.name
            )
            raise RefusedError(Code.WAITING, f"{told} {_describe_first_step()} {take_out}")


def check_not_reopening(event: Event, stage: Stage) -> None:
    """Refuse to continue after a stage while reopening one of its rounds is pending.

    Refused with: waiting.
    """
    waiting = event.proposals.filter(
        state=State.WAITING, kind=Kind.REOPEN_ROUND, round__stage=stage
    )
    if first := waiting.select_related("round__stage", "asked_by").first():
        raise RefusedError(Code.WAITING, f"{_name_asker(first)} {_describe_first_step()}")


def check_settled(event: Event, round_: Round) -> None:
    """Refuse to continue with a round while a proposal could change who has a seat in it.

    In a bracket, proposals about all earlier rounds count; in a stage after a cut, those about
    the stages before the cut. A proposal that leaves the same people at the same tables does
    not block the round. Call with the event locked.
    Refused with: waiting.
    """
    stage = round_.stage
    before = Q(stage__number__lt=stage.number)
    if stage.format == Stage.Format.BRACKET:
        before |= Q(stage=stage, number__lt=round_.number)
    earlier = Round.objects.filter(before, stage__event=event)
    if not earlier.exists():
        return
    points = Q(kind=Kind.RULING, facts__kind=Ruling.Kind.POINTS)
    changes = Q(round__in=earlier) | points | Q(kind=Kind.RULING_OFF)
    rows = event.proposals.filter(changes, state=State.WAITING)
    waiting = list(rows.select_related("event", "round__stage", "asked_by"))
    if waiting and (first := _outlook.unsettling(round_, waiting)):
        told = _("The outcome may change who has a seat in {round}.").format(round=round_)
        raise RefusedError(Code.WAITING, f"{_name_asker(first)} {told} {_describe_first_step()}")


def _is_point_deduction(proposal: Proposal) -> bool:
    return bool(proposal.facts.get("kind") == Ruling.Kind.POINTS)


def _name_asker(proposal: Proposal) -> str:
    name = proposal.asked_by
    if proposal.round is not None:
        text = _("A change to {round}, requested by {name}, is waiting for a second organizer.")
        return text.format(round=proposal.round, name=name)
    if proposal.kind == Kind.RULING_OFF:
        text = _("A request by {name} to undo a ruling is waiting for a second organizer.")
    elif _is_point_deduction(proposal):
        text = _(
            "A request by {name} to change a player’s points is waiting for a second organizer."
        )
    else:
        text = _("A request by {name} to remove a player is waiting for a second organizer.")
    return text.format(name=name)


def _describe_first_step() -> str:
    return _("Confirm, reject or withdraw the request first, under “Confirmations”.")
