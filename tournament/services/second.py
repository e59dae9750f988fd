"""Nobody alone: a far-reaching step waits for a second person where the event has one.

A `Step` is one kind of them. Who asks calls `take`; services/confirming.py has the second's answer.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from tournament.chain import Facts
from tournament.models import Event, Proposal, Round, User
from tournament.queries.rights import people_for
from tournament.services.audit import record
from tournament.services.errors import Refused

State = Proposal.State
# Of `Proposal.facts`.
VERSION = 1
# The kinds that change who plays on.
TAKE_OUT = "take-out"
RULING, RULING_OFF = "ruling", "ruling-off"
WHO_PLAYS_ON = (TAKE_OUT, RULING, RULING_OFF)


@dataclass(frozen=True)
class Deed:
    """What `actor` asks for. `facts` are keys and codes; `second` has confirmed it (None: nobody).

    `played`: the round whose results it changes.
    """

    event: Event
    actor: User
    facts: Facts
    reason: str
    played: Round | None = None
    second: User | None = None


def _nothing(_deed: Deed) -> None:
    """Most steps leave nothing behind that would have to be taken away again."""


def _nobodys(_deed: Deed, _second: User) -> bool:
    """Most steps are nobody's own matter more than another's."""
    return False


@dataclass(frozen=True)
class Step:
    """A kind of far-reaching step, by the functions that know it.

    `check` refuses what cannot be done, or no longer in view of what it was asked for; `do` does
    it; `drop` clears away what waited with it, when it is not done. `right`: whoever may do that
    (tournament/rights.py) may be the second person, but nobody whose `own` matter it is.
    """

    kind: str
    check: Callable[[Deed], None]
    do: Callable[[Deed], None]
    drop: Callable[[Deed], None] = _nothing
    right: str = "confirm"
    own: Callable[[Deed, User], bool] = _nobodys


def needs_second(event: Event, actor: User, right: str = "confirm") -> bool:
    """Whether a far-reaching step of this person waits: the event's rule, and somebody is there."""
    if event.second_person == Event.SecondPerson.OFF:
        return False
    return people_for(event, right).exclude(pk=actor.pk).exists()


def take(step: Step, deed: Deed) -> Proposal | None:
    """Do it at once, or let it wait for a second person: then the proposal. Event locked.

    Refused with: no-reason, asked, and what the step refuses.
    """
    if not deed.reason.strip():
        raise Refused("no-reason", _("Please say why; the reason is kept, and everybody reads it."))
    step.check(deed)
    if needs_second(deed.event, deed.actor, step.right):
        return ask(step, deed)
    step.do(deed)
    return None


def ask(step: Step, deed: Deed) -> Proposal:
    """Write down what waits for a second person. Refused with: asked."""
    facts = {"version": VERSION, **deed.facts}
    same = deed.event.proposals.filter(state=State.WAITING, kind=step.kind)
    if any(proposal.facts == facts for proposal in same):
        raise Refused("asked", _("This has been asked for already: it waits for a second person."))
    proposal = Proposal.objects.create(
        event=deed.event,
        kind=step.kind,
        facts=facts,
        round=deed.played,
        reason=deed.reason.strip()[:300],
        asked_by=deed.actor,
    )

    def told() -> str:
        return _("Asked a second person to confirm (No. {number}).").format(number=proposal.pk)

    record(deed.event, deed.actor, "ask", told, deed.reason, proposal=proposal.pk, kind=step.kind)
    return proposal


def check_nothing_waits(event: Event, played: Round | None = None) -> None:
    """Refuse to close or to cut over what waits and would change that: of this round, or at all.

    Refused with: waiting.
    """
    waiting = event.proposals.filter(state=State.WAITING)
    if played is None:
        waiting = waiting.filter(Q(round__isnull=False) | Q(kind__in=WHO_PLAYS_ON))
    else:
        waiting = waiting.filter(round=played)
    if first := waiting.select_related("round__stage", "asked_by").first():
        raise Refused("waiting", f"{_named(first)} {_first_of_all()}")


def _named(proposal: Proposal) -> str:
    if proposal.round is None:
        text = _("That a player is taken out, asked for by {name}, waits for a second person.")
        return text.format(name=proposal.asked_by)
    text = _("A change of {round}, asked for by {name}, waits for a second person.")
    return text.format(round=proposal.round, name=proposal.asked_by)


def _first_of_all() -> str:
    return _("Let it be confirmed, refused or taken back first, under “People”.")
