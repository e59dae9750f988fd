"""F38: an organizer who tries to change a final result alone.

A change requires a second organizer and a reason, and is recorded in the event history. The tests
use the pages and, like an attacker, the database.
"""

from copy import deepcopy
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer, make_user, remove_role
from tests.guards import open_unguarded_cursor
from tests.tournament.helpers import (
    finish_paper_round,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.organizing import page, press_button
from tournament.advancing.services import announce_winner, draw_bracket
from tournament.desk.confirmation import confirm
from tournament.models import Event, Result, Table, User
from tournament.oversight.history_texts import history
from tournament.people.staff.organizers import choose_confirmation_rule, remove_organizer
from tournament.results.services import enter_result
from tournament.stages.winners import winner

pytestmark = pytest.mark.django_db

SWAPPED_POINTS = ["100", "200", "300", "400"]


def sign_in(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


@pytest.fixture(scope="module")
def final_table(shared_rows: None) -> Table:
    """Provide the table of the final of an event with two organizers and an announced winner."""
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    played = finish_paper_round(
        start_drafted_round(draw_bracket(stage, organizer), organizer), organizer
    )
    announce_winner(event, organizer)
    make_organizer(event, name="Second Organizer")
    return played.tables.get()


@pytest.fixture
def final(final_table: Table) -> Table:
    return deepcopy(final_table)


def get_event(table: Table) -> Event:
    return Event.objects.get(pk=table.round.stage.event_id)


def get_first_organizer(event: Event) -> User:
    return event.organizers.exclude(display_name="Second Organizer").get()


def get_second_organizer(event: Event) -> User:
    return event.organizers.get(display_name="Second Organizer")


def get_winner_name(event: Event) -> str:
    found = winner(event)
    assert found is not None
    return found.name


def swap_points(final: Table, **fields: str) -> str:
    event = get_event(final)
    sent = {"points": SWAPPED_POINTS, "reason": "Misread."} | fields
    return press_button(
        sign_in(get_first_organizer(event)), page("table", event, final.pk), "enter", **sent
    )


def test_final_score_cannot_be_changed_without_the_second_organizer(final: Table) -> None:
    event = get_event(final)
    before = get_winner_name(event)
    assert "Entered. The points will count once another organizer confirms them." in swap_points(
        final
    )
    browser = sign_in(get_first_organizer(event))
    asked = str(event.proposals.get().pk)
    shown = press_button(browser, page("waiting", event), "confirm", proposal=asked)
    assert "You can’t confirm your own request. Someone else has to." in shown
    assert get_winner_name(event) == before
    confirm(event.proposals.get(), get_second_organizer(event))
    assert get_winner_name(event) != before
    public = Client().get(reverse("event-history", args=[event.slug])).text
    assert "confirmed by a second organizer" in public


def test_score_change_requires_a_reason(final: Table) -> None:
    assert "Give a reason for changing the points. It will be recorded." in swap_points(
        final, reason=""
    )
    assert not get_event(final).proposals.exists()


@pytest.mark.parametrize(
    ("way", "role"),
    [("rule", ""), ("role-off", "owner"), ("role", "owner"), ("role", "commentator")],
)
def test_workarounds_also_require_the_second_organizer(final: Table, way: str, role: str) -> None:
    event, people = get_event(final), page("people", get_event(final))
    before = (event.second_person, set(event.organizers.all()))
    friend = {"role-off": get_second_organizer(event)}.get(way) or make_user(is_staff=True)
    fields = {"user": friend.pk, "role": role, "second_person": "off", "reason": "Simpler."}
    press_button(sign_in(get_first_organizer(event)), people, way, **fields)
    event.refresh_from_db()
    assert (event.second_person, set(event.organizers.all())) == before
    assert not event.commentary.exists()
    assert event.proposals.get().state == "waiting"


def test_sole_organizer_acts_immediately_and_publicly(final: Table) -> None:
    event = get_event(final)
    remove_role(event, get_second_organizer(event))
    before = get_winner_name(event)
    assert "The points have been saved and now count." in swap_points(final)
    assert get_winner_name(event) != before
    public = Client().get(reverse("event-history", args=[event.slug])).text
    assert "Final, table 1: points were corrected to " in public
    assert "Reason: <bdi>Misread.</bdi>" in public
    assert "confirmed by a second organizer" not in public
    leaderboard = Client().get(reverse("event-leaderboard", args=[event.slug])).text
    assert "Some results were corrected by hand" in leaderboard


def test_earlier_result_is_kept_after_a_change(final: Table) -> None:
    event = get_event(final)
    remove_role(event, get_second_organizer(event))
    swap_points(final)
    assert [row.points for row in Result.objects.filter(table=final).order_by("pk")] == [
        [400, 300, 200, 100],
        [100, 200, 300, 400],
    ]
    assert history(event).broken is None


def test_history_rewritten_in_the_database_is_reported(final: Table) -> None:
    event = get_event(final)
    remove_role(event, get_second_organizer(event))
    swap_points(final)
    number = len(history(event).rows)
    with open_unguarded_cursor() as cursor:
        change = "UPDATE tournament_historyentry SET action = 'paper' WHERE event_id = %s"
        cursor.execute(f"{change} AND number = %s", [event.pk, number])
    assert history(event).broken == number
    with pytest.raises(CommandError, match="was changed"):
        call_command("check_history", event.slug, stdout=StringIO())


def test_organizer_cannot_confirm_their_own_request(final: Table) -> None:
    event = get_event(final)
    organizer, second = get_first_organizer(event), get_second_organizer(event)
    enter_result(final, organizer, [100, 200, 300, 400], "Misread.")
    waits = event.proposals.get()
    assert get_refusal_code(confirm, waits, organizer) == "same-person"
    choose_confirmation_rule(event, organizer, "off", "Simpler.")
    remove_organizer(event, organizer, second, "Is away.")
    assert get_refusal_code(confirm, waits, organizer) == "same-person"
    assert get_winner_name(event) == str(final.seats.order_by("number")[0])
