"""Check-in at the door or desk, and marking players as absent or back."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.attendance.last_round import find_last_round
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.moments import moment_text
from tournament.common.refusals import RefusedError
from tournament.events.services import change_event
from tournament.models import Event, LogAction, Registration, Round, User
from tournament.oversight.audit import record
from tournament.pure.codes import Code

FIELDS = frozenset({"check_in", "check_in_opens", "check_in_closes"})
COLUMNS = ("checked_in_at", "checked_in_by", "absent_at")
# The stored time at which a player was last seen is updated only if it is older than this.
SEEN_SECONDS = 30


@transaction.atomic
def set_check_in(
    event: Event, actor: User, changed: Collection[str], *, has_started: bool = False
) -> int:
    """Save the event's check-in settings, and return the number of players checked in.

    If the event now requires check-in and `has_started` is true, the players of the last round are
    checked in. Raises RefusedError with the code `window`.
    """
    opens, closes = event.check_in_opens, event.check_in_closes
    if opens and closes and opens >= closes:
        raise RefusedError(Code.WINDOW, _("Check-in must open before it closes."))
    changed_event = change_event(event, actor, FIELDS.intersection(changed))
    last = find_last_round(changed_event) if has_started and changed_event.asks_presence else None
    return check_in(last.people, actor) if last else 0


def check_in_last_round_players(event: Event, actor: User) -> int:
    """Check in the players of the last round, and return the number of new check-ins.

    Raises RefusedError like `check_in`.
    """
    last = find_last_round(event)
    return check_in(last.people if last else [], actor)


@transaction.atomic
def check_in(chosen: Iterable[Registration], actor: User) -> int:
    """Check in these players at the desk. This is possible at any time during the event.

    Returns the number of new check-ins. Raises RefusedError with the code `nobody`, `not-used`,
    `not-now` or `state`.
    """
    rows = _lock_chosen(chosen)
    for event in {row.event for row in rows}:
        _check_check_in_is_possible(event)
    return sum([_check_in_row(row, actor) for row in rows])


@transaction.atomic
def check_in_by_code(registration: Registration) -> Registration:
    """Check in a player who has scanned the code at the door.

    Raises RefusedError like `check_in`, or with the code `early` or `late`.
    """
    [row] = _lock_rows([registration])
    _check_check_in_is_possible(row.event)
    _check_door_check_in_is_open(row.event)
    _check_in_row(row, None)
    return row


def _check_check_in_is_possible(event: Event) -> None:
    if not event.check_in:
        raise RefusedError(Code.NOT_USED, _("This event doesn’t use check-in."))
    if event.check_in_state == "off":
        raise RefusedError(Code.NOT_NOW, _("Check-in is possible only during the event."))


def _check_door_check_in_is_open(event: Event) -> None:
    if event.check_in_state == "early" and event.check_in_opens:
        text = _("Check-in opens on {moment}.")
        raise RefusedError(
            Code.EARLY, text.format(moment=moment_text(event.check_in_opens, event.zone))
        )
    if event.check_in_state == "closed":
        raise RefusedError(Code.LATE, _("Check-in has closed. Ask at the desk."))


def _check_in_row(row: Registration, actor: User | None) -> bool:
    _check_is_participant(row)
    if row.checked_in_at and not row.absent_at:
        return False
    row.checked_in_at, row.checked_in_by, row.absent_at = timezone.now(), actor, None
    row.save(update_fields=COLUMNS)
    _make_eligible(row)
    text = translate_later(gettext_noop("{name} is checked in."), name=row.name)
    record(row.event, actor or row.user, LogAction.CHECK_IN, text, registration=row.pk)
    return True


def _make_eligible(row: Registration) -> None:
    """Make a returning player eligible for a seat in rounds that have not started."""
    rounds = Round.objects.filter(
        stage__event=row.event, state__in=(Round.State.DRAFT, Round.State.PUBLISHED)
    )
    for played in rounds:
        if row.pk in played.seating.out:
            out = tuple(pk for pk in played.seating.out if pk != row.pk)
            played.seating = replace(played.seating, out=out)
            played.save(update_fields=["seating"])


def _check_is_participant(row: Registration) -> None:
    if not row.is_participant:
        text = _("{name} isn’t expected here: {state}.")
        message = text.format(name=row.name, state=row.get_state_display())
        raise RefusedError(Code.STATE, message)


@transaction.atomic
def undo_check_in(registration: Registration, actor: User) -> Registration:
    """Undo a check-in that was made by mistake.

    Raises RefusedError with the code `same`.
    """
    [row] = _lock_rows([registration])
    if row.checked_in_at is None:
        raise RefusedError(Code.SAME, _("{name} has not checked in.").format(name=row.name))
    row.checked_in_at = row.checked_in_by = None
    row.save(update_fields=COLUMNS)
    text = translate_later(gettext_noop("Undid {name}’s check-in."), name=row.name)
    record(row.event, actor, LogAction.CHECK_IN_OFF, text, registration=row.pk)
    return row


@transaction.atomic
def mark_absent(chosen: Iterable[Registration], actor: User, reason: str = "") -> int:
    """Mark these players as absent, and return the number of newly marked players.

    They keep their spots, but are not seated until they are back. Raises RefusedError with the
    code `nobody` or `state`.
    """
    rows = _lock_chosen(chosen)
    return sum([_mark_row_absent(row, actor, reason) for row in rows])


def _mark_row_absent(row: Registration, actor: User, reason: str) -> bool:
    if row.state != Registration.State.APPROVED:
        text = _("{name} has no spot: {state}.")
        raise RefusedError(Code.STATE, text.format(name=row.name, state=row.get_state_display()))
    if row.absent_at:
        return False
    row.absent_at = timezone.now()
    row.save(update_fields=COLUMNS)
    describe = translate_later(gettext_noop("{name} is a no-show."), name=row.name)
    record(row.event, actor, LogAction.ABSENT, describe, reason, registration=row.pk)
    return True


@transaction.atomic
def undo_absence(registration: Registration, actor: User) -> Registration:
    """Mark an absent player as back, so that the player gets a seat from the next round on.

    Raises RefusedError with the code `same`.
    """
    [row] = _lock_rows([registration])
    if row.absent_at is None:
        raise RefusedError(Code.SAME, _("{name} is not marked as a no-show.").format(name=row.name))
    row.absent_at = None
    row.save(update_fields=COLUMNS)
    text = translate_later(gettext_noop("{name} is back."), name=row.name)
    record(row.event, actor, LogAction.ABSENT_OFF, text, registration=row.pk)
    return row


def _lock_chosen(chosen: Iterable[Registration]) -> list[Registration]:
    rows = _lock_rows(chosen)
    if not rows:
        raise RefusedError(Code.NOBODY, _("Choose a player first."))
    return rows


def _lock_rows(chosen: Iterable[Registration]) -> list[Registration]:
    """Lock the events of these registrations, and return the reloaded rows in queue order."""
    rows = list(chosen)
    events = {row.event_id: row.event for row in rows}
    locked = {pk: lock_event(events[pk]) for pk in sorted(events)}
    fresh = Registration.objects.filter(pk__in=[row.pk for row in rows]).select_related("user")
    fresh = fresh.order_by("queue_number")
    for row in fresh:
        row.event = locked[row.event_id]
    return list(fresh)


def record_seen(event: int, user: int) -> bool:
    """Record that the user has a page of the event open.

    `event` and `user` are keys. The time is stored at most once every 30 seconds. Returns whether
    the user is registered for the event.
    """
    now = timezone.now()
    mine = Registration.objects.filter(event=event, user=user)
    seen = mine.values_list("seen_at", flat=True).first()
    if seen is None and not mine.exists():
        return False
    if seen is None or seen < now - timedelta(seconds=SEEN_SECONDS):
        mine.update(seen_at=now)
    return True
