"""Giving a missing player's seat in a published round to a reserve, in one action."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.advancing.qualifiers import remove_from_later_stages
from tournament.attendance.reserves import Reserve, ReserveSource, find_reserve
from tournament.attendance.services import mark_absent
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason, check_state
from tournament.corrections.dry_run import trial
from tournament.models import DeskMessage, Registration, Round, Table, User
from tournament.people.presence import is_present
from tournament.pure.codes import Code
from tournament.pure.sentences import stored_sentence
from tournament.registration.services import approve, count_free_spots, withdraw
from tournament.rounds.desk_messages import send_message
from tournament.seating.changes import change_seats
from tournament.seating.services import check_seen

State = Registration.State


def describe_reserve_effect(round_: Round, absent: Registration) -> list[str]:
    """Describe the effect of giving a missing player's seat to the next reserve.

    Raises RefusedError with the code `state`, `here` or `nobody`.
    """
    _check_can_be_replaced(round_, absent)
    reserve = find_reserve(round_)
    sentences = (
        _describe_reserve(reserve, absent) if reserve else _describe_replacements(absent, round_)
    )
    if round_.mailed_page:
        return [*sentences, _("Both players will get an email, and the table will get a message.")]
    return [
        *sentences,
        _("The table will get a message. Seats in this round are not sent by email."),
    ]


def _describe_reserve(reserve: Reserve, absent: Registration) -> list[str]:
    if reserve.source == ReserveSource.LIST and count_free_spots(absent.event) == 0:
        text = _("{name} will leave the event, which frees up a spot.")
    else:
        text = _(
            "{name} will be marked as a no-show but will keep the spot in the event, and "
            "can play again after returning."
        )
    return [reserve.sentence, text.format(name=absent.name)]


def _describe_replacements(absent: Registration, round_: Round) -> list[str]:
    """Describe who would take over the seat, based on a trial run.

    After a cut, the same player also takes over the spot in the stage.
    """
    with trial(absent.event):
        moved_up = remove_from_later_stages(absent, "")
    qualifiers = [each for each in moved_up if each.stage_id == round_.stage_id]
    if not qualifiers:
        raise _refuse_without_reserve(absent)
    text = _("{name} will leave the event, and {coming} will step in. {why}")
    return [
        text.format(name=absent.name, coming=qualifier.registration.name, why=qualifier.reason)
        for qualifier in qualifiers
    ]


def _refuse_without_reserve(absent: Registration) -> RefusedError:
    text = _(
        "There is no reserve for {name}: no player has a bye, is checked in without a "
        "seat, or is waiting for a spot."
    )
    return RefusedError(Code.NOBODY, text.format(name=absent.name))


def _check_can_be_replaced(round_: Round, absent: Registration) -> None:
    check_state(
        round_,
        Round.State.PUBLISHED,
        _(
            "{round} is {state}. A reserve can step in only after the seats have been "
            "published and before the round starts."
        ),
    )
    if not absent.seats.filter(table__round=round_).exists():
        text = _("{name} has no seat in this round.")
        raise RefusedError(Code.HERE, text.format(name=absent.name))
    if is_present(absent, timezone.now()):
        raise RefusedError(Code.HERE, _("{name} is checked in.").format(name=absent.name))


@transaction.atomic
def substitute_reserve(
    round_: Round, absent: Registration, actor: User, reason: str, *, seen: str | None = None
) -> Registration | None:
    """Give the seat to the next reserve, and return the reserve.

    Returns None if a second organizer has to confirm first. Raises RefusedError with the code
    `state`, `here`, `nobody`, `no-reason` or `changed`, or like withdrawing or approving.
    """
    event = lock_event(round_.stage.event, round_, absent)
    absent.event = event
    _check_can_be_replaced(round_, absent)
    check_seen(round_.stage, round_.number, seen)
    check_reason(reason, _("The seats are published, so say why they are being changed."))
    table = round_.tables.get(seats__registration=absent)
    reserve = find_reserve(round_)
    if reserve is None:
        coming = _seat_next_qualifier(round_, absent, actor, reason)
    else:
        coming = _seat_reserve(round_, reserve, absent, actor, reason)
    if coming:
        _notify_table(table, actor, coming, absent)
    return coming


def _seat_reserve(
    round_: Round, reserve: Reserve, absent: Registration, actor: User, reason: str
) -> Registration:
    coming, event = reserve.registration, absent.event
    leaves = reserve.source == ReserveSource.LIST and count_free_spots(event) == 0
    change_seats(round_, actor, coming, f"swap:{absent.pk}", reason)
    if leaves:
        withdraw(absent, actor, reason)
    else:
        mark_absent([absent], actor, reason)
    coming.refresh_from_db()
    # Before the first round, the waitlist fills a free spot automatically.
    if coming.state != State.APPROVED:
        approve(coming, actor, reason)
    return coming


def _seat_next_qualifier(
    round_: Round, absent: Registration, actor: User, reason: str
) -> Registration | None:
    _describe_replacements(absent, round_)
    before = set(round_.stage.qualifiers.values_list("registration_id", flat=True))
    if withdraw(absent, actor, reason).state == State.APPROVED:
        return None
    newcomers = round_.stage.qualifiers.exclude(registration_id__in=before)
    return newcomers.select_related("registration")[0].registration


def _notify_table(table: Table, actor: User, coming: Registration, absent: Registration) -> None:
    text = describe_stepping_in(coming.name, absent.name)
    send_message(absent.event, actor, text, DeskMessage.Audience.TABLE, table=table)


@stored_sentence("steps_in")
def describe_stepping_in(coming: str, name: str) -> str:
    """Return the message that announces a substitution to the table."""
    return _("{coming} replaces {name} at your table.").format(coming=coming, name=name)
