"""Lists of requests that need a second organizer, pending or answered."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q, QuerySet

from tournament.desk.steps import kind_of
from tournament.models import Event, Proposal, Registration, Round, Table, User
from tournament.oversight.second_person import AT_ONCE, find_pending_removals

State = Proposal.State
MAX_ANSWERED = 20


@dataclass(frozen=True)
class PendingStep:
    """A request in a list.

    * `text`: a description of the request.
    * `is_own`: whether the current user made it.
    * `table`: the table that it concerns, or None.
    * `people`: the players whom it concerns.
    """

    proposal: Proposal
    text: str
    is_own: bool

    @cached_property
    def table(self) -> Table | None:
        facts, rows = self.proposal.facts, Table.objects.select_related("round__stage")
        if "table" in facts:
            return rows.get(pk=facts["table"])
        if "result" in facts:
            return rows.get(results=facts["result"])
        # Only the ruling has the table of a forfeit that takes effect immediately.
        return rows.filter(rulings=self._ruling_id).first() if self._ruling_id else None

    @cached_property
    def people(self) -> list[Registration]:
        facts = self.proposal.facts
        keys = [facts.get("registration"), *facts.get("order", []), *facts.get("players", [])]
        about = Q(pk__in=[key for key in keys if key])
        if self._ruling_id:
            about |= Q(rulings=self._ruling_id)
        return list(self.proposal.event.registrations.filter(about).distinct().order_by("name"))

    @property
    def _ruling_id(self) -> int | None:
        key: int | None = self.proposal.facts.get("ruling") or self.proposal.facts.get(AT_ONCE)
        return key


def list_pending(event: Event, user: User) -> list[PendingStep]:
    """Return all pending requests, oldest first."""
    return [
        _make_pending_step(row, user)
        for row in _select_proposals(event).filter(state=State.WAITING)
    ]


def list_pending_for_player(registration: Registration, user: User) -> list[PendingStep]:
    """Return the pending requests about this player."""
    return [each for each in list_pending(registration.event, user) if registration in each.people]


def list_pending_for_table(table: Table, user: User) -> list[PendingStep]:
    """Return the pending requests about this table."""
    return [each for each in list_pending(table.round.stage.event, user) if each.table == table]


def list_answered(event: Event, user: User) -> list[PendingStep]:
    """Return the most recently answered requests, newest first."""
    rows = _select_proposals(event).exclude(state=State.WAITING).order_by("-pk")[:MAX_ANSWERED]
    return [_make_pending_step(row, user) for row in rows]


def count_pending(event: Event) -> int:
    """Count the pending requests of the event."""
    return event.proposals.filter(state=State.WAITING).count()


def count_pending_about(event: Event, round_: Round) -> int:
    """Count the pending requests that would change this round or its players."""
    waiting = event.proposals.filter(state=State.WAITING)
    about = [each.pk for each in find_pending_removals(round_)]
    return waiting.filter(Q(round=round_) | Q(pk__in=about)).count()


def _select_proposals(event: Event) -> QuerySet[Proposal]:
    return event.proposals.select_related("asked_by", "decided_by", "round__stage")


def _make_pending_step(proposal: Proposal, user: User) -> PendingStep:
    text = kind_of(proposal).describe(proposal)
    return PendingStep(proposal, text, proposal.asked_by_id == user.pk)
