"""Tests of changing seats by dragging: the server checks all changes and saves them together."""

from typing import Any

import pytest
from django.test import Client

from tests.factories import make_registrations
from tests.tournament.organizing import page, press_button
from tournament.models import AuditEntry, Event, Registration, Round, User
from tournament.seating.queries import compute_version, list_seated
from tournament.seating.services import publish_round

pytestmark = pytest.mark.django_db


def preview_moves(client: Client, round_: Round, *moves: str, **more: str) -> dict[str, Any]:
    address = page("supposed", round_.stage.event, round_.pk)
    answer: dict[str, Any] = client.get(address, {"move": list(moves), **more}).json()
    return answer


def list_players_in_first_seats(round_: Round) -> tuple[int, int]:
    """Return the players in the first seats of tables 1 and 2."""
    (one, *_), (other, *_) = list_seated(round_)
    return one, other


def test_seat_preview_shows_tables_and_violated_rules(client: Client, drafted_round: Round) -> None:
    one, other = list_players_in_first_seats(drafted_round)
    neighbour = list_seated(drafted_round)[1][1]
    first, second = (Registration.objects.get(pk=pk) for pk in (one, neighbour))
    first.apart_from.add(second)
    before = list_seated(drafted_round)
    html = preview_moves(client, drafted_round, f"{one}>swap:{other}")["html"]
    assert f"{first.name} and {second.name} must not sit together but share table 2." in html
    assert html.index(f'data-player="{other}"') < html.index(f'data-player="{one}"')
    assert f'class="chip moved" data-player="{one}"' in html
    assert list_seated(drafted_round) == before
    assert not AuditEntry.objects.filter(action="change-seats").exists()


def test_seat_changes_are_checked_in_order(client: Client, drafted_round: Round) -> None:
    one, other = list_players_in_first_seats(drafted_round)
    html = preview_moves(client, drafted_round, f"{one}>new", f"{other}>table:3")["html"]
    assert "Table 3" in html
    assert "Table 3 has" not in html
    assert "Table 3 has 1 player;" in preview_moves(client, drafted_round, f"{one}>new")["html"]


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("table:9", "Round 1 has no table 9."),
        ("nowhere", "Choose where to seat the player."),
        ("bye", "Only a player seated at a bracket table can have a bye."),
    ],
)
def test_impossible_seat_changes_are_explained(
    client: Client, drafted_round: Round, target: str, sentence: str
) -> None:
    one, _other = list_players_in_first_seats(drafted_round)
    assert preview_moves(client, drafted_round, f"{one}>{target}") == {"refused": sentence}


def test_preview_of_outdated_seats_is_refused(client: Client, drafted_round: Round) -> None:
    one, other = list_players_in_first_seats(drafted_round)
    found = preview_moves(client, drafted_round, f"{one}>swap:{other}", seen="old")
    assert found == {
        "refused": "The seats have changed since you opened this page. Review them, then try again."
    }


def test_preview_needs_a_seat_change(client: Client, drafted_round: Round) -> None:
    assert "Choose the player to move" in preview_moves(client, drafted_round)["refused"]


def test_player_of_another_event_cannot_be_moved(client: Client, drafted_round: Round) -> None:
    address = page("supposed", drafted_round.stage.event, drafted_round.pk)
    assert client.get(address, {"move": "99999>new"}).status_code == 404


def test_seat_changes_are_saved_together_in_one_log_entry(
    client: Client, event: Event, drafted_round: Round
) -> None:
    one, other = list_players_in_first_seats(drafted_round)
    [late] = make_registrations(event, 1)
    seen = compute_version(drafted_round.stage, drafted_round.number)
    moves = [f"{one}>swap:{other}", f"{late.pk}>table:1"]
    shown = press_button(
        client, page("round", event, drafted_round.pk), "arrange", move=moves, seen=seen
    )
    assert "2 changes saved." in shown
    assert [len(table) for table in list_seated(drafted_round)] == [5, 4]
    names = {pk: Registration.objects.get(pk=pk).name for pk in (one, other)}
    message = f"Round 1: {names[one]} and {names[other]} swapped seats."
    message += f" {late.name} moved to table 1."
    assert AuditEntry.objects.get(action="change-seats").text == message


def test_no_seat_change_is_saved_if_one_of_them_is_impossible(
    client: Client, event: Event, drafted_round: Round
) -> None:
    one, other = list_players_in_first_seats(drafted_round)
    before = list_seated(drafted_round)
    address = page("round", event, drafted_round.pk)
    shown = press_button(client, address, "arrange", move=[f"{one}>swap:{other}", f"{one}>table:9"])
    assert "Round 1 has no table 9." in shown
    assert list_seated(drafted_round) == before


def test_outdated_page_cannot_save_seats(
    client: Client, event: Event, drafted_round: Round
) -> None:
    one, other = list_players_in_first_seats(drafted_round)
    shown = press_button(
        client,
        page("round", event, drafted_round.pk),
        "arrange",
        move=[f"{one}>swap:{other}"],
        seen="old",
    )
    assert (
        "The seats have changed since you opened this page. Review them, then try again." in shown
    )
    assert list_players_in_first_seats(drafted_round) == (one, other)


def test_publishing_saves_the_seat_changes_first(
    client: Client, event: Event, drafted_round: Round
) -> None:
    one, other = list_players_in_first_seats(drafted_round)
    seen = compute_version(drafted_round.stage, drafted_round.number)
    address, move = page("round", event, drafted_round.pk), [f"{one}>swap:{other}"]
    assert "Round 1 has been published" in press_button(
        client, address, "publish", move=move, seen=seen
    )
    drafted_round.refresh_from_db()
    assert (drafted_round.state, list_players_in_first_seats(drafted_round)) == (
        Round.State.PUBLISHED,
        (other, one),
    )
    found = [entry.action for entry in AuditEntry.objects.order_by("pk")]
    assert found[-2:] == ["change-seats", "publish"]


def test_unpublishable_seat_changes_are_saved_with_a_message(
    client: Client, event: Event, drafted_round: Round
) -> None:
    one, _other = list_players_in_first_seats(drafted_round)
    shown = press_button(
        client, page("round", event, drafted_round.pk), "publish", move=[f"{one}>new"]
    )
    assert (
        "The changes were saved, but the seats have not been published. Table 3 has 1 player"
    ) in shown
    drafted_round.refresh_from_db()
    assert (drafted_round.state, len(list_seated(drafted_round))) == (Round.State.DRAFT, 3)


def test_outdated_page_cannot_publish_seat_changes(
    client: Client, event: Event, drafted_round: Round
) -> None:
    one, other = list_players_in_first_seats(drafted_round)
    address, move = page("round", event, drafted_round.pk), [f"{one}>swap:{other}"]
    shown = press_button(client, address, "publish", move=move, seen="old")
    assert (
        "The seats have changed since you opened this page. Review them, then try again." in shown
    )
    drafted_round.refresh_from_db()
    assert (drafted_round.state, list_players_in_first_seats(drafted_round)) == (
        Round.State.DRAFT,
        (one, other),
    )


def test_published_seats_can_be_changed_with_a_reason(
    client: Client, event: Event, organizer: User, drafted_round: Round
) -> None:
    publish_round(drafted_round, organizer)
    one, other = list_players_in_first_seats(drafted_round)
    address, move = page("round", event, drafted_round.pk), [f"{one}>swap:{other}"]
    assert "html" in preview_moves(client, drafted_round, *move)
    assert "The seats are published, so say why they are being changed." in press_button(
        client, address, "arrange", move=move
    )
    assert "1 change saved." in press_button(
        client, address, "arrange", move=move, reason="A wish."
    )


def test_running_round_seats_cannot_be_changed(
    client: Client, organizer: User, drafted_round: Round
) -> None:
    publish_round(drafted_round, organizer)
    Round.objects.update(state=Round.State.RUNNING)
    one, other = list_players_in_first_seats(drafted_round)
    found = preview_moves(client, drafted_round, f"{one}>swap:{other}")
    assert found == {"refused": "Round 1 has started, so its seats can no longer change."}
