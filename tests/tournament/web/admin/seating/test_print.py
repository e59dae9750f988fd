"""Tests of the page that prints a round."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournament.helpers import make_organized_event
from tests.tournament.organizing import page
from tournament.models import Event, Round
from tournament.site.qr import data_uri

pytestmark = pytest.mark.django_db


def get_print_page(client: Client, event: Event, **asked: str | int) -> str:
    return client.get(page("print", event), asked).content.decode()


def test_latest_round_is_printed_with_headings_numbers_and_codes(
    client: Client, event: Event, drafted_round: Round
) -> None:
    text = get_print_page(client, event)
    assert text.count("<strong><bdi>Chem Fest</bdi></strong>") == 4
    assert text.count("Round 1 (draft)") == 4
    assert [f"Page {number} of 4" in text for number in (1, 4)] == [True, True]
    assert "Print 4 pages" in text
    entry = reverse("table-points", args=[event.slug, drafted_round.tables.get(number=2).pk])
    assert data_uri(f"http://testserver{entry}") in text


def test_url_selects_one_part_or_one_sheet(
    client: Client, event: Event, drafted_round: Round
) -> None:
    assert "Print 1 page<" in get_print_page(client, event, round=drafted_round.pk, part="names")
    assert "Find your seat" not in get_print_page(client, event, round=drafted_round.pk, table=1)
    assert "There is nothing to print." in get_print_page(client, event, part="paper")


def test_table_signs_link_to_the_my_table_page(
    client: Client, event: Event, drafted_round: Round
) -> None:
    text = get_print_page(client, event, part="signs")
    assert text.count('class="sign-number"') == drafted_round.tables.count()
    assert data_uri("http://testserver" + reverse("my-table", args=[event.slug])) in text


def test_print_page_without_a_round_names_the_first_step(client: Client, event: Event) -> None:
    assert "There is nothing to print yet. Draw the seats for a round first." in get_print_page(
        client, event
    )


@pytest.mark.parametrize("query", [{"part": "cards"}, {"round": "99999"}, {"round": "x"}])
def test_unknown_print_part_is_not_found(
    client: Client, event: Event, drafted_round: Round, query: dict[str, str]
) -> None:
    assert client.get(page("print", event), query).status_code == 404


def test_round_of_another_event_is_not_found(client: Client, drafted_round: Round) -> None:
    other, _organizer = make_organized_event(0)
    assert client.get(page("print", other), {"round": drafted_round.pk}).status_code == 404


def test_round_and_table_pages_link_to_their_printouts(
    client: Client, event: Event, drafted_round: Round
) -> None:
    address = f"{page('print', event)}?round={drafted_round.pk}"
    for name, rest in (("rounds", []), ("round", [drafted_round.pk])):
        assert f'href="{address}"' in client.get(page(name, event, *rest)).content.decode()
    table = drafted_round.tables.get(number=2)
    text = client.get(page("table", event, table.pk)).content.decode()
    assert f"{address}&amp;table=2" in text


def test_print_query_count_is_independent_of_tables(
    client: Client, event: Event, drafted_round: Round
) -> None:
    with CaptureQueriesContext(connection) as two:
        get_print_page(client, event)
    drafted_round.tables.get(number=2).delete()
    with CaptureQueriesContext(connection) as one:
        get_print_page(client, event)
    assert len(two) == len(one)
