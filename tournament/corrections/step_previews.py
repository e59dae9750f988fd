"""Previews of actions that need a second organizer.

A preview is a trial run of the action. desk/steps.py has the preview for each kind of action.
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
IRREVERSIBLE = gettext_lazy("This can’t be undone.")


def _make_step_action(step: Step, request: StepRequest) -> TrialAction:
    def do(event: Event) -> None:
        trial_request = replace(request, event=event)
        step.check(trial_request)
        step.do(trial_request)

    return do


def preview_points(step: Step, request: StepRequest) -> Consequences:
    results = Result.objects.select_related("table__round__stage__event")
    table = results.get(pk=request.facts["result"]).table
    return points.preview_points(table, _make_step_action(step, request))


def preview_ruling(step: Step, request: StepRequest) -> Consequences:
    consequences = rulings.preview_ruling(
        request.event, get_requested_ruling(request), _make_step_action(step, request)
    )
    if (forfeit := find_immediate_forfeit(request.facts)) is None:
        return consequences
    text = _(
        "{name} has already forfeited the match at {table}. If you reject the request, "
        "{name} will play again."
    )
    if is_table_finished(forfeit):
        text = _(
            "{name} has forfeited the match at {table}, which is over. If you reject the "
            "request, the match will count for {name} again."
        )
    sentence = text.format(table=forfeit.table, name=forfeit.registration.name)
    return replace(consequences, sentences=[sentence, *consequences.sentences])


def preview_ruling_undo(step: Step, request: StepRequest) -> Consequences:
    rows = Ruling.objects.select_related("registration", "event", "table__round__stage__event")
    return rulings.preview_ruling_undo(
        rows.get(pk=request.facts["ruling"]), _make_step_action(step, request)
    )


def preview_player_removal(step: Step, request: StepRequest) -> Consequences:
    return rulings.preview_player_removal(_find_person(request), _make_step_action(step, request))


def preview_playoff_order(step: Step, request: StepRequest) -> Consequences:
    stored = request.facts.get("rule")
    rule = CutRule(*stored) if stored else None
    return playoffs.preview_order(hands.find_scope(request), rule, _make_step_action(step, request))


def _make_text_preview(describe: Callable[[StepRequest], list[str]]) -> Preview:
    """Return a preview of an action that does not change results.

    It checks that the action is possible, and then describes it.
    """

    def preview(step: Step, request: StepRequest) -> Consequences:
        step.check(request)
        return Consequences(describe(request), [])

    return preview


def preview_return_to_site(step: Step, request: StepRequest) -> Consequences:
    step.check(request)
    tables = Table.objects.select_related("match", "round__stage__event")
    table = tables.get(pk=request.facts["table"])
    names = [str(seat) for seat in table.seats.order_by("number")]
    before: Sequence[int | None] = table.start or [None] * len(names)
    after = [sum(each) for each in zip(*request.facts["hands"], strict=True)]
    effect = paper.describe_switch_effect(table)[:1]
    text = _(
        "The match will continue from these points, which weren’t scored in hands "
        "played on the site."
    )
    return Consequences([*effect, text], [], list(zip(names, before, after, strict=True)))


def _find_person(request: StepRequest) -> Registration:
    people = Registration.objects.select_related("event")
    return people.get(pk=request.facts["registration"])


def _find_user(request: StepRequest) -> User:
    return User.objects.get(pk=request.facts["user"])


@_make_text_preview
def preview_commentator(request: StepRequest) -> list[str]:
    text = _("From the next deal on, {name} will see everyone’s cards with a delay.")
    tables = _("Everyone at the tables will see a message, and every visit will be logged.")
    return [text.format(name=_find_user(request)), tables]


@_make_text_preview
def preview_organizer(request: StepRequest) -> list[str]:
    name = _find_user(request)
    if request.facts["add"]:
        text = _(
            "{name} will be able to do everything owners can, and confirm other "
            "organizers’ requests."
        )
        return [text.format(name=name)]
    text = _("{name} will no longer be an owner of this event.")
    owners = request.event.organizers.exclude(pk=name.pk)
    remaining = _("Remaining owners: {names}.").format(names=", ".join(map(str, owners)))
    return [text.format(name=name), remaining]


@_make_text_preview
def preview_invitation(request: StepRequest) -> list[str]:
    invitation = Invitation.objects.get(pk=request.facts["invitation"])
    text = _("An email will be sent to {email}. Anyone who reads it can accept within 14 days.")
    role = _("Role after accepting: {role}.").format(role=invitation.get_role_display())
    return [text.format(email=invitation.email), role]


@_make_text_preview
def preview_second_person_rule(request: StepRequest) -> list[str]:
    text = _("Confirmation by a second organizer: {after} (previously: {before}).")
    before, after = (Event.SecondPerson(request.facts[key]).label for key in ("from", "to"))
    return [
        text.format(before=before, after=after),
        _("Pending requests stay pending."),
    ]


@_make_text_preview
def preview_export(request: StepRequest) -> list[str]:
    text = _("{name} will be able to download this file for one day: {file}.")
    people = request.event.registrations.count()
    if request.facts["which"] == "list":
        people = request.event.students.count()
    count = ngettext(
        "The file contains the name and address of {count} person.",
        "The file contains the names and addresses of {count} people.",
        people,
    )
    sentence = text.format(name=request.actor, file=FILES[request.facts["which"]])
    return [sentence, count.format(count=people)]


@_make_text_preview
def preview_reopening(request: StepRequest) -> list[str]:
    rows = Round.objects.select_related("stage__event")
    return rounds.describe_undo(rows.get(pk=request.facts["round"]))


@_make_text_preview
def preview_unlocking(request: StepRequest) -> list[str]:
    count = Certificate.objects.filter(
        registration__event=request.event, withdrawn_at__isnull=True
    ).count()
    text = ngettext(
        "{count} certificate will not be valid until the event is locked again.",
        "{count} certificates will not be valid until the event is locked again.",
        count,
    )
    return [_("It will be possible to correct results again."), text.format(count=count)]


@_make_text_preview
def preview_anonymization(request: StepRequest) -> list[str]:
    text = _(
        "The name {name}, the roll number and the email address will be removed from "
        "everything in the event. No backup on this site can restore them."
    )
    sentences = [
        text.format(name=_find_person(request).name),
        _("Points and places will stay, but without the name."),
    ]
    if count := len(request.facts.get("mentions", [])):
        parts = ngettext(
            "In {count} other text, the parts of the name will be replaced.",
            "In {count} other texts, the parts of the name will be replaced.",
            count,
        )
        sentences.append(parts.format(count=count))
    return sentences


@_make_text_preview
def preview_purge(request: StepRequest) -> list[str]:
    people = request.event.registrations.count()
    text = ngettext(
        "The name and address of {count} person will be deleted, along with the "
        "eligibility list and the emails.",
        "The names and addresses of {count} people will be deleted, along with the "
        "eligibility list and the emails.",
        people,
    )
    reasons = _("Reasons and messages that organizers wrote will be deleted too.")
    return [text.format(count=people), reasons, str(IRREVERSIBLE)]
