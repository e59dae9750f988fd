"""Progress of an event from the eligibility list to the winner."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.events.texts import join_sentences, match_plan_of
from tournament.models import Event, Registration, Round, Stage
from tournament.pure.formats import match_clauses
from tournament.results.queries import rules_of, table_results
from tournament.results.stages import stage_results
from tournament.results.unplayed import find_unplayed_rounds
from tournament.stages.cut import BEGUN
from tournament.stages.line import line_of
from tournament.stages.outline import count_planned_rounds
from tournament.stages.walkover import find_sole_player
from tournament.stages.winners import Winner, find_winner, is_decided

State = Registration.State


@dataclass(frozen=True)
class DeskStep:
    """A step on the way from the eligibility list to the winner.

    * `key`: the name of the step. A stage has the steps "rounds" and "qualify".
    * `text`: a description of the progress.
    * `figure`: the figure displayed in large type, or "".
    * `state`: "done", "now", "later" or "asks". A step that "asks" needs a decision, but does not
      delay the next steps.
    * `live`: whether a round of the step is in play.
    * `seatable`: whether enough players have a spot to draw seats.
    * `approvable`: the number of waitlisted players for whom a spot is free.
    * `pending`: the number of registrations that need a decision.
    * `stage`: the number of the stage, or 0 for steps that do not belong to a stage.
    """

    key: str
    title: str
    text: str
    figure: str
    state: str
    live: bool = False
    seatable: bool = False
    approvable: int = 0
    pending: int = 0
    stage: int = 0

    @property
    def current(self) -> bool:
        return self.state == "now"


def list_desk_steps(event: Event) -> list[DeskStep]:
    """Return the steps of the event. The first unfinished step has the state "now"."""
    stages = list(event.stages.order_by("number").prefetch_related("rounds"))
    counts = registration_counts(event)
    sole_player = find_sole_player(event)
    steps = [
        _build_list_step(event),
        _build_preparation_step(event, stages),
        _build_registrations_step(event, counts, stages),
        *_iterate_stage_steps(stages, sole_player),
        _build_winner_step(event, sole_player),
    ]
    return _mark_steps(steps)


def _iterate_stage_steps(
    stages: Sequence[Stage], registration: Registration | None
) -> Iterator[DeskStep]:
    """Yield two steps for each stage, its rounds and its cut, up to the last stage with players."""
    alone = _("Only {name} is left.").format(name=registration.name) if registration else ""
    for stage, following in zip_longest(stages, stages[1:]):
        step = _build_rounds_step(stage)
        # If only one player remains, the rounds of all stages after the first count as done.
        yield replace(step, text=alone, state="done") if alone and stage.number > 1 else step
        if following is None:
            return
        through = following.qualifiers.filter(active=True).count()
        yield _build_qualify_step(stage, following, through)
        if stage.state == Stage.State.CLOSED and not through:
            return


def next_step(event: Event) -> DeskStep | None:
    """Return the step that is due now, or None for a finished event."""
    if event.state == Event.State.FINISHED:
        return None
    return next((step for step in list_desk_steps(event) if step.current), None)


def _mark_steps(steps: Iterable[DeskStep]) -> list[DeskStep]:
    """Mark the first unfinished step as "now". The steps after it stay "later"."""
    marked, is_marked = [], False
    for step in steps:
        if step.state == "later" and not is_marked:
            step, is_marked = replace(step, state="now"), True
        marked.append(step)
    return marked


def registration_counts(event: Event) -> dict[str, int]:
    """Count the registrations in each state. States without registrations have the count 0."""
    rows = event.registrations.order_by().values_list("state").annotate(Count("pk"))
    return dict.fromkeys(State.values, 0) | dict(rows)


def pending_count(event: Event) -> int:
    """Count the registrations that need a decision."""
    return event.registrations.filter(state=State.PENDING).count()


def _build_preparation_step(event: Event, stages: list[Stage]) -> DeskStep:
    rules = rules_of(event)
    sentences = [join_sentences(match_clauses(match_plan_of(event)))]
    if any(stage.rotation for stage in stages) and not rules.partners:
        text = _(
            "In this format, everyone partners everyone else once, but partners are turned "
            "off in the rules. Turn them on under “Rules”; otherwise, tables will be drawn "
            "without partners."
        )
        sentences.append(text)
    if any(stage.rotation for stage in stages) and not event.hand_limit:
        text = _(
            "With rotating partners, everyone should deal once, so set at most 4 hands "
            "under “Settings” and no target under “Rules”."
        )
        sentences.append(text)
    done = event.state != Event.State.DRAFT
    if not done:
        sentences.append(_("Only organizers see the event until you publish it."))
    return DeskStep("prepare", _("Rules and dates"), " ".join(sentences), "", _choose_state(done))


def _build_list_step(event: Event) -> DeskStep:
    if not event.eligibility_required:
        text = _("Not needed: anyone with a confirmed email address can register.")
        return DeskStep("list", _("Eligibility list"), text, "", "done")
    students = event.students.count()
    text = _("Students on the list can register.")
    if not students:
        text = _("Upload the list of eligible students.")
    return DeskStep(
        "list", _("Eligibility list"), text, str(students), _choose_state(bool(students))
    )


def _build_registrations_step(
    event: Event, counts: dict[str, int], stages: list[Stage]
) -> DeskStep:
    counted = _("{counts}.").format(counts=", ".join(_iterate_counts(event, counts)))
    waitlist = _describe_waitlist(event, counts)
    text = " ".join(filter(None, [counted, _describe_opening(event), waitlist]))
    begun = bool(stages) and any(r.state != Round.State.DRAFT for r in stages[0].rounds.all())
    waiting = count_approvable(event, counts)
    undecided = event.state != Event.State.FINISHED and (counts[State.PENDING] or waiting)
    return DeskStep(
        "registrations",
        _("Registrations"),
        text,
        _describe_spots(event, counts),
        "asks" if begun and undecided else _choose_state(begun),
        seatable=can_be_seated(event, counts),
        approvable=waiting,
        pending=counts[State.PENDING],
    )


def count_approvable(event: Event, counts: Mapping[str, int]) -> int:
    """Count the waitlisted players for whom a spot is free.

    Before play begins the count is 0, because players then move up automatically.
    """
    if event.state != Event.State.RUNNING:
        return 0
    if event.capacity is None:
        return counts[State.WAITLIST]
    return min(counts[State.WAITLIST], max(0, event.capacity - _count_spots_taken(counts)))


def _count_spots_taken(counts: Mapping[str, int]) -> int:
    return sum(counts[state] for state in Registration.HOLDS_PLACE)


def _describe_waitlist(event: Event, counts: Mapping[str, int]) -> str:
    """Explain why players are on the waitlist after play has begun. Return "" if none are."""
    if event.state != Event.State.RUNNING or not counts[State.WAITLIST]:
        return ""
    if not count_approvable(event, counts):
        return _("All spots are taken, so the waitlist stays as it is.")
    why = _(
        "Now that play has begun, no one moves up automatically. Approve the players "
        "you still want to let in."
    )
    if event.capacity is None:
        return why
    free = event.capacity - _count_spots_taken(counts)
    text = ngettext("{free} spot is free.", "{free} spots are free.", free)
    return f"{text.format(free=free)} {why}"


def _describe_opening(event: Event) -> str:
    if event.state == Event.State.DRAFT:
        return _("No one can register until the event is published.")
    return str(OPENED[event.registration_state])


OPENED = {
    "open": gettext_lazy("Registration is open."),
    "early": gettext_lazy("Registration is not open yet."),
    "closed": gettext_lazy("Registration has closed."),
}


def _iterate_counts(event: Event, counts: dict[str, int]) -> Iterator[str]:
    """Yield the counts of registrations as phrases."""
    text = ngettext("{places} with a spot", "{places} with a spot", counts[State.APPROVED])
    yield text.format(places=_describe_spots(event, counts))
    if pending := counts[State.PENDING]:
        text = ngettext("{count} waiting for approval", "{count} waiting for approval", pending)
        yield text.format(count=pending)
    if waiting := counts[State.WAITLIST]:
        text = ngettext("{count} on the waitlist", "{count} on the waitlist", waiting)
        yield text.format(count=waiting)


def can_be_seated(event: Event, counts: Mapping[str, int]) -> bool:
    """Return whether enough players have a spot to fill a table.

    `counts` is a result of `registration_counts`. If bots fill tables, two players are enough.
    Otherwise, the rules set the minimum.
    """
    least = 2 if event.fill_with_bots else rules_of(event).min_seats
    return counts[State.APPROVED] >= least


def _describe_spots(event: Event, counts: dict[str, int]) -> str:
    held = counts[State.APPROVED]
    return f"{held}/{event.capacity}" if event.capacity else str(held)


def _build_rounds_step(stage: Stage) -> DeskStep:
    rounds = list(stage.rounds.all())
    closed = _count_closed_rounds(stage, rounds)
    planned = count_planned_rounds(stage)
    figure = f"{closed}/{planned}" if planned else str(closed or "")
    if not rounds:
        text = _("No seats drawn yet.")
        return DeskStep(
            "rounds", stage.label, text, figure, _choose_state(False), stage=stage.number
        )
    last = rounds[-1]
    done = stage.state == Stage.State.CLOSED or _are_rounds_over(stage, last, closed)
    live = last.state == Round.State.RUNNING
    text = round_text(last)
    return DeskStep(
        "rounds", stage.label, text, figure, _choose_state(done), live, stage=stage.number
    )


def _count_closed_rounds(stage: Stage, rounds: list[Round]) -> int:
    """Count the rounds that have been played and closed."""
    closed = [played.pk for played in rounds if played.state == Round.State.CLOSED]
    return len(set(closed) - find_unplayed_rounds(stage)) if closed else 0


def _are_rounds_over(stage: Stage, last: Round, closed: int) -> bool:
    """Return whether all planned rounds of the stage have been played and closed.

    `last` is the latest round, and `closed` the number of rounds that were played and closed.
    """
    bracket = stage.format == Stage.Format.BRACKET
    planned = last.is_final if bracket else closed >= stage.rounds_planned
    return planned and last.state == Round.State.CLOSED


def round_text(round_: Round) -> str:
    """Describe the progress of a round in one sentence."""
    if round_.state == Round.State.CLOSED and round_.pk in find_unplayed_rounds(round_.stage):
        return _("{round}: closed. No one played, so it doesn’t count.").format(round=round_)
    if round_.state != Round.State.RUNNING:
        text = _("{round}: {state}.")
        return text.format(round=round_.title, state=round_.get_state_display())
    results = table_results(round_, play=False)
    done = sum(result.final for result in results)
    text = ngettext(
        "{round}: {done} of {count} tables has finished.",
        "{round}: {done} of {count} tables have finished.",
        done,
    )
    return text.format(round=round_.title, done=done, count=len(results))


def _build_qualify_step(stage: Stage, following: Stage, through: int) -> DeskStep:
    done = bool(through) or stage.state == Stage.State.CLOSED
    text = ngettext("{count} player advances.", "{count} players advance.", through)
    if done and not through:
        text = _("No one advances: the standings decide the event.")
    description = text.format(count=through) if done else _describe_cut(stage, following)
    figure = str(through or "")
    return DeskStep(
        "qualify", _("Who advances"), description, figure, _choose_state(done), stage=stage.number
    )


def _describe_cut(stage: Stage, following: Stage) -> str:
    """Describe who would advance. Before the stage has begun, return a request for a rule."""
    begun = any(played.state in BEGUN for played in stage.rounds.all())
    if begun and (line := line_of(stage_results(stage))):
        return line.sentence
    text = _("Choose how many players advance to the next stage: {stage}.")
    return text.format(stage=following)


def _build_winner_step(event: Event, registration: Registration | None) -> DeskStep:
    finished = event.state == Event.State.FINISHED
    decided = finished or is_decided(event, registration)
    first = find_winner(stage_results(event)) if decided else None
    hidden = _("No one sees it until you reveal the places.") if event.freeze and decided else ""
    if finished and first:
        text = _("{winner}.").format(winner=first.sentence)
        state = _choose_state(not hidden)
        return DeskStep("winner", _("Winner"), f"{text} {hidden}".strip(), "", state)
    if registration:
        text = _("Only {name} is left. Announce the winner.").format(name=registration.name)
    else:
        text = _describe_winner(first)
    return DeskStep("winner", _("Winner"), f"{text} {hidden}".strip(), "", _choose_state(False))


def _describe_winner(first: Winner | None) -> str:
    if first is None:
        return _("Not decided yet.")
    if len(first.shared) == 1:
        text = _("{name} has won the final. Announce the winner.")
        if not first.table:
            text = _("{name} is first in the standings. Announce the winner.")
        return text.format(name=first.name)
    return _describe_tie(in_final=bool(first.table)).format(names=first.name)


def _describe_tie(*, in_final: bool) -> str:
    if in_final:
        return _(
            "{names} are tied in the final and would share the win. To get a single "
            "winner, have them play one more hand and correct the points. Otherwise, "
            "announce all of them."
        )
    return _(
        "{names} are tied in the standings and would share the win. To get a single "
        "winner, have them play one more hand and correct the points. Otherwise, "
        "announce all of them."
    )


def _choose_state(is_done: bool) -> str:
    return "done" if is_done else "later"
