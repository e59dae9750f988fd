"""Previews of steps that need a second organizer, by kind.

A preview is computed by a trial run of the code that carries out the step. desk/steps.py
assigns the previews to the kinds.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.advancing import playoffs as hands
from tournament.corrections import playoffs, points, rounds, rulings
from tournament.corrections.dry_run import Consequences, TrialAction
from tournament.models import (
    Certificate,
    Event,
    Invitation,
    Registration,
    Result,
    Round,
    Ruling,
    Table,
    User,
)
from tournament.oversight.export_requests import FILES
from tournament.oversight.second_person import Step, StepRequest
from tournament.rounds import paper
from tournament.rulings.effects import find_immediate_forfeit
from tournament.rulings.services import get_requested_ruling, is_table_finished
from tournament.stages.cut import CutRule

Preview = Callable[[Step, StepRequest], Consequences]
FOR_GOOD = gettext_lazy("This can’t be undone.")


def _make_step_action(step: Step, deed: StepRequest) -> TrialAction:
    def do(event: Event) -> None:
        inside = replace(deed, event=event)
        step.check(inside)
        step.do(inside)

    return do


def preview_points(step: Step, deed: StepRequest) -> Consequences:
    results = Result.objects.select_related("table__round__stage__event")
    table = results.get(pk=deed.facts["result"]).table
    return points.preview_points(table, _make_step_action(step, deed))


def preview_ruling(step: Step, deed: StepRequest) -> Consequences:
    found = rulings.preview_ruling(
        deed.event, get_requested_ruling(deed), _make_step_action(step, deed)
    )
    if (begun := find_immediate_forfeit(deed.facts)) is None:
        return found
    text = _(
        "{name} has already forfeited the match at {table}. If you reject the request, "
        "{name} will play again."
    )
    if is_table_finished(begun):
        text = _(
            "{name} has forfeited the match at {table}, which is over. If you reject the "
            "request, the match will count for {name} again."
        )
    told = text.format(table=begun.table, name=begun.registration.name)
    return replace(found, sentences=[told, *found.sentences])


def preview_ruling_end(step: Step, deed: StepRequest) -> Consequences:
    rows = Ruling.objects.select_related("registration", "event", "table__round__stage__event")
    return rulings.preview_withdrawal(
        rows.get(pk=deed.facts["ruling"]), _make_step_action(step, deed)
    )


def preview_removal(step: Step, deed: StepRequest) -> Consequences:
    return rulings.taken_out(_find_person(deed), _make_step_action(step, deed))


def preview_hand(step: Step, deed: StepRequest) -> Consequences:
    stored = deed.facts.get("rule")
    rule = CutRule(*stored) if stored else None
    return playoffs.preview_order(hands.find_scope(deed), rule, _make_step_action(step, deed))


def _make_text_preview(tell: Callable[[StepRequest], list[str]]) -> Preview:
    """Make a preview for a step that does not change results.

    The preview checks that the step is possible and then describes it in sentences.
    """

    def look(step: Step, deed: StepRequest) -> Consequences:
        step.check(deed)
        return Consequences(tell(deed), [])

    return look


def preview_return_to_site(step: Step, deed: StepRequest) -> Consequences:
    step.check(deed)
    tables = Table.objects.select_related("match", "round__stage__event")
    table = tables.get(pk=deed.facts["table"])
    names = [str(seat) for seat in table.seats.order_by("number")]
    before: Sequence[int | None] = table.start or [None] * len(names)
    after = [sum(each) for each in zip(*deed.facts["hands"], strict=True)]
    told = paper.change_effect(table)[:1]
    text = _(
        "The match will continue from these points, which weren’t scored in hands "
        "played on the site."
    )
    return Consequences([*told, text], [], list(zip(names, before, after, strict=True)))


def _find_person(deed: StepRequest) -> Registration:
    people = Registration.objects.select_related("event")
    return people.get(pk=deed.facts["registration"])


def _find_user(deed: StepRequest) -> User:
    return User.objects.get(pk=deed.facts["user"])


@_make_text_preview
def preview_commentator(deed: StepRequest) -> list[str]:
    text = _("From the next deal on, {name} will see everyone’s cards with a delay.")
    tables = _("Everyone at the tables will see a message, and every visit will be logged.")
    return [text.format(name=_find_user(deed)), tables]


@_make_text_preview
def preview_organizer(deed: StepRequest) -> list[str]:
    name = _find_user(deed)
    if deed.facts["add"]:
        text = _(
            "{name} will be able to do everything owners can, and confirm other "
            "organizers’ requests."
        )
        return [text.format(name=name)]
    text = _("{name} will no longer be an owner of this event.")
    left = deed.event.organizers.exclude(pk=name.pk)
    stay = _("Remaining owners: {names}.").format(names=", ".join(map(str, left)))
    return [text.format(name=name), stay]


@_make_text_preview
def preview_invitation(deed: StepRequest) -> list[str]:
    invitation = Invitation.objects.get(pk=deed.facts["invitation"])
    text = _("An email will be sent to {email}. Anyone who reads it can accept within 14 days.")
    role = _("Role after accepting: {role}.").format(role=invitation.get_role_display())
    return [text.format(email=invitation.email), role]


@_make_text_preview
def preview_rule(deed: StepRequest) -> list[str]:
    text = _("Confirmation by a second organizer: {after} (previously: {before}).")
    before, after = (Event.SecondPerson(deed.facts[key]).label for key in ("from", "to"))
    return [
        text.format(before=before, after=after),
        _("Pending requests stay pending."),
    ]


@_make_text_preview
def preview_export(deed: StepRequest) -> list[str]:
    text = _("{name} will be able to download this file for one day: {file}.")
    people = deed.event.registrations.count()
    if deed.facts["which"] == "list":
        people = deed.event.students.count()
    count = ngettext(
        "The file contains the name and address of {count} person.",
        "The file contains the names and addresses of {count} people.",
        people,
    )
    told = text.format(name=deed.actor, file=FILES[deed.facts["which"]])
    return [told, count.format(count=people)]


@_make_text_preview
def preview_reopening(deed: StepRequest) -> list[str]:
    rows = Round.objects.select_related("stage__event")
    return rounds.describe_undo(rows.get(pk=deed.facts["round"]))


@_make_text_preview
def preview_unlocking(deed: StepRequest) -> list[str]:
    count = Certificate.objects.filter(
        registration__event=deed.event, withdrawn_at__isnull=True
    ).count()
    text = ngettext(
        "{count} certificate will not be valid until the event is locked again.",
        "{count} certificates will not be valid until the event is locked again.",
        count,
    )
    return [_("It will be possible to correct results again."), text.format(count=count)]


@_make_text_preview
def preview_anonymization(deed: StepRequest) -> list[str]:
    text = _(
        "The name {name}, the roll number and the email address will be removed from "
        "everything in the event. No backup on this site can restore them."
    )
    told = [
        text.format(name=_find_person(deed).name),
        _("Points and places will stay, but without the name."),
    ]
    if chosen := len(deed.facts.get("mentions", [])):
        parts = ngettext(
            "In {count} other text, the parts of the name will be replaced.",
            "In {count} other texts, the parts of the name will be replaced.",
            chosen,
        )
        told.append(parts.format(count=chosen))
    return told


@_make_text_preview
def preview_purge(deed: StepRequest) -> list[str]:
    people = deed.event.registrations.count()
    text = ngettext(
        "The name and address of {count} person will be deleted, along with the "
        "eligibility list and the emails.",
        "The names and addresses of {count} people will be deleted, along with the "
        "eligibility list and the emails.",
        people,
    )
    reasons = _("Reasons and messages that organizers wrote will be deleted too.")
    return [text.format(count=people), reasons, str(FOR_GOOD)]
