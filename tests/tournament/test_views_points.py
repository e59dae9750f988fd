"""Where the code on a table's sheet leads."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import give_role, make_user
from tests.tournament.desk import page
from tests.tournament.helpers import first_stage, organized, started
from tournament.models import Round, Table, User
from tournament.services.seatings import seat_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Round:
    event, organizer = organized(4)
    return started(seat_round(first_stage(event), organizer), organizer)


@pytest.fixture
def table(played: Round) -> Table:
    return played.tables.get()


def entry(table: Table) -> str:
    return reverse("table-points", args=[table.round.stage.event.slug, table.pk])


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def test_a_scorer_comes_to_the_entry_of_just_this_table(table: Table) -> None:
    event, scorer = table.round.stage.event, make_user(is_staff=True)
    give_role(event, scorer, "scorer")
    answer = browser_of(scorer).get(entry(table))
    assert answer["Location"] == f"{page('table', event, table.pk)}#points"


def test_whoever_enters_no_points_comes_to_their_own_table(table: Table) -> None:
    answer = browser_of(make_user()).get(entry(table))
    assert answer["Location"] == reverse("my-table", args=[table.round.stage.event.slug])


def test_without_an_account_signing_in_comes_first(client: Client, table: Table) -> None:
    assert client.get(entry(table))["Location"].startswith("/accounts/login/?next=")


def test_a_draft_has_no_entry(table: Table) -> None:
    Round.objects.filter(pk=table.round_id).update(state=Round.State.DRAFT)
    assert browser_of(make_user()).get(entry(table)).status_code == 404
