"""Steps that wait for a second organizer, in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from tournament.models import (
    Event,
    Invitation,
    Proposal,
    Registration,
    Result,
    Round,
    Ruling,
    Table,
    User,
)
from tournament.oversight.second_person import AT_ONCE

State = Proposal.State
ANSWERED_SHOWN = 20


@dataclass(frozen=True)
class PendingStep:
    """A proposal: `text` says what is asked for, `mine` that this person has asked.

    `table` and `people` are what it is about: where one looks before one answers.
    """

    proposal: Proposal
    text: str
    mine: bool

    @cached_property
    def table(self) -> Table | None:
        facts, rows = self.proposal.facts, Table.objects.select_related("round__stage")
        if "table" in facts:
            return rows.get(pk=facts["table"])
        if "result" in facts:
            return rows.get(results=facts["result"])
        # The seat that has forfeited at once.
        return rows.filter(rulings=self._describe_ruling).first() if self._describe_ruling else None

    @cached_property
    def people(self) -> list[Registration]:
        facts = self.proposal.facts
        keys = [facts.get("registration"), *facts.get("order", []), *facts.get("players", [])]
        about = Q(pk__in=[key for key in keys if key])
        if self._describe_ruling:
            about |= Q(rulings=self._describe_ruling)
        return list(self.proposal.event.registrations.filter(about).distinct().order_by("name"))

    @property
    def _describe_ruling(self) -> int | None:
        key: int | None = self.proposal.facts.get("ruling") or self.proposal.facts.get(AT_ONCE)
        return key


def list_pending(event: Event, user: User) -> list[PendingStep]:
    """All that waits, the oldest first."""
    return [
        _make_pending_step(row, user)
        for row in _select_proposals(event).filter(state=State.WAITING)
    ]


def list_pending_for_player(registration: Registration, user: User) -> list[PendingStep]:
    """Return the pending steps that concern this player."""
    return [each for each in list_pending(registration.event, user) if registration in each.people]


def list_pending_for_table(table: Table, user: User) -> list[PendingStep]:
    """Return the pending steps that concern this table."""
    return [each for each in list_pending(table.round.stage.event, user) if each.table == table]


def list_answered(event: Event, user: User) -> list[PendingStep]:
    """Return the steps answered most recently, newest first."""
    rows = _select_proposals(event).exclude(state=State.WAITING).order_by("-pk")[:ANSWERED_SHOWN]
    return [_make_pending_step(row, user) for row in rows]


def waiting_count(event: Event) -> int:
    """Count the steps that wait for a second organizer."""
    return event.proposals.filter(state=State.WAITING).count()


def waits_in(event: Event, played: Round) -> int:
    """Count the pending steps that would change this round."""
    return event.proposals.filter(state=State.WAITING, round=played).count()


def _select_proposals(event: Event) -> QuerySet[Proposal]:
    return event.proposals.select_related("asked_by", "decided_by", "round__stage")


def _make_pending_step(proposal: Proposal, user: User) -> PendingStep:
    return PendingStep(proposal, TEXTS[proposal.kind](proposal), proposal.asked_by_id == user.pk)


def _find_result(proposal: Proposal) -> Result:
    results = Result.objects.select_related("table__round")
    return results.get(pk=proposal.facts["result"])


def _describe_points(proposal: Proposal) -> str:
    result, before = _find_result(proposal), proposal.facts.get("before")
    text = _("{table}: {points}, instead of {before}.") if before else _("{table}: {points}.")
    points, had = (
        _list_points_by_name(result.table, each or []) for each in (result.points, before)
    )
    said = [text.format(table=result.table, points=points, before=had)]
    if result.overridden:
        said.append(_("No combination of cards adds up to these points."))
    return " ".join(said)


def _list_points_by_name(table: Table, points: Sequence[int]) -> str:
    seats = table.seats.select_related("registration", "substitute").order_by("number")
    return ", ".join(f"{seat} {value}" for seat, value in zip(seats, points, strict=False))


def _describe_return_to_site(proposal: Proposal) -> str:
    table = Table.objects.select_related("round").get(pk=proposal.facts["table"])
    points = [sum(each) for each in zip(*proposal.facts["hands"], strict=True)]
    text = _("{table} continues on the site, starting from {points}.")
    return text.format(table=table, points=_list_points_by_name(table, points))


def _undo(proposal: Proposal) -> str:
    result = _find_result(proposal)
    text = _("Undo the entry for {table}: {points}.")
    return text.format(table=result.table, points=_list_points_by_name(result.table, result.points))


def _take_out(proposal: Proposal) -> str:
    text = _("Remove {name} from the event.")
    if proposal.facts["to"] == Registration.State.REFUSED:
        text = _("Disqualify {name}.")
    name = Registration.objects.get(pk=proposal.facts["registration"]).name
    return text.format(name=name)


def _order(proposal: Proposal) -> str:
    text = _("Record the order of a tie-break hand: {players}.")
    people = proposal.event.registrations.in_bulk(proposal.facts["order"])
    names = ", ".join(people[key].name for key in proposal.facts["order"])
    return text.format(players=names)


def _order_back(proposal: Proposal) -> str:
    text = _("Undo the result of a tie-break hand: {players}.")
    people = proposal.event.registrations.in_bulk(proposal.facts["players"])
    return text.format(players=", ".join(person.name for person in people.values()))


def _describe_commentator(proposal: Proposal) -> str:
    text = _("Make {name} a commentator, so they can see all cards.")
    return text.format(name=User.objects.get(pk=proposal.facts["user"]))


def _describe_organizer(proposal: Proposal) -> str:
    text = _("Remove {name} as an organizer.")
    if proposal.facts["add"]:
        text = _("Make {name} an organizer of the event.")
    return text.format(name=User.objects.get(pk=proposal.facts["user"]))


def _invite(proposal: Proposal) -> str:
    invitation = Invitation.objects.get(pk=proposal.facts["invitation"])
    text = _("Invite {email} to the event (role: {role}).")
    return text.format(email=invitation.email, role=invitation.get_role_display())


def _describe_rule(proposal: Proposal) -> str:
    text = _("Change the rule on second organizers to “{what}”.")
    return text.format(what=Event.SecondPerson(proposal.facts["to"]).label)


def _export(proposal: Proposal) -> str:
    if proposal.facts["which"] == "list":
        return _("Export the eligibility list.")
    if proposal.facts["which"] == "event":
        return _("Export the whole event, including all personal data.")
    return _("Export the registrations, with email addresses and roll numbers.")


def _reopen(proposal: Proposal) -> str:
    played = Round.objects.get(pk=proposal.facts["round"])
    return _("Reopen {round}.").format(round=played)


def _describe_ruling(proposal: Proposal) -> str:
    facts = proposal.facts
    name = Registration.objects.get(pk=facts["registration"]).name
    return RULINGS[Ruling.Kind(facts["kind"])].format(name=name, points=facts["points"])


RULINGS = {
    Ruling.Kind.DISQUALIFY: gettext_lazy("Disqualify {name}."),
    Ruling.Kind.LEAVE: gettext_lazy("Remove {name} from the event."),
    Ruling.Kind.POINTS: ngettext_lazy(
        "Deduct {points} point from {name}.", "Deduct {points} points from {name}.", "points"
    ),
}


def _describe_ruling_end(proposal: Proposal) -> str:
    ruling = Ruling.objects.select_related("registration").get(pk=proposal.facts["ruling"])
    text = _("Undo a ruling: {name}, {kind}.")
    return text.format(name=ruling.registration.name, kind=ruling.get_kind_display())


def _describe_anonymization(proposal: Proposal) -> str:
    one = Registration.objects.get(pk=proposal.facts["registration"])
    return _("Anonymize {name}.").format(name=one.name)


TEXTS: dict[str, Callable[[Proposal], str]] = {
    "result": _describe_points,
    "undo": _undo,
    "back-to-site": _describe_return_to_site,
    "take-out": _take_out,
    "playoff": _order,
    "playoff-off": _order_back,
    "commentator": _describe_commentator,
    "organizer": _describe_organizer,
    "invite": _invite,
    "second-person": _describe_rule,
    "export": _export,
    "reopen-round": _reopen,
    "ruling": _describe_ruling,
    "ruling-off": _describe_ruling_end,
    "anonymise": _describe_anonymization,
    "purge": lambda _proposal: _("Delete all of the event’s personal data."),
    "unlock": lambda _proposal: _("Unlock the event so that results can be corrected."),
}
