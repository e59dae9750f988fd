"""Tests of rulings on a player's page."""

from copy import deepcopy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import give_role, make_event, make_organizer, make_players
from tests.tournament.organizing import page, press_button
from tests.tournament.staging import match_of, organizer_of, play, published_round, running_round
from tournament.models import Event, Registration, Round, Ruling, Table

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_round(shared_rows: None) -> Round:
    running = running_round(4)
    make_players(running.stage.event, 1)
    return running


@pytest.fixture
def started_round(shared_round: Round) -> Round:
    return deepcopy(shared_round)


@pytest.fixture
def organizer_client(client: Client, started_round: Round) -> Client:
    client.force_login(organizer_of(started_round.stage.event))
    return client


def get_player_in_seat(round_: Round, number: int = 0) -> Registration:
    seat = Table.objects.get(round=round_).seats.get(number=number)
    assert seat.registration is not None
    return seat.registration


def get_player_address(registration: Registration) -> str:
    return page("player", registration.event, registration.pk)


def preview_ruling(client: Client, registration: Registration, kind: str, **fields: Any) -> str:
    given = {"kind": kind, "reason": "Seen by the referee.", "action": "preview"} | fields
    return client.post(get_player_address(registration), given).content.decode()


def make_ruling(client: Client, registration: Registration, kind: str, **fields: Any) -> str:
    given = {"kind": kind, "reason": "Seen by the referee."} | fields
    return press_button(client, get_player_address(registration), "rule", **given)


def test_forfeit_is_previewed_without_taking_effect(
    organizer_client: Client, started_round: Round
) -> None:
    mine = get_player_in_seat(started_round)
    text = preview_ruling(organizer_client, mine, "forfeit")
    assert f"At Round 1, table 1, the site will draw and pass for {mine.name}" in text
    assert "no points and last place" in text
    assert "won’t see any cards" in text
    assert not Ruling.objects.exists()
    assert match_of(Table.objects.get()).seats.get(number=0).user == mine.user


def test_ruling_is_recorded_when_confirmed_and_can_be_undone(
    organizer_client: Client, started_round: Round
) -> None:
    mine = get_player_in_seat(started_round)
    assert "Ruling recorded. You can undo it below." in make_ruling(
        organizer_client, mine, "forfeit"
    )
    assert match_of(Table.objects.get()).seats.get(number=0).user is None
    ruling = Ruling.objects.get()
    text = press_button(
        organizer_client,
        get_player_address(mine),
        "take-back",
        ruling=ruling.pk,
        reason="A mistake.",
    )
    assert "Undone." in text
    assert match_of(Table.objects.get()).seats.get(number=0).user == mine.user


def test_disqualification_preview_names_the_ranks_that_change(
    organizer_client: Client, started_round: Round
) -> None:
    play(Table.objects.get())
    found = Table.objects.get()
    best = max(match_of(found).hands.all(), key=lambda hand: hand.number).winner
    mine = get_player_in_seat(started_round, best or 0)
    text = preview_ruling(organizer_client, mine, "disqualify")
    assert (
        "will be out of the event and last in the standings. Matches already played will "
        "still count." in text
    )
    assert f"<bdi>{mine.name}</bdi>: place" in text
    mine.refresh_from_db()
    assert mine.state == Registration.State.APPROVED


def test_substitute_is_chosen_from_unseated_players(
    organizer_client: Client, started_round: Round
) -> None:
    mine, event = get_player_in_seat(started_round), started_round.stage.event
    coming = event.registrations.get(seats=None)
    text = organizer_client.get(get_player_address(mine)).content.decode()
    assert f'<option value="{coming.pk}">{coming.name}' in text
    assert f'<option value="{get_player_in_seat(started_round, 1).pk}">' not in text
    message = preview_ruling(organizer_client, mine, "substitute", substitute=coming.pk)
    assert f"{coming.name} will replace {mine.name} at Round 1, table 1 immediately" in message
    assert f"The match will count for {mine.name}." in message
    make_ruling(organizer_client, mine, "substitute", substitute=coming.pk)
    assert match_of(Table.objects.get()).seats.get(number=0).user == coming.user


def test_preview_says_if_substitutes_play_for_themselves(
    organizer_client: Client, started_round: Round
) -> None:
    Event.objects.update(substitutes=Event.Substitutes.THEMSELVES)
    coming = started_round.stage.event.registrations.get(seats=None)
    message = preview_ruling(
        organizer_client, get_player_in_seat(started_round), "substitute", substitute=coming.pk
    )
    assert f"The match will count for {coming.name}, including the seat’s points so far." in message


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("caution", "Everyone at the table will see the ruling but not the reason."),
        ("points", "20 points will be permanently deducted from"),
        ("bot", "takes the seat back or you return it."),
        ("leave", "will be out of the event. The results of earlier matches will still count."),
    ],
)
def test_every_ruling_preview_describes_its_effect(
    organizer_client: Client, started_round: Round, kind: str, expected: str
) -> None:
    assert expected in preview_ruling(
        organizer_client, get_player_in_seat(started_round), kind, points=20
    )


def test_invalid_ruling_is_explained_and_the_input_is_kept(
    organizer_client: Client, started_round: Round
) -> None:
    mine = get_player_in_seat(started_round)
    assert "Choose a ruling." in preview_ruling(organizer_client, mine, "")
    text = preview_ruling(organizer_client, mine, "points", points="many")
    assert "Enter the points to deduct, from 1 to" in text
    assert 'value="Seen by the referee."' in text
    assert "Give a reason. The player will read it." in preview_ruling(
        organizer_client, mine, "caution", reason=""
    )


def test_next_penalty_is_suggested(organizer_client: Client, started_round: Round) -> None:
    mine = get_player_in_seat(started_round)
    for kind, advice in [
        ("caution", "Cautioned. The next step is a warning."),
        ("warning", "Warned once. A second warning usually means a points deduction."),
        ("warning", "Warned twice. The next step is a points deduction."),
        ("points", "Points have been deducted. The next step would be disqualification."),
    ]:
        assert advice in make_ruling(organizer_client, mine, kind, points=20)


def test_only_an_undo_is_offered_for_a_disqualified_player(
    organizer_client: Client, started_round: Round
) -> None:
    mine = get_player_in_seat(started_round)
    text = make_ruling(organizer_client, mine, "disqualify")
    assert 'name="kind"' not in text
    assert 'value="take-back"' in text
    assert "disqualified" in text


def test_unseated_player_can_neither_forfeit_nor_be_replaced(
    organizer_client: Client, started_round: Round
) -> None:
    idle = started_round.stage.event.registrations.get(seats=None)
    text = organizer_client.get(get_player_address(idle)).content.decode()
    offered = [kind for kind in Ruling.Kind.values if f'value="{kind}"' in text]
    assert offered == ["caution", "warning", "points", "disqualify", "leave"]


def test_withdrawing_a_seated_player_shows_the_options_for_the_seat(
    organizer_client: Client, started_round: Round
) -> None:
    mine = get_player_in_seat(started_round)
    response = organizer_client.post(
        reverse("admin:tournament_registration_changelist"),
        {"action": "withdraw", "_selected_action": [mine.pk], "confirmed": "yes", "reason": "x"},
        follow=True,
    )
    assert response.redirect_chain[-1][0] == get_player_address(mine)
    assert ". On the player’s page, decide what happens to the seat." in response.content.decode()


def test_player_page_is_linked_from_table_registration_and_rulings(
    organizer_client: Client, started_round: Round
) -> None:
    mine, event = get_player_in_seat(started_round), started_round.stage.event
    make_ruling(organizer_client, mine, "caution")
    change = reverse("admin:tournament_registration_change", args=[mine.pk])
    table = page("table", event, Table.objects.get().pk)
    for linking in (table, change, page("conduct", event)):
        assert (
            f'href="{get_player_address(mine)}"' in organizer_client.get(linking).content.decode()
        )
    assert (
        f'href="{page("conduct", event)}"'
        in organizer_client.get(page("desk", event)).content.decode()
    )


def test_player_of_another_event_is_not_found(
    organizer_client: Client, started_round: Round
) -> None:
    other = make_event()
    give_role(other, organizer_of(started_round.stage.event))
    mine = get_player_in_seat(started_round)
    assert organizer_client.get(page("player", other, mine.pk)).status_code == 404
    organizer_client.force_login(make_organizer(other))
    assert organizer_client.get(get_player_address(mine)).status_code == 404


def test_absent_player_can_return_on_my_table(
    organizer_client: Client, started_round: Round
) -> None:
    mine, event = get_player_in_seat(started_round), started_round.stage.event
    make_ruling(organizer_client, mine, "bot")
    organizer_client.force_login(mine.user)
    own = reverse("my-table", args=[event.slug])
    assert "I’m back, let me play" in organizer_client.get(own).content.decode()
    text = organizer_client.post(
        reverse("im-back", args=[event.slug]), follow=True
    ).content.decode()
    assert "Your match is on" in text
    message = organizer_client.post(
        reverse("im-back", args=[event.slug]), follow=True
    ).content.decode()
    assert "No bot is playing for you." in message


def test_player_who_signs_in_again_can_return_to_the_seat(
    organizer_client: Client, started_round: Round
) -> None:
    mine, event = get_player_in_seat(started_round), started_round.stage.event
    make_ruling(organizer_client, mine, "bot")
    organizer_client.force_login(mine.user)
    text = organizer_client.get(reverse("im-back", args=[event.slug]), follow=True).content.decode()
    assert "I’m back, let me play" in text


def test_player_sees_own_penalty_on_my_table(
    organizer_client: Client, started_round: Round
) -> None:
    mine = get_player_in_seat(started_round)
    make_ruling(organizer_client, mine, "warning")
    organizer_client.force_login(mine.user)
    text = organizer_client.get(
        reverse("my-table", args=[started_round.stage.event.slug])
    ).content.decode()
    assert "From the referee" in text
    assert "Seen by the referee." in text


def test_player_who_withdraws_during_a_match_sees_the_consequences(
    organizer_client: Client, started_round: Round
) -> None:
    mine = get_player_in_seat(started_round)
    organizer_client.force_login(mine.user)
    leaving = reverse("event-withdraw", args=[started_round.stage.event.slug])
    assert (
        ". If you withdraw, you’ll forfeit the match immediately, and you’ll no longer see "
        "the cards." in organizer_client.get(leaving).content.decode()
    )
    organizer_client.post(leaving)
    mine.refresh_from_db()
    assert mine.state == Registration.State.WITHDRAWN
    assert Table.objects.get().seats.get(number=0).forfeited


def test_disqualified_player_must_be_unseated_before_the_round_starts(client: Client) -> None:
    played = published_round(4)
    mine = get_player_in_seat(played)
    client.force_login(organizer_of(played.stage.event))
    expected = "still has a seat at Round 1, table 1. Adjust the seats before the round starts."
    assert expected in preview_ruling(client, mine, "disqualify")
    make_ruling(client, mine, "disqualify")
    text = press_button(client, page("round", played.stage.event, played.pk), "start")
    assert f"{mine.name} at table 1: disqualified. Remove the player from this round." in text
