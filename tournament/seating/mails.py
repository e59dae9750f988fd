"""Emails with players' seats in a published round, and with later changes."""

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import check_state
from tournament.mail.notices import notify_of_seat
from tournament.models import LogAction, Registration, Round, TableSeat, User
from tournament.oversight.audit import identify_place, record


@transaction.atomic
def mail_seats(round_: Round, actor: User, page: str) -> int:
    """Email the seats of a published round, and return the number of emails.

    Later changes will be emailed too. No player gets two emails about the same seat. `page` is the
    URL of "My table". Raises RefusedError with the code `state`.
    """
    event = lock_event(round_.stage.event, round_)
    check_state(
        round_,
        Round.State.PUBLISHED,
        _("{round} is {state}. Seats can be emailed only while they are published."),
    )
    round_.mailed_page = page
    round_.save(update_fields=["mailed_page"])
    count = notify_seats(round_)
    description = translate_later(gettext_noop("Emailed the seats for {round}."), round=round_)
    record(
        event, actor, LogAction.MAIL_SEATS, description, "", **identify_place(round_), count=count
    )
    return count


def notify_seats(round_: Round) -> int:
    """Email players whose seat has changed since their last email. Return the number of emails.

    Players who have lost their seat get an email too. Does nothing unless the round's seats have
    been emailed. The caller must have locked the event.
    """
    if round_.state != Round.State.PUBLISHED or not round_.mailed_page:
        return 0
    seats = _map_seats_by_player(round_)
    mailed_chairs = dict(round_.letters.order_by("pk").values_list("registration__pk", "chair"))
    concerned = {
        registration: seat
        for registration, seat in seats.items()
        if mailed_chairs.get(registration.pk) != _make_chair_key(seat)
    }
    for registration, seat in concerned.items():
        _mail_player(registration, round_, seat, moved=registration.pk in mailed_chairs)
    seated = {registration.pk for registration in seats}
    lost = [pk for pk, chair in mailed_chairs.items() if chair and pk not in seated]
    without_seat = Registration.objects.filter(pk__in=lost).select_related("event", "user")
    for registration in without_seat:
        _mail_player(registration, round_, None, moved=True)
    return sum(bool(registration.user.mailbox) for registration in (*concerned, *without_seat))


def _map_seats_by_player(round_: Round) -> dict[Registration, TableSeat]:
    rows = TableSeat.objects.filter(table__round=round_).order_by("table__number", "number")
    rows = rows.select_related("table", "registration__user", "registration__event")
    return {seat.registration: seat for seat in rows if seat.registration}


def _make_chair_key(seat: TableSeat) -> str:
    return f"{seat.table.number}:{seat.number + 1}"


def _mail_player(
    registration: Registration, round_: Round, seat: TableSeat | None, *, moved: bool
) -> None:
    chair, number = (_make_chair_key(seat), seat.number + 1) if seat else ("", 0)
    details = {"page": round_.mailed_page, "seat": seat, "number": number, "moved": moved}
    notify_of_seat(registration, round_, chair, **details)
