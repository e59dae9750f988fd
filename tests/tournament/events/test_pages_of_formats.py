"""Tests that no page mentions a target or rounds that the event does not have."""

import re
from collections.abc import Iterator

import pytest
from django.core import mail
from django.test import Client
from django.urls import NoReverseMatch, reverse

from tests.tournament.helpers import get_refusal_code
from tests.tournament.organizing import page
from tests.tournament.pure.test_formats import make_event_of_format, play_next_round
from tournament.advancing.next_rounds import draw_round, next_round
from tournament.desk.queries import list_desk_steps
from tournament.events.services import set_rules
from tournament.models import Event, Round
from tournament.pure.formats import READY
from tournament.seating.services import publish_round
from tournament.stages.texts import stage_text
from tournament.urls import event_patterns
from tournament.web.admin.events.events import PAGES

pytestmark = pytest.mark.django_db

UNTRUE_TEXTS = re.compile(r"\b100,?000\b|\bto 0 points|\btarget (?:is )?0\b|\bNone\b|9{5}")
PLAYERS, ROUNDS = 8, 7


def iter_addresses(event: Event) -> Iterator[str]:
    """Yield the URLs of the event's pages that take no other argument, and of its rounds' pages."""
    for pattern in event_patterns:
        if pattern.name and pattern.name != "my-certificate":
            yield from _reverse_if_possible(pattern.name, event.slug)
    for name, _route, _view in PAGES:
        yield from _reverse_if_possible(f"admin:event-{name}", event.pk)
    yield reverse("admin:tournament_event_change", args=[event.pk])
    for played in Round.objects.filter(stage__event=event):
        yield page("round", event, played.pk)
        yield f"{page('print', event)}?round={played.pk}&sheet=results"
    for kind in ("", "standings/", "results/", "rounds/", "bracket/"):
        yield f"/api/v1/events/{event.slug}/{kind}".rstrip("/")


def _reverse_if_possible(name: str, *args: object) -> Iterator[str]:
    try:
        yield reverse(name, args=args)
    except NoReverseMatch:
        return


def get_page_text(client: Client, address: str) -> str:
    """Return the text of a page, or "" if it does not exist yet or is not text."""
    answer = client.get(address, follow=True)
    text = answer.get("Content-Type", "").startswith(("text/", "application/json"))
    if not text or answer.streaming:
        return ""
    shown = re.sub(r"<(script|style).*?</\1>", "", answer.content.decode(), flags=re.S)
    return re.sub(r"<[^>]*>", " ", shown)


def check_all_outputs(event: Event, client: Client) -> None:
    for address in iter_addresses(event):
        assert UNTRUE_TEXTS.findall(get_page_text(client, address)) == [], address
    for letter in mail.outbox:
        assert UNTRUE_TEXTS.findall(f"{letter.subject} {letter.body}") == []


@pytest.mark.slow
@pytest.mark.patient
@pytest.mark.parametrize("key", READY)
def test_every_event_page_describes_its_format_correctly(client: Client, key: str) -> None:
    event, organizer = make_event_of_format(key, PLAYERS)
    client.force_login(organizer)
    check_all_outputs(event, client)
    play_next_round(event, organizer)
    if next_round(stage := event.stages.order_by("number")[0]):
        publish_round(draw_round(stage, organizer), organizer)
    check_all_outputs(event, client)


@pytest.mark.parametrize("stored", [0, 100_000])
def test_partner_event_shows_its_rounds_and_no_target(client: Client, stored: int) -> None:
    """Check the pages of an event with partners and without a target.

    Older versions of the site stored an unreachable target instead of none.
    """
    event, organizer = make_event_of_format("partners", PLAYERS)
    event.options = {"partners": True, "target": stored}
    event.save()
    client.force_login(organizer)
    steps = {step.key: step for step in list_desk_steps(event)}
    assert steps["rounds"].figure == f"0/{ROUNDS}"
    assert steps["prepare"].text == (
        "UNO to 500, tables of 4. Partners sit across from each other and share their points. "
        "There is no target: the highest total after 4 hands wins the match."
    )
    assert stage_text(event.stages.get()).startswith(
        "In 7 rounds, everyone partners everyone else once."
    )
    assert "4 hands, no target" in get_page_text(client, reverse("event", args=[event.slug]))


def test_partner_rounds_are_unknown_before_registration() -> None:
    event, _organizer = make_event_of_format("partners", 3)
    steps = {step.key: step for step in list_desk_steps(event)}
    assert steps["rounds"].figure == ""
    assert stage_text(event.stages.get()).startswith(
        "In these rounds, everyone partners everyone else"
    )


def test_match_without_a_target_needs_another_limit() -> None:
    event, organizer = make_event_of_format("rounds", 0)
    refused = get_refusal_code(set_rules, event, organizer, "uno-400", {"target": 0})
    event.hand_limit = 1
    event.save()
    assert (refused, set_rules(event, organizer, "uno-400", {"target": 0}).options) == (
        "endless",
        {"target": 0},
    )
