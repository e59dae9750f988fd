"""Effects that a waiting step would have if it were confirmed now.

They are computed by a trial run of the code that would do it. The effects at the time of the
request are stored with it, so the second organizer sees what has changed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.advancing import playoffs as hands
from tournament.common.language import use_site_language
from tournament.corrections import playoffs, points, rounds, rulings
from tournament.corrections.dry_run import Consequences, Deed
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
from tournament.pure.chain import Facts
from tournament.rounds import paper
from tournament.rulings.effects import made_at_once
from tournament.rulings.services import wanted_by
from tournament.stages.cut import CutRule

# Of what is kept with a step.
VERSION = 1
# More would not be read.
MOST = 12


def consequences_of(step: Step, deed: StepRequest) -> Consequences:
    """Refused as the step itself would be."""
    return LOOKS[step.kind](step, deed)


def stored_facts(step: Step, deed: StepRequest) -> Facts:
    """Return the effects of the step in the form that is stored and compared.

    They are written in the site's language.

    Raises RefusedError as the step does.
    """
    with use_site_language():
        found = consequences_of(step, deed)
    return {
        "version": VERSION,
        "sentences": found.sentences,
        "points": [list(each) for each in found.points],
        "ranks": None if _is_moving(deed.event) else [list(each) for each in found.ranks],
    }


def _is_moving(event: Event) -> bool:
    """While a round is played each hand moves ranks: that alone is no other step than before."""
    return Round.objects.filter(stage__event=event, state=Round.State.RUNNING).exists()


def differences(then: Facts, now: Facts) -> list[str]:
    """Describe the differences between the stored and the current effects, in sentences.

    Returns an empty list if no effects were stored.
    """
    if not then:
        return []
    still = None not in (then["ranks"], now["ranks"])
    parts = ["sentences", "points", *(["ranks"] if still else [])]
    before, after = (list(_iterate_lines(facts, parts)) for facts in (then, now))
    told = [
        _("No longer applies: {what}").format(what=line) for line in before if line not in after
    ]
    told += [_("New: {what}").format(what=line) for line in after if line not in before]
    if (more := len(told) - MOST) <= 0:
        return told
    text = ngettext("And {count} more.", "And {count} more.", more)
    return [*told[:MOST], text.format(count=more)]


def _iterate_lines(facts: Facts, parts: list[str]) -> Iterator[str]:
    for part in parts:
        for each in facts[part]:
            yield each if part == "sentences" else _describe_change(part, *each)


def _describe_change(part: str, name: str, before: int | None, after: int | None) -> str:
    text = _("{name}: place {before} → {after}.")
    if part == "points":
        text = _("{name}: {before} → {after} points.")
    before, after = ("–" if each is None else each for each in (before, after))  # type: ignore[assignment]
    return text.format(name=name, before=before, after=after)


# By kind: what would follow.


def _make_step_action(step: Step, deed: StepRequest) -> Deed:
    def do(event: Event) -> None:
        inside = replace(deed, event=event)
        step.check(inside)
        step.do(inside)

    return do


def _preview_points(step: Step, deed: StepRequest) -> Consequences:
    results = Result.objects.select_related("table__round__stage__event")
    table = results.get(pk=deed.facts["result"]).table
    return points.preview_points(table, _make_step_action(step, deed))


def _preview_ruling(step: Step, deed: StepRequest) -> Consequences:
    found = rulings.preview_ruling(deed.event, wanted_by(deed), _make_step_action(step, deed))
    if (begun := made_at_once(deed.facts)) is None:
        return found
    text = _(
        "At {table}, the seat of {name} has already forfeited. If you reject the "
        "request, {name} plays again."
    )
    told = text.format(table=begun.table, name=begun.registration.name)
    return replace(found, sentences=[told, *found.sentences])


def _preview_ruling_end(step: Step, deed: StepRequest) -> Consequences:
    rows = Ruling.objects.select_related("registration", "event", "table__round__stage__event")
    return rulings.preview_withdrawal(
        rows.get(pk=deed.facts["ruling"]), _make_step_action(step, deed)
    )


def _take_out(step: Step, deed: StepRequest) -> Consequences:
    return rulings.taken_out(_find_person(deed), _make_step_action(step, deed))


def _preview_hand(step: Step, deed: StepRequest) -> Consequences:
    stored = deed.facts.get("rule")
    rule = CutRule(*stored) if stored else None
    return playoffs.preview_order(hands.where_of(deed), rule, _make_step_action(step, deed))


def _make_text_preview(tell: Callable[[StepRequest], list[str]]) -> Callable[..., Consequences]:
    """Make a preview for a step that changes no results.

    The preview checks that the step is possible and then describes it in sentences.
    """

    def look(step: Step, deed: StepRequest) -> Consequences:
        step.check(deed)
        return Consequences(tell(deed), [])

    return look


def _preview_return_to_site(step: Step, deed: StepRequest) -> Consequences:
    step.check(deed)
    tables = Table.objects.select_related("match", "round__stage__event")
    table = tables.get(pk=deed.facts["table"])
    names = [str(seat) for seat in table.seats.order_by("number")]
    before: Sequence[int | None] = table.start or [None] * len(names)
    after = [sum(each) for each in zip(*deed.facts["hands"], strict=True)]
    told = paper.change_effect(table)[:1]
    text = _("The match continues from these points, which weren’t scored in hands played here.")
    return Consequences([*told, text], [], list(zip(names, before, after, strict=True)))


def _find_person(deed: StepRequest) -> Registration:
    people = Registration.objects.select_related("event")
    return people.get(pk=deed.facts["registration"])


def _find_user(deed: StepRequest) -> User:
    return User.objects.get(pk=deed.facts["user"])


def _describe_commentator(deed: StepRequest) -> list[str]:
    text = _("{name} will see everyone’s cards with a delay, from the next deal on.")
    tables = _("Everyone at the tables sees a message, and every visit is logged.")
    return [text.format(name=_find_user(deed)), tables]


def _describe_organizer(deed: StepRequest) -> list[str]:
    name = _find_user(deed)
    if deed.facts["add"]:
        text = _(
            "{name} will be able to do everything owners can, and confirm other "
            "organizers’ requests."
        )
        return [text.format(name=name)]
    text = _("{name} will no longer be an owner of this event.")
    left = deed.event.organizers.exclude(pk=name.pk)
    stay = _("Owners after that: {names}.").format(names=", ".join(map(str, left)))
    return [text.format(name=name), stay]


def _invite(deed: StepRequest) -> list[str]:
    invitation = Invitation.objects.get(pk=deed.facts["invitation"])
    text = _("An email will be sent to {email}. Anyone who reads it can accept within 14 days.")
    role = _("Role after that: {role}.").format(role=invitation.get_role_display())
    return [text.format(email=invitation.email), role]


def _describe_rule(deed: StepRequest) -> list[str]:
    text = _("Confirmation by a second organizer: {after} (before: {before}).")
    before, after = (Event.SecondPerson(deed.facts[key]).label for key in ("from", "to"))
    return [
        text.format(before=before, after=after),
        _("Pending requests stay pending."),
    ]


def _export(deed: StepRequest) -> list[str]:
    text = _("{name} can download this file for one day: {file}.")
    people = deed.event.registrations.count()
    if deed.facts["which"] == "list":
        people = deed.event.students.count()
    count = ngettext(
        "It contains the name and address of {count} person.",
        "It contains the names and addresses of {count} people.",
        people,
    )
    told = text.format(name=deed.actor, file=FILES[deed.facts["which"]])
    return [told, count.format(count=people)]


def _reopen(deed: StepRequest) -> list[str]:
    rows = Round.objects.select_related("stage__event")
    return rounds.way_back(rows.get(pk=deed.facts["round"]))


def _unlock(deed: StepRequest) -> list[str]:
    count = Certificate.objects.filter(
        registration__event=deed.event, withdrawn_at__isnull=True
    ).count()
    text = ngettext(
        "{count} certificate is not valid until the event is locked again.",
        "{count} certificates are not valid until the event is locked again.",
        count,
    )
    return [_("Results can be corrected again."), text.format(count=count)]


def _describe_anonymization(deed: StepRequest) -> list[str]:
    text = _(
        "The name {name}, the roll number and the email address are removed from "
        "everything in the event. No backup on this site can restore them."
    )
    return [
        text.format(name=_find_person(deed).name),
        _("Points and places stay, without the name."),
    ]


def _purge(deed: StepRequest) -> list[str]:
    people = deed.event.registrations.count()
    text = ngettext(
        "The name and address of {count} person are deleted, along with the list and the emails.",
        "The names and addresses of {count} people are deleted, along with the list "
        "and the emails.",
        people,
    )
    return [text.format(count=people), str(FOR_GOOD)]


FOR_GOOD = gettext_lazy("This can’t be undone.")
LOOKS: Mapping[str, Callable[[Step, StepRequest], Consequences]] = {
    "result": _preview_points,
    "undo": _preview_points,
    "back-to-site": _preview_return_to_site,
    "take-out": _take_out,
    "playoff": _preview_hand,
    "playoff-off": _preview_hand,
    "commentator": _make_text_preview(_describe_commentator),
    "organizer": _make_text_preview(_describe_organizer),
    "invite": _make_text_preview(_invite),
    "second-person": _make_text_preview(_describe_rule),
    "export": _make_text_preview(_export),
    "reopen-round": _make_text_preview(_reopen),
    "ruling": _preview_ruling,
    "ruling-off": _preview_ruling_end,
    "anonymise": _make_text_preview(_describe_anonymization),
    "purge": _make_text_preview(_purge),
    "unlock": _make_text_preview(_unlock),
}
