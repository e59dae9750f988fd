"""Descriptions of pending requests. desk/steps.py assigns these functions to the steps."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

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
from tournament.oversight.texts.ruling_texts import RULINGS


def _find_result(proposal: Proposal) -> Result:
    results = Result.objects.select_related("table__round")
    return results.get(pk=proposal.facts["result"])


def describe_entered_points(proposal: Proposal) -> str:
    result, before = _find_result(proposal), proposal.facts.get("before")
    text = _("{table}: {points}, instead of {before}.") if before else _("{table}: {points}.")
    points, points_before = (
        _format_points_by_name(result.table, each or []) for each in (result.points, before)
    )
    sentences = [text.format(table=result.table, points=points, before=points_before)]
    if result.overridden:
        sentences.append(_("No combination of cards adds up to these points."))
    return " ".join(sentences)


def _format_points_by_name(table: Table, points: Sequence[int]) -> str:
    seats = table.seats.select_related("registration", "substitute").order_by("number")
    return ", ".join(f"{seat} {value}" for seat, value in zip(seats, points, strict=False))


def describe_return_to_site(proposal: Proposal) -> str:
    table = Table.objects.select_related("round").get(pk=proposal.facts["table"])
    points = [sum(each) for each in zip(*proposal.facts["hands"], strict=True)]
    text = _("{table} continues on the site, starting from {points}.")
    return text.format(table=table, points=_format_points_by_name(table, points))


def describe_undo(proposal: Proposal) -> str:
    result = _find_result(proposal)
    text = _("Undo the entry for {table}: {points}.")
    return text.format(
        table=result.table, points=_format_points_by_name(result.table, result.points)
    )


def describe_removal(proposal: Proposal) -> str:
    text = _("Remove {name} from the event.")
    if proposal.facts["to"] == Registration.State.REFUSED:
        text = _("Disqualify {name}.")
    name = Registration.objects.get(pk=proposal.facts["registration"]).name
    return text.format(name=name)


def describe_tie_break_order(proposal: Proposal) -> str:
    text = _("Record the order of a tie-break hand: {players}.")
    people = proposal.event.registrations.in_bulk(proposal.facts["order"])
    names = ", ".join(people[key].name for key in proposal.facts["order"])
    return text.format(players=names)


def describe_tie_break_undo(proposal: Proposal) -> str:
    text = _("Undo the result of a tie-break hand: {players}.")
    people = proposal.event.registrations.in_bulk(proposal.facts["players"])
    return text.format(players=", ".join(person.name for person in people.values()))


def describe_commentator(proposal: Proposal) -> str:
    text = _("Make {name} a commentator, so they can see all cards.")
    return text.format(name=User.objects.get(pk=proposal.facts["user"]))


def describe_organizer(proposal: Proposal) -> str:
    text = _("Remove {name} as an organizer.")
    if proposal.facts["add"]:
        text = _("Make {name} an organizer of the event.")
    return text.format(name=User.objects.get(pk=proposal.facts["user"]))


def describe_invitation(proposal: Proposal) -> str:
    invitation = Invitation.objects.get(pk=proposal.facts["invitation"])
    text = _("Invite {email} to the event (role: {role}).")
    return text.format(email=invitation.email, role=invitation.get_role_display())


def describe_rule(proposal: Proposal) -> str:
    text = _("Change the rule on second organizers to “{what}”.")
    return text.format(what=Event.SecondPerson(proposal.facts["to"]).label)


def describe_export(proposal: Proposal) -> str:
    if proposal.facts["which"] == "list":
        return _("Export the eligibility list.")
    if proposal.facts["which"] == "event":
        return _("Export the whole event, including all personal data.")
    return _("Export the registrations, with email addresses and roll numbers.")


def describe_reopening(proposal: Proposal) -> str:
    played = Round.objects.get(pk=proposal.facts["round"])
    return _("Reopen {round}.").format(round=played)


def describe_ruling(proposal: Proposal) -> str:
    facts = proposal.facts
    name = Registration.objects.get(pk=facts["registration"]).name
    return RULINGS[Ruling.Kind(facts["kind"])].describe_request(name, facts["points"])


def describe_ruling_undo(proposal: Proposal) -> str:
    ruling = Ruling.objects.select_related("registration").get(pk=proposal.facts["ruling"])
    text = _("Undo a ruling: {name}, {kind}.")
    return text.format(name=ruling.registration.name, kind=ruling.get_kind_display())


def describe_anonymization(proposal: Proposal) -> str:
    registration = Registration.objects.get(pk=proposal.facts["registration"])
    return _("Anonymize {name}.").format(name=registration.name)


def describe_purge(_proposal: Proposal) -> str:
    return _("Delete all of the event’s personal data.")


def describe_unlocking(_proposal: Proposal) -> str:
    return _("Unlock the event so that results can be corrected.")
