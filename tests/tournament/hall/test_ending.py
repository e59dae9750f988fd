"""Tests of the outcome of an event for a player, on all pages that show it."""

import re

import pytest
from django.test import Client

from tests.tournament.hall.test_winner_screen import list_seated_names, make_decided_event, reload
from tests.tournament.helpers import make_finished_final
from tests.typed import sure
from tournament.advancing.services import reopen_event
from tournament.hall.ending import find_first_outcomes, find_player_outcome
from tournament.models import Event, Registration, Table
from tournament.results.services import enter_result
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule
from tournament.standings.freezing import freeze

pytestmark = pytest.mark.django_db

YOU_WON = "You won!"


def list_finalists(event: Event) -> list[Registration]:
    """Return the players of the final in the order of their seats."""
    return [event.registrations.get(name=name) for name in list_seated_names(event)]


def read_outcome(registration: Registration) -> tuple[bool, int | None] | None:
    found = find_player_outcome(reload(registration.event), registration)
    return (found.has_won, found.place) if found else None


def read_page(registration: Registration, path: str) -> str:
    client = Client()
    client.force_login(sure(registration.user))
    return " ".join(client.get(path.format(event=f"/e/{registration.event.slug}")).text.split())


def test_winner_is_announced_and_other_players_are_placed() -> None:
    event, _organizer = make_decided_event([400, 300, 200, 200])
    assert [read_outcome(each) for each in list_finalists(event)] == [
        (True, 1),
        (False, 2),
        (False, 3),
        (False, 3),
    ]
    found = sure(find_player_outcome(event, list_finalists(event)[1]))
    assert (found.people, found.why) == (4, "Final: 2nd place.")
    assert find_player_outcome(event, None) is None


def test_players_with_a_shared_win_are_all_in_first_place() -> None:
    event, _organizer = make_decided_event([400, 400, 100])
    one, two, three = list_finalists(event)
    assert [read_outcome(each) for each in (one, two, three)] == [
        (True, 1),
        (True, 1),
        (False, 3),
    ]
    assert sure(find_player_outcome(event, one)).co_winners == [two]
    result = re.findall('<h2 id="own-moment">(.*?)</h2>', read_page(one, "{event}/my-table/"))
    assert result == [f"You share the win with <bdi>{two.name}</bdi>!"]


def test_freeze_and_reopening_hide_the_outcome() -> None:
    event, organizer = make_decided_event([400, 300])
    [one, _two] = list_finalists(event)
    freeze(event, organizer)
    assert read_outcome(one) is None
    assert YOU_WON not in read_page(one, "{event}/my-table/")
    event, organizer = make_decided_event([400, 300])
    reopen_event(event, organizer, "Too early.")
    assert read_outcome(list_finalists(event)[0]) is None


def test_correction_changes_the_outcome() -> None:
    event, organizer = make_decided_event([400, 300])
    one, two = list_finalists(event)
    table = Table.objects.get(round__stage__event=event)
    enter_result(table, organizer, [200, 300], "Counted again.", override=True)
    assert (read_outcome(one), read_outcome(two)) == ((False, 2), (True, 1))


def test_disqualified_player_sees_the_reason_instead_of_a_place() -> None:
    event, organizer = make_decided_event([400, 300, 200])
    _one, two, _three = list_finalists(event)
    rule(event, organizer, RulingRequest("disqualify", two), "Two cards up the sleeve.")
    assert read_outcome(two) == (False, None)
    text = read_page(Registration.objects.get(pk=two.pk), "{event}/my-table/")
    assert "You were disqualified: Two cards up the sleeve." in text
    assert "own-place" not in text


@pytest.mark.parametrize("path", ["{event}/", "{event}/my-table/", "/my-events/"])
def test_every_personal_page_shows_the_result(path: str) -> None:
    event, _organizer = make_decided_event([400, 300])
    one, two = list_finalists(event)
    winners, others = read_page(one, path), read_page(two, path)
    assert (winners.count(YOU_WON), others.count(YOU_WON)) == (1, 0)
    finished = "You finished <strong>2nd of 2</strong> in"
    assert (finished in others, ">2nd of 2</strong> ·" in others) == (
        path != "/my-events/",
        path == "/my-events/",
    )
    assert "The event is over." not in winners + others
    assert YOU_WON not in Client().get(path.format(event=f"/e/{event.slug}")).text


def test_score_sheet_shows_the_result_after_the_announcement() -> None:
    event, _organizer = make_decided_event([400, 300])
    one, two = list_finalists(event)
    sheet = "{event}/my-table/after/"
    assert re.findall("<strong>(.*?)</strong>", read_page(one, sheet)) == [f"You won {event}!"]
    assert read_page(two, sheet).endswith(
        f"You finished <strong>2nd of 2</strong> in {event}.</p> <p>{one.name} won.</p>"
    )


def test_public_page_of_the_winner_shows_a_crown() -> None:
    event, _organizer = make_decided_event([400, 300])
    texts = [
        Client().get(f"/e/{event.slug}/players/{each.queue_number}/").text
        for each in list_finalists(event)
    ]
    assert [text.count(f"Winner of {event}") for text in texts] == [1, 0]
    assert [text.count("crown-gold") for text in texts] == [1, 0]


def test_event_without_a_logged_announcement_shows_its_outcome() -> None:
    event = make_finished_final([400, 300])
    assert [sure(read_outcome(each))[0] for each in list_finalists(event)] == [True, False]


def test_my_events_load_results_only_for_the_newest_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.hall.ending.MAX_OUTCOMES", 1)
    older, newer = (list_finalists(make_decided_event([400, 300])[0])[0] for _ in range(2))
    Registration.objects.filter(pk=newer.pk).update(user=older.user)
    assert list(find_first_outcomes([newer, older])) == [newer.pk]
    message = read_page(older, "/my-events/")
    assert (message.count(YOU_WON), message.count("See the winner and the results.")) == (1, 1)
