"""Tests that a player's chosen colour and sign appear wherever the player's name does."""

import pytest
from django.test import Client
from django.urls import reverse

from games import queries as games
from games import services
from games.guests import Guest
from games.protocol.faces import COLORS, SIGNS
from tests.factories import make_event, make_organizer, make_registrations, make_user
from tests.games.helpers import reload
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.staging import first_table, match_of, running_round
from tournament.attendance.walk_ins import WalkIn, register_walk_in
from tournament.models import Event, Registration, User
from tournament.people.looks import COLOR_NAMES, SIGN_NAMES, choose_look
from tournament.registration.services import register, withdraw
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db
OWL_FACE = '<span class="face tone-2 sign-owl" aria-hidden="true"></span>'


def make_player_with_look(event: Event) -> User:
    """Let a player of the event choose a look, and return the player."""
    user = event.registrations.order_by("queue_number")[0].user
    choose_look(user, "petrol", "owl")
    return user


def test_every_color_and_sign_has_a_name() -> None:
    assert (tuple(COLOR_NAMES), tuple(SIGN_NAMES)) == (COLORS, SIGNS)


def test_color_and_sign_can_be_chosen_separately_and_reset() -> None:
    user = make_user()
    choose_look(user, "", "owl")
    assert User.objects.get(pk=user.pk).look == "owl"
    choose_look(user, "plum", "")
    assert User.objects.get(pk=user.pk).look == "plum"
    choose_look(user, "", "")
    assert User.objects.get(pk=user.pk).look == ""


def test_chosen_look_appears_on_pages_immediately(client: Client) -> None:
    event, _organizer = make_organized_event(4)
    make_player_with_look(event)
    for page in ("event-people", "event-leaderboard"):
        assert client.get(reverse(page, args=[event.slug])).text.count(OWL_FACE) == 1
    number = event.registrations.get(look="petrol owl").queue_number
    assert OWL_FACE in client.get(reverse("event-player", args=[event.slug, number])).text


def test_later_registration_uses_the_chosen_look() -> None:
    event, user = make_event(requires_approval=False), make_user("Asha Rao")
    choose_look(user, "petrol", "owl")
    mine = register(event, user)
    assert mine.look == "petrol owl"
    withdraw(mine, user)
    choose_look(user, "plum", "")
    assert register(event, user).look == "plum"


def test_walk_in_registration_uses_the_chosen_look() -> None:
    event = make_event()
    user = make_user("Asha Rao", email="asha@college.example")
    choose_look(user, "petrol", "owl")
    found = WalkIn("Asha Rao", email="asha@college.example")
    assert register_walk_in(event, make_organizer(event), found).look == "petrol owl"


def test_running_match_keeps_the_look_from_its_start() -> None:
    event, organizer = make_organized_event(4)
    user = make_player_with_look(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    match = match_of(first_table(played))
    choose_look(user, "plum", "")
    seats = games.match_view(reload(match), make_user())["seats"]
    [face] = [seat["face"] for seat in seats if seat["face"]["sign"]]
    assert (face["tone"], face["sign"]) == (2, "owl")


def test_guest_at_a_practice_table_has_the_default_look() -> None:
    user = make_user("Asha")
    choose_look(user, "petrol", "owl")
    for player, sign in ((user, "owl"), (Guest(), "")):
        match = services.start_practice(player, "uno-500", 2)
        assert games.match_view(match, player)["seats"][0]["face"]["sign"] == sign


def test_replacement_bot_has_no_chosen_look() -> None:
    match = match_of(first_table(running_round(4)))
    match.seats.update(look="owl")
    bot = services.SeatSpec("Bot", bot="plain")
    services.change_seat(reload(match), match.seats.order_by("number")[0].number, bot)
    assert [seat.look for seat in match.seats.order_by("number")][:2] == ["", "owl"]


def test_other_players_keep_their_looks() -> None:
    event = make_event()
    one, other = make_registrations(event, 2)
    choose_look(one.user, "petrol", "owl")
    assert Registration.objects.get(pk=other.pk).look == ""
