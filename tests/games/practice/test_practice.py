"""Tests of guests' matches: their number, their retention, and their transfer to an account."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import Settings

from games import queries, services, store
from games.guests import Guest, held_by
from games.models import Match, Seat
from games.practice import practice
from games.rules.ruleset.rulesets import RULE_SETS
from tests.factories import make_user
from tests.games.helpers import create_match, make_match, reload
from tests.games.unsaved import make_logged_action

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

DAY = timedelta(days=1)


def start_practice(player: Any, ruleset: str = "ocho") -> Match:
    return services.start_practice(player, ruleset, 2)


def list_phases() -> list[str]:
    return list(Match.objects.order_by("pk").values_list("phase", flat=True))


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_guests_can_play_every_rule_set(ruleset: str) -> None:
    match = start_practice(Guest(), ruleset)
    assert [(bool(seat.guest), seat.user, seat.bot) for seat in match.seats.all()] == [
        (True, None, ""),
        (False, None, "plain"),
    ]


def test_two_guests_are_never_equal() -> None:
    assert Guest() != Guest()


def test_guest_counts_as_a_person_at_the_table() -> None:
    guest = Guest()
    match = start_practice(guest)
    view = queries.match_view(match, guest)
    assert [seat["bot"] for seat in view["seats"]] == ["", "plain"]
    assert view["you"] == 0
    assert queries.match_view(match, Guest())["you"] is None
    assert queries.running_match(guest) == match
    assert queries.running_match(Guest()) is None


def test_guests_can_have_seats_only_in_practice() -> None:
    seats = [services.SeatSpec("Guest", guest="g"), services.SeatSpec("Ada", bot="plain")]
    with pytest.raises(ValueError, match="guests only practice"):
        create_match(ruleset="ocho", options={}, seats=seats)
    assert Match.objects.count() == 0


@pytest.mark.parametrize("fields", [{"bot": "plain"}, {"user": True}])
def test_seat_has_one_holder(fields: dict[str, Any]) -> None:
    match = start_practice(Guest())
    fields = {key: make_user() if value is True else value for key, value in fields.items()}
    with pytest.raises(IntegrityError), transaction.atomic():
        match.seats.filter(number=0).update(**fields)


def test_deserted_table_makes_room_for_a_new_guest(settings: Settings) -> None:
    settings.GUEST_TABLES = 2
    left, played = start_practice(Guest()), start_practice(Guest())
    with pytest.raises(services.RefusedError) as refused:
        start_practice(Guest())
    assert refused.value.code == "guests-full"
    Match.objects.filter(pk=left.pk).update(paused_at=timezone.now() - timedelta(minutes=11))
    store.forget(left.pk)
    late = start_practice(Guest())
    assert {reload(match).phase for match in (played, late)} == {"between"}
    assert reload(left).phase == "over"


def test_guest_who_is_refused_a_new_match_keeps_the_old_one(settings: Settings) -> None:
    guest = Guest()
    match = start_practice(guest)
    settings.GUEST_TABLES = 0
    with pytest.raises(services.RefusedError) as refused:
        start_practice(guest)
    assert refused.value.code == "guests-closed"
    assert reload(match).phase == "between"
    assert store.current(match.pk).match.phase == "between"


def test_account_and_event_tables_do_not_count_against_guests(settings: Settings) -> None:
    settings.GUEST_TABLES = 1
    start_practice(make_user())
    services.start_match(make_match())
    assert start_practice(Guest()).phase == "between"


def test_signing_in_moves_all_guest_matches_to_the_account() -> None:
    guest, user = Guest(), make_user("Asha")
    over, on = start_practice(guest), start_practice(guest)
    others = start_practice(Guest())
    services.transfer_practice(guest, user)
    assert list(Match.objects.filter(held_by(user, "seats__"))) == [over, on]
    assert not Seat.objects.filter(guest=guest.key).exists()
    assert queries.match_view(reload(on), user)["seats"][0]["name"] == "Asha"
    assert queries.match_view(reload(on), guest)["you"] is None
    assert list_phases() == ["over", "between", "between"]
    assert queries.running_match(user) == on
    assert reload(others).seats.get(number=0).user is None


def test_match_moved_to_an_account_continues() -> None:
    guest, user = Guest(), make_user("Asha")
    match = start_practice(guest)
    before = store.current(match.pk)
    services.transfer_practice(guest, user)
    after = store.current(match.pk)
    assert after.version == before.version + 1
    assert after.hands[0].deals == before.hands[0].deals
    assert (after.match.due, after.match.state) == (before.match.due, before.match.state)


def test_player_named_like_a_bot_keeps_the_guest_name() -> None:
    guest = Guest()
    match = start_practice(guest)
    services.transfer_practice(guest, make_user("ADA"))
    assert match.seats.get(number=0).name == "Guest"


def test_no_bot_shares_the_name_of_the_player() -> None:
    match = services.start_practice(make_user("Ada"), "uno-500", 10)
    names = [seat.name for seat in match.seats.order_by("number")]
    assert names == ["Ada", *practice.BOTS[1:]]


def test_guest_matches_are_deleted_after_a_day() -> None:
    guest = Guest()
    over, on, kept = start_practice(guest), start_practice(guest), start_practice(make_user())
    young = start_practice(Guest())
    Match.objects.exclude(pk=young.pk).update(created_at=timezone.now() - DAY)
    services.delete_guest_matches(timezone.now())
    assert not Match.objects.filter(pk=over.pk).exists()
    assert reload(on).ended_reason == "A guest’s table is kept for a day."
    services.delete_guest_matches(timezone.now())
    assert list(Match.objects.order_by("pk")) == [kept, young]
    assert store.find_cached(over.pk) is None


def test_deleted_match_is_not_found() -> None:
    guest = Guest()
    match = start_practice(guest)
    Match.objects.update(created_at=timezone.now() - DAY)
    for _ in range(2):
        services.delete_guest_matches(timezone.now())
    with pytest.raises(Match.DoesNotExist):
        store.current(match.pk)


def test_deleting_an_account_deletes_only_its_own_practice() -> None:
    user = make_user()
    start_practice(user)
    others = start_practice(Guest())
    services.delete_practice(user)
    assert list(Match.objects.all()) == [others]


def test_table_of_an_absent_guest_pauses_and_makes_room() -> None:
    match, begun = start_practice(Guest()), timezone.now()
    for seconds in range(2, 120, 2):
        services.tick(begun + timedelta(seconds=seconds))
    paused_at = reload(match).paused_at
    assert paused_at is not None
    assert paused_at <= begun + timedelta(seconds=60)
    assert list(services.due_matches(begun + DAY, 10, alone=True)[0]) == []


HALL, OTHER = "203.0.113.7", "198.51.100.9"


def begin_matches(address: str, count: int) -> list[Match]:
    return [start_practice(Guest.create(address)) for _ in range(count)]


def get_refusal(address: str) -> str:
    with pytest.raises(services.RefusedError) as refused:
        start_practice(Guest.create(address))
    return refused.value.sentence


def test_guest_key_identifies_only_the_network() -> None:
    one, other = Guest.create(HALL), Guest.create(HALL)
    assert one != other
    assert one.network == other.network != Guest.create(OTHER).network
    assert HALL not in one.key
    assert Guest().network == ""


def test_one_address_gets_at_most_a_quarter_of_the_free_tables(
    settings: Settings,
) -> None:
    settings.GUEST_TABLES = 12
    begin_matches(HALL, 3)
    assert "There are too many guest tables on your network right now." in get_refusal(HALL)
    begin_matches(OTHER, 2)
    assert "on your network" in get_refusal(OTHER)
    assert Match.objects.exclude(phase="over").count() == 5


def test_forty_players_behind_one_address_get_tables(settings: Settings) -> None:
    assert settings.GUEST_TABLES == 200
    begin_matches(HALL, 40)
    assert set(list_phases()) == {"between"}


def test_unplayed_table_is_freed_after_a_minute(settings: Settings) -> None:
    settings.GUEST_TABLES = 8
    empty, watched = begin_matches(HALL, 2)
    now = timezone.now()
    Match.objects.filter(pk=empty.pk).update(paused_at=now - timedelta(seconds=20))
    assert "on your network" in get_refusal(HALL)
    Match.objects.update(created_at=now - timedelta(seconds=61))
    store.forget(empty.pk)
    late = start_practice(Guest.create(HALL))
    assert {reload(match).phase for match in (watched, late)} == {"between"}
    assert reload(empty).phase == "over"


def test_played_table_is_not_freed_for_ten_minutes(settings: Settings) -> None:
    settings.GUEST_TABLES = 1
    match = start_practice(Guest.create(HALL))
    hand = match.hands.get()
    now = timezone.now()
    make_logged_action(1, 0, {"pass": True}, hand=hand, at=now).save()
    away = {"paused_at": now - timedelta(minutes=5), "created_at": now - timedelta(hours=1)}
    Match.objects.update(**away)
    assert "All guest tables are taken." in get_refusal(OTHER)
