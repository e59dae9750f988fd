"""Browser test that the pages of corrections fit a phone and a desktop."""

import pytest
from django.urls import reverse

from tests.browser.conftest import DESKTOP, PHONE, Windows
from tests.factories import give_role
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tournament.advancing.services import draw_bracket
from tournament.models import Table
from tournament.results.services import enter_result
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

IS_WIDER_THAN_WINDOW = "document.documentElement.scrollWidth > innerWidth"


def test_pages_with_corrections_and_open_panels_fit_the_window(open_page: Windows) -> None:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    table = Table.objects.get(round__stage__event=event, number=1)
    played = finish_paper_round(
        start_drafted_round(draw_bracket(second, organizer), organizer), organizer
    )
    enter_result(table, organizer, [0, 100, 400, 300], "The sheet was upside down.")
    other, _organizer = make_organized_event(8)
    give_role(other, organizer)
    running = start_drafted_round(seat_round(first_stage(other), organizer), organizer, paper=False)
    paths = [reverse(f"admin:event-{name}", args=[event.pk]) for name in ("desk", "qualify")]
    paths += [reverse("admin:event-bracket", args=[event.pk])]
    paths += [reverse("admin:event-round", args=[event.pk, played.pk])]
    paths += [reverse("admin:event-round", args=[other.pk, running.pk])]
    paths += [reverse("event-bracket", args=[event.slug])]
    for size in (PHONE, DESKTOP):
        page = open_page(organizer, size)
        for path in paths:
            page.goto(open_page.site.url + path)
            for summary in page.locator("#take-back > summary").all():
                summary.click()
            assert not page.evaluate(IS_WIDER_THAN_WINDOW), path
