"""Referee calls, which are limited in number and open until they are resolved or withdrawn."""

from copy import deepcopy
from datetime import timedelta

import pytest
from django.utils import timezone

from games import services as games
from games.sockets.desks import Desks
from tests.factories import make_user
from tests.tournament.helpers import get_refusal_code
from tests.tournament.staging import first_table, match_of, organizer_of, running_round
from tests.typed import sure
from tournament.models import AuditEntry, RefereeCall, Round, Table, TableSeat
from tournament.rounds.calls import call_referee, settle_call, take_call, withdraw_call
from tournament.rounds.event_desk import EventDesk

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(scope="module")
def shared_seat(shared_rows: None) -> TableSeat:
    return first_table(running_round(4)).seats.get(number=1)


@pytest.fixture
def seat(shared_seat: TableSeat) -> TableSeat:
    return deepcopy(shared_seat)


def get_player(seat: TableSeat) -> object:
    return sure(seat.registration).user


def call_referee_from(seat: TableSeat, reason: str = "") -> RefereeCall:
    return call_referee(seat, sure(seat.registration).user, reason)


def get_table_message(table: Table, seat: int | None) -> object:
    """Return the desk message that a window at the table would receive now."""
    desks, pk = Desks(), match_of(table).pk
    desks.refresh([pk])
    return desks.message(pk, seat)  # type: ignore[arg-type]


def list_logged_actions() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


def test_call_can_be_taken_and_resolved_and_is_logged(seat: TableSeat) -> None:
    organizer = organizer_of(seat.table.round.stage.event)
    call = call_referee_from(seat, "rules")
    assert (call.reason, call.taken_by, call.ended_at) == ("rules", None, None)
    assert take_call(call, organizer).taken_by == organizer
    assert settle_call(call, organizer).ended_at is not None
    assert list_logged_actions()[-3:] == ["call-referee", "call-taken", "call-settled"]
    entry = AuditEntry.objects.get(action="call-referee")
    assert (entry.actor, entry.reason) == (get_player(seat), "a question about the rules")


def test_repeated_call_changes_the_reason_of_the_open_call(seat: TableSeat) -> None:
    first = call_referee_from(seat)
    assert call_referee_from(seat, "other") == first
    assert call_referee_from(seat, "other") == first
    assert [call.reason for call in RefereeCall.objects.all()] == ["other"]


def test_unknown_reason_is_refused(seat: TableSeat) -> None:
    assert get_refusal_code(call_referee_from, seat, "bored") == "reason"


def test_referee_cannot_be_called_after_the_round_is_closed(seat: TableSeat) -> None:
    Round.objects.update(state=Round.State.CLOSED)
    assert get_refusal_code(call_referee_from, seat) == "state"


def test_fourth_call_within_ten_minutes_is_refused(seat: TableSeat) -> None:
    for _ in range(3):
        call_referee_from(seat)
        withdraw_call(seat, sure(seat.registration).user)
    assert get_refusal_code(call_referee_from, seat) == "too-often"
    RefereeCall.objects.update(called_at=timezone.now() - timedelta(minutes=11))
    assert call_referee_from(seat).ended_at is None


def test_call_can_be_withdrawn_only_once(seat: TableSeat) -> None:
    call = call_referee_from(seat)
    assert withdraw_call(seat, sure(seat.registration).user) == call
    assert withdraw_call(seat, sure(seat.registration).user) is None
    assert list_logged_actions().count("call-back") == 1


def test_call_can_be_taken_and_resolved_only_once(seat: TableSeat) -> None:
    organizer, call = organizer_of(seat.table.round.stage.event), call_referee_from(seat)
    take_call(call, organizer)
    assert get_refusal_code(take_call, call, make_user()) == "taken"
    settle_call(call, organizer)
    assert get_refusal_code(take_call, call, organizer) == "ended"
    assert get_refusal_code(settle_call, call, organizer) == "ended"


def test_call_is_shown_at_the_table_and_hidden_from_viewers(seat: TableSeat) -> None:
    call = call_referee_from(seat)
    expected = {"seat": 1, "reason": "", "at": round(call.called_at.timestamp() * 1000)}
    assert get_table_message(seat.table, 0) == {
        "type": "desk",
        "may_call": True,
        "may_react": True,
        "calls": [{**expected, "coming": False}],
        "messages": [],
    }
    assert get_table_message(seat.table, None) == {
        "type": "desk",
        "may_call": False,
        "may_react": False,
        "calls": [],
        "messages": [],
    }
    take_call(call, organizer_of(seat.table.round.stage.event))
    assert get_table_message(seat.table, 0)["calls"] == [{**expected, "coming": True}]  # type: ignore[index]


def test_referee_can_be_called_by_match_and_seat(seat: TableSeat) -> None:
    desk, match = EventDesk(), match_of(seat.table).pk
    desk.call_referee(match, 1, "technical")
    assert RefereeCall.objects.get().seat == seat
    desk.withdraw_call(match, 1)
    assert RefereeCall.objects.get().ended_at is not None
    with pytest.raises(games.RefusedError) as refused:
        desk.call_referee(match, 1, "nonsense")
    assert refused.value.code == "reason"


def test_referee_cannot_be_called_to_a_practice_table() -> None:
    practice = games.start_practice(make_user(), "uno-400", 2)
    with pytest.raises(games.RefusedError) as refused:
        EventDesk().call_referee(practice.pk, 0, "")
    assert refused.value.code == "no-desk"
    with pytest.raises(games.RefusedError) as refused:
        EventDesk().withdraw_call(practice.pk, 0)
    assert refused.value.code == "no-desk"
    assert EventDesk().news([practice.pk]) == {}
