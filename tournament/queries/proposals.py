"""What waits for a second person, in words."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet
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

State = Proposal.State
ANSWERED_SHOWN = 20


@dataclass(frozen=True)
class Asked:
    """A proposal: `text` says what is asked for, `mine` that this person has asked."""

    proposal: Proposal
    text: str
    mine: bool


def waiting(event: Event, user: User) -> list[Asked]:
    """All that waits, the oldest first."""
    return [_asked(row, user) for row in _rows(event).filter(state=State.WAITING)]


def answered(event: Event, user: User) -> list[Asked]:
    """What has had its answer lately, the newest first."""
    rows = _rows(event).exclude(state=State.WAITING).order_by("-pk")[:ANSWERED_SHOWN]
    return [_asked(row, user) for row in rows]


def waiting_count(event: Event) -> int:
    """How many steps wait for a second person."""
    return event.proposals.filter(state=State.WAITING).count()


def waiting_for(result: Result) -> Proposal | None:
    """The proposal by which an entry of points waits."""
    event = result.table.round.stage.event
    asked = event.proposals.filter(kind="result", facts__result=result.pk)
    return asked.filter(state=State.WAITING).first()


def waits_in(event: Event, played: Round) -> int:
    """How many of them would change this round."""
    return event.proposals.filter(state=State.WAITING, round=played).count()


def _rows(event: Event) -> QuerySet[Proposal]:
    return event.proposals.select_related("asked_by", "decided_by", "round__stage")


def _asked(proposal: Proposal, user: User) -> Asked:
    return Asked(proposal, TEXTS[proposal.kind](proposal), proposal.asked_by_id == user.pk)


def _result(proposal: Proposal) -> Result:
    results = Result.objects.select_related("table__round")
    return results.get(pk=proposal.facts["result"])


def _points(proposal: Proposal) -> str:
    result, before = _result(proposal), proposal.facts.get("before")
    text = _("{result}, instead of {before}.") if before else _("{result}.")
    told = ", ".join(map(str, before or []))
    said = [text.format(result=result, before=told)]
    if result.overridden:
        said.append(_("No cards can give these points."))
    return " ".join(said)


def _back_to_site(proposal: Proposal) -> str:
    table = Table.objects.select_related("round").get(pk=proposal.facts["table"])
    points = [sum(each) for each in zip(*proposal.facts["hands"], strict=True)]
    text = _("{table} plays on the site again, from {points}.")
    return text.format(table=table, points=", ".join(map(str, points)))


def _undo(proposal: Proposal) -> str:
    return _("Take back an entry: {result}.").format(result=_result(proposal))


def _take_out(proposal: Proposal) -> str:
    text = _("Take {name} out of the event.")
    if proposal.facts["to"] == Registration.State.REFUSED:
        text = _("Disqualify {name}.")
    name = Registration.objects.get(pk=proposal.facts["registration"]).name
    return text.format(name=name)


def _order(proposal: Proposal) -> str:
    text = _("The order of a hand for a place: {players}.")
    people = proposal.event.registrations.in_bulk(proposal.facts["order"])
    names = ", ".join(people[key].name for key in proposal.facts["order"])
    return text.format(players=names)


def _order_back(proposal: Proposal) -> str:
    text = _("Take back the order of a hand for a place: {players}.")
    people = proposal.event.registrations.in_bulk(proposal.facts["players"])
    return text.format(players=", ".join(person.name for person in people.values()))


def _commentator(proposal: Proposal) -> str:
    text = _("{name} may see open cards as commentator.")
    return text.format(name=User.objects.get(pk=proposal.facts["user"]))


def _organizer(proposal: Proposal) -> str:
    text = _("{name} no longer organizes the event.")
    if proposal.facts["add"]:
        text = _("{name} organizes the event too.")
    return text.format(name=User.objects.get(pk=proposal.facts["user"]))


def _invite(proposal: Proposal) -> str:
    invitation = Invitation.objects.get(pk=proposal.facts["invitation"])
    text = _("Invite {email} to the event; role: {role}.")
    return text.format(email=invitation.email, role=invitation.get_role_display())


def _rule(proposal: Proposal) -> str:
    text = _("A second organizer confirms from then on: {what}.")
    return text.format(what=Event.SecondPerson(proposal.facts["to"]).label)


def _export(proposal: Proposal) -> str:
    if proposal.facts["which"] == "list":
        return _("Take the eligibility list along.")
    if proposal.facts["which"] == "event":
        return _("Take the whole event along, with all that it knows of people.")
    return _("Take the registrations along, with addresses and roll numbers.")


def _reopen(proposal: Proposal) -> str:
    played = Round.objects.get(pk=proposal.facts["round"])
    return _("Open {round} again.").format(round=played)


def _ruling(proposal: Proposal) -> str:
    facts = proposal.facts
    name = Registration.objects.get(pk=facts["registration"]).name
    return RULINGS[Ruling.Kind(facts["kind"])].format(name=name, points=facts["points"])


RULINGS = {
    Ruling.Kind.DISQUALIFY: gettext_lazy("Disqualify {name}."),
    Ruling.Kind.LEAVE: gettext_lazy("Take {name} out of the event."),
    Ruling.Kind.POINTS: ngettext_lazy(
        "Take {points} point off {name}.", "Take {points} points off {name}.", "points"
    ),
}


def _ruling_off(proposal: Proposal) -> str:
    ruling = Ruling.objects.select_related("registration").get(pk=proposal.facts["ruling"])
    text = _("Take back: {name}, {kind}.")
    return text.format(name=ruling.registration.name, kind=ruling.get_kind_display())


def _anonymise(proposal: Proposal) -> str:
    one = Registration.objects.get(pk=proposal.facts["registration"])
    return _("Make {name} nameless.").format(name=one.name)


TEXTS: dict[str, Callable[[Proposal], str]] = {
    "result": _points,
    "undo": _undo,
    "back-to-site": _back_to_site,
    "take-out": _take_out,
    "playoff": _order,
    "playoff-off": _order_back,
    "commentator": _commentator,
    "organizer": _organizer,
    "invite": _invite,
    "second-person": _rule,
    "export": _export,
    "reopen-round": _reopen,
    "ruling": _ruling,
    "ruling-off": _ruling_off,
    "anonymise": _anonymise,
    "purge": lambda _proposal: _("Delete all personal data of the event."),
    "unlock": lambda _proposal: _("Unlock the event, so that results can be corrected."),
}
