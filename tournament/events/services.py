"""Creating and changing events. Some changes are refused once a round has started."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain, count

from django.db import transaction
from django.db.models import Model
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.queries import site_key
from games.rules.ruleset import rulesets
from tournament.common.language import translate_later, use_site_language
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import Event, LogAction, Registration, Role, Round, Stage, Table, User
from tournament.oversight.audit import record
from tournament.oversight.changes import list_changes, list_rule_changes
from tournament.oversight.public_history import append_entry
from tournament.pure import formats
from tournament.pure.chain import Facts
from tournament.pure.codes import Code
from tournament.pure.formats import StagePlan
from tournament.registration.services import promote_waitlisted
from tournament.rounds.calls import notify_table
from tournament.seating.lots import compute_commitments
from tournament.stages.cut import rule_problem

# These fields decide who replaces a qualifier, so they cannot change once players have advanced.
RULE_FIELDS = frozenset({"qualify_rule", "qualify_value", "thresholds", "min_matches"})

# Changes to these fields are public, because they affect the results or the cards that viewers see.
PUBLIC_FIELDS = RULE_FIELDS | {
    "absence_seconds",
    "advance",
    "bank_seconds",
    "by_points",
    "consent",
    "cut_ties",
    "disqualified",
    "forfeits",
    "hand_limit",
    "missed_rounds",
    "players_enter",
    "replays",
    "round_minutes",
    "rounds_planned",
    "second_factor",
    "substitutes",
    "table_size",
    "tie_breakers",
    "turn_seconds",
    "viewer_delay_seconds",
    "viewers",
}


@transaction.atomic
def create_event(
    event: Event, actor: User, stages: Sequence[StagePlan] = formats.USUAL.stages
) -> Event:
    """Save a new event with its stages, owned by the organizer who creates it.

    Raises RefusedError like `check_event` and `check_stage`.
    """
    check_event(event)
    event.save()
    make_stages(event, stages)
    event.roles.create(user=actor, role=Role.OWNER)
    record(event, actor, LogAction.CREATE, lambda: _("Created {event}.").format(event=event))
    return event


def make_stages(event: Event, stages: Sequence[StagePlan]) -> None:
    """Create the stages of an event.

    Raises RefusedError like `check_stage`.
    """
    for number, plan in enumerate(stages, 1):
        make_stage(event, number, plan)


def make_stage(event: Event, number: int, plan: StagePlan) -> Stage:
    """Create one stage of an event.

    Raises RefusedError like `check_stage`.
    """
    stage = Stage(event=event, number=number, **plan.fields())
    check_stage(stage)
    stage.save()
    return stage


def choose_free_slug(title: str) -> str:
    """Return an unused slug for an event with this title."""
    base = slugify(title)[:50] or "event"
    taken = set(Event.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in count(2))
    return next(slug for slug in chain([base], numbered) if slug not in taken)


@transaction.atomic
def change_event(event: Event, actor: User, changed: Collection[str]) -> Event:
    """Save the changed fields. Free spots go to players on the waitlist.

    Raises RefusedError like `check_event`.
    """
    lock_event(event)
    check_event(event)
    before = Event.objects.get(pk=event.pk)
    columns = {field.name for field in Event._meta.concrete_fields}
    # Other fields may have changed since the form was opened, for example because a round has
    # started.
    event.save(update_fields=columns.intersection(changed))
    promote_waitlisted(event)
    if before.reactions != event.reactions:
        for table in Table.objects.filter(round__stage__event=event).select_related("match"):
            notify_table(table)
    _record_change(event, actor, (before, event), changed)
    return event


@transaction.atomic
def change_stage(stage: Stage, actor: User, changed: Collection[str]) -> Stage:
    """Save the changed settings of a stage.

    Raises RefusedError with the code `rule` or `closed`.
    """
    event = lock_event(stage.event)
    check_stage(stage)
    before = Stage.objects.get(pk=stage.pk)
    if before.state == Stage.State.CLOSED and not RULE_FIELDS.isdisjoint(changed):
        text = _(
            "{stage} is closed, so its rule for advancing can’t change. To change it, "
            "reopen the stage under “Who advances”."
        )
        raise RefusedError(Code.CLOSED, text.format(stage=stage))
    stage.save(update_fields=set(changed))
    _record_change(event, actor, (before, stage), changed)
    return stage


def _record_change(
    event: Event, actor: User, rows: tuple[Event | Stage, Event | Stage], changed: Collection[str]
) -> None:
    with use_site_language():
        changes_in_words = list_changes(*rows, changed)

    def describe_change() -> str:
        sentence = _("Changed: {fields}.")
        if isinstance(rows[1], Stage):
            sentence = _("Changed in {stage}: {fields}.")
        return sentence.format(
            stage=rows[1], fields=", ".join(each["field"] for each in changes_in_words)
        )

    if changes_in_words:
        record(event, actor, LogAction.CHANGE, describe_change, changes=changes_in_words)
    if event.public and (public := _select_public_changes(*rows, changed)):
        append_entry(event, actor, LogAction.CHANGE_SETTINGS, "", public)


def _select_public_changes(before: Model, after: Model, changed: Collection[str]) -> Facts:
    """Return the changes for the public history: the old and new values of each public field.

    For a stage, its number is included. Returns {} if no public field has changed.
    """
    names = sorted(PUBLIC_FIELDS.intersection(changed))
    values = {name: [getattr(row, name) for row in (before, after)] for name in names}
    settings = {name: pair for name, pair in values.items() if pair[0] != pair[1]}
    stage = {"stage": after.number} if isinstance(after, Stage) else {}
    return {"settings": settings, **stage} if settings else {}


def check_event(event: Event) -> None:
    """Check that the event's settings are possible.

    Raises RefusedError with the code `table-size`, `endless` or `capacity`.
    """
    rules = rulesets.make(event.ruleset, event.options)
    try:
        rules.check_seats(event.table_size)
    except rulesets.OptionError as error:
        raise RefusedError(Code.TABLE_SIZE, error.sentence) from error
    spots_taken = (
        event.registrations.filter(state__in=Registration.HOLDS_PLACE).count() if event.pk else 0
    )
    if not (rules.target or event.hand_limit or event.round_minutes):
        text = _(
            "Without a target, something else has to end a match. Set a number of hands "
            "per match or minutes per round."
        )
        raise RefusedError(Code.ENDLESS, text)
    if event.capacity is not None and event.capacity < spots_taken:
        text = ngettext(
            "{held} player already has a spot or is waiting for approval, so {capacity} "
            "spots are too few.",
            "{held} players already have a spot or are waiting for approval, so {capacity} "
            "spots are too few.",
            spots_taken,
        )
        raise RefusedError(Code.CAPACITY, text.format(held=spots_taken, capacity=event.capacity))


def check_stage(stage: Stage) -> None:
    """Check that the stage's rule for advancing is possible.

    Raises RefusedError with the code `rule`.
    """
    if problem := rule_problem(stage):
        raise RefusedError(Code.RULE, problem)


def are_rules_fixed(event: Event) -> bool:
    """Return whether a round has started, so that the rules can no longer change."""
    begun = (Round.State.RUNNING, Round.State.CLOSED)
    return Round.objects.filter(stage__event=event, state__in=begun).exists()


@transaction.atomic
def set_rules(event: Event, actor: User, ruleset: str, options: Mapping[str, object]) -> Event:
    """Set the rule set and its options.

    Only options that differ from the rule set's defaults are stored. Raises RefusedError with the
    code `begun`, `option`, `table-size` or `endless`.
    """
    event = lock_event(event)
    if are_rules_fixed(event):
        raise RefusedError(
            Code.BEGUN, _("The first round has started, so the rules can no longer change.")
        )
    try:
        rules = rulesets.make(ruleset, options)
    except rulesets.OptionError as error:
        raise RefusedError(Code.OPTION, error.sentence) from error
    with use_site_language():
        changes_in_words = list_rule_changes(rulesets.make(event.ruleset, event.options), rules)
    event.ruleset, event.options = rules.key, rules.changed_options()
    check_event(event)
    event.save(update_fields=["ruleset", "options"])
    text = translate_later(gettext_noop("Set the rules to {rules}."), rules=rules.name)
    record(event, actor, LogAction.RULES, text, options=event.options, changes=changes_in_words)
    return event


@transaction.atomic
def publish_event(event: Event, actor: User) -> Event:
    """Make the event visible to everyone.

    Raises RefusedError with the code `state`.
    """
    event = lock_event(event)
    if event.state != Event.State.DRAFT:
        raise RefusedError(Code.STATE, _("The event is already published."))
    event.state = Event.State.OPEN
    event.save(update_fields=["state"])
    # The public history commits to the secret keys, so that no key can be replaced unnoticed.
    data = {"lots": compute_commitments(event), "site": site_key()}
    text = _("Published {event}.").format
    record(event, actor, LogAction.PUBLISH_EVENT, lambda: text(event=event), "", **data)
    return event
