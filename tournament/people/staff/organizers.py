"""Changes to an event's owners and commentators. They may need a second organizer."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import services as games
from games.models import Match
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import Event, LogAction, Proposal, Role, User
from tournament.oversight.audit import record
from tournament.oversight.second_person import Step, StepRequest, take_step
from tournament.people.staff.commentary import is_participant
from tournament.pure.codes import Code

RULES = Event.SecondPerson.values


@transaction.atomic
def appoint_commentator(event: Event, actor: User, user: User, reason: str) -> Proposal | None:
    """Make a staff member a commentator, or return the proposal for a second organizer.

    Commentators see all cards of hands that are dealt after their appointment. The tables are
    notified of it. Raises RefusedError with the code `no-reason`, `no-staff`, `plays`, `same` or
    `asked`.
    """
    return take_step(
        COMMENTATOR, StepRequest(lock_event(event, settled=True), actor, {"user": user.pk}, reason)
    )


def _check_commentator(request: StepRequest) -> None:
    user = _get_staff_member(request)
    if is_participant(request.event, user):
        text = _(
            "{user} is a player in this event, so they aren’t allowed to see everyone’s cards."
        )
        raise RefusedError(Code.PLAYS, text.format(user=user))
    if request.event.commentary.filter(user=user).exists():
        raise RefusedError(Code.SAME, _("{user} is already a commentator.").format(user=user))


def _get_staff_member(request: StepRequest) -> User:
    user = User.objects.get(pk=request.facts["user"])
    check_staff(user)
    return user


def check_staff(user: User) -> None:
    """Check that the user has an active staff account.

    Raises RefusedError with the code `no-staff`.
    """
    if not (user.is_staff and user.is_active):
        raise RefusedError(Code.NO_STAFF, _("Choose someone with a staff account."))


def make_commentator(request: StepRequest) -> None:
    """Make the person in the request a commentator. The caller must have locked the event.

    Raises RefusedError with the code `no-staff`, `plays` or `same`.
    """
    _check_commentator(request)
    _appoint_commentator(request)


def _appoint_commentator(request: StepRequest) -> None:
    user = _get_staff_member(request)
    _notify_tables(request.event, has_commentary=True)
    # Tables are notified before the role begins, so that players know of it before the first hand
    # that the commentator sees.
    request.event.roles.create(user=user, role=Role.COMMENTATOR, since=timezone.now())
    text = translate_later(gettext_noop("Named {user} as a commentator."), user=user)
    data = {"user": user.pk, "second": bool(request.second)}
    record(request.event, request.actor, LogAction.COMMENTATOR, text, request.reason, **data)


COMMENTATOR = Step(Proposal.Kind.COMMENTATOR, _check_commentator, _appoint_commentator)


@transaction.atomic
def remove_commentator(event: Event, actor: User, user: User, reason: str = "") -> None:
    """Remove a commentator, with immediate effect.

    Raises RefusedError with the code `same` if the user is not one.
    """
    event = lock_event(event, settled=True)
    removed, _rows = event.commentary.filter(user=user).delete()
    if not removed:
        raise RefusedError(Code.SAME, _("{user} is not a commentator.").format(user=user))
    if not event.commentary.exists():
        _notify_tables(event, has_commentary=False)
    text = translate_later(gettext_noop("{user} is no longer a commentator."), user=user)
    record(event, actor, LogAction.COMMENTATOR_OFF, text, reason, user=user.pk)


def _notify_tables(event: Event, *, has_commentary: bool) -> None:
    matches = Match.objects.filter(event_table__round__stage__event=event)
    for match in matches.exclude(phase=Match.Phase.OVER):
        games.set_commentary(match, has_commentary)


@transaction.atomic
def add_organizer(event: Event, actor: User, user: User, reason: str) -> Proposal | None:
    """Make a staff member an organizer, or return the proposal for a second organizer.

    Raises RefusedError with the code `no-reason`, `no-staff`, `same` or `asked`.
    """
    facts = {"user": user.pk, "add": True}
    return take_step(ORGANIZER, StepRequest(lock_event(event, settled=True), actor, facts, reason))


@transaction.atomic
def remove_organizer(event: Event, actor: User, user: User, reason: str) -> Proposal | None:
    """Remove an organizer, or return the proposal for a second organizer.

    Raises RefusedError with the code `no-reason`, `same`, `last` or `asked`.
    """
    facts = {"user": user.pk, "add": False}
    return take_step(ORGANIZER, StepRequest(lock_event(event, settled=True), actor, facts, reason))


def _check_organizer(request: StepRequest) -> None:
    organizers = request.event.organizers
    is_organizer = organizers.filter(pk=request.facts["user"]).exists()
    if request.facts["add"]:
        _get_staff_member(request)
    if is_organizer == request.facts["add"]:
        text = (
            _("This person is already an organizer of the event.")
            if is_organizer
            else _("This person is not an organizer of the event.")
        )
        raise RefusedError(Code.SAME, text)
    if is_organizer and organizers.count() == 1:
        raise RefusedError(
            Code.LAST, _("The last organizer can’t be removed. Add another organizer first.")
        )


def _change_organizer(request: StepRequest) -> None:
    user, added = User.objects.get(pk=request.facts["user"]), request.facts["add"]
    if added:
        request.event.roles.create(user=user, role=Role.OWNER)
    else:
        request.event.roles.filter(user=user, role=Role.OWNER).delete()

    def describe_change() -> str:
        text = (
            _("{user} is now an organizer of the event.")
            if added
            else _("{user} is no longer an organizer of the event.")
        )
        return text.format(user=user)

    data = {"user": user.pk, "add": added, "second": bool(request.second)}
    record(
        request.event, request.actor, LogAction.ORGANIZER, describe_change, request.reason, **data
    )


ORGANIZER = Step(Proposal.Kind.ORGANIZER, _check_organizer, _change_organizer)


@transaction.atomic
def choose_confirmation_rule(event: Event, actor: User, rule: str, reason: str) -> Proposal | None:
    """Choose which actions need a second organizer.

    In a published event, a weaker rule itself needs a second organizer. The proposal is returned in
    that case. Raises RefusedError with the code `no-reason`, `rule`, `same` or `asked`.
    """
    event = lock_event(event, settled=True)
    request = StepRequest(event, actor, {"from": event.second_person, "to": rule}, reason)
    _check_rule(request)
    if event.public and RULES.index(rule) < RULES.index(event.second_person):
        return take_step(RULE, request)
    _set_rule(request)
    return None


def _check_rule(request: StepRequest) -> None:
    before, rule = request.facts["from"], request.facts["to"]
    if rule not in RULES:
        raise RefusedError(Code.RULE, _("Choose what a second organizer has to confirm."))
    if before != request.event.second_person:
        raise RefusedError(Code.RULE, _("The rule has changed in the meantime."))
    if rule == before:
        raise RefusedError(Code.SAME, _("That is already the rule."))


def _set_rule(request: StepRequest) -> None:
    event = request.event
    event.second_person = request.facts["to"]
    event.save(update_fields=["second_person"])

    def describe_rule() -> str:
        text = _("Confirmed by a second organizer: {what}.")
        return text.format(what=event.get_second_person_display())

    data = {**request.facts, "second": bool(request.second)}
    record(event, request.actor, LogAction.SECOND_PERSON, describe_rule, request.reason, **data)


RULE = Step(Proposal.Kind.SECOND_PERSON, _check_rule, _set_rule)
