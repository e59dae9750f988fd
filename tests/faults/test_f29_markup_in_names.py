"""F29: markup in names and titles is shown as plain text."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Match
from tests.factories import make_user
from tests.tournament.staging import match_of, organizer_of, running_round
from tournament.models import Round, User

pytestmark = [pytest.mark.django_db, pytest.mark.patient]

PAYLOADS = [
    "<script>boom()</script>",
    "</script><script>boom()</script>",
    "<img src=x onerror=boom()>",
    '"><svg onload=boom()>',
    "' autofocus onfocus='boom()",
    "{{ 7*7 }}{% debug %}",
    "javascript:boom()",
    "<!--<script>boom()",
    "\u2028<b>boom()</b>",
]
# LIVE_MARKUP matches a payload only if it is not escaped. Embedded JSON is checked separately.
EMBEDDED = re.compile(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', re.S)
LIVE_MARKUP = re.compile(
    r"<script>boom|<img src=x|<svg onload|<b>boom|<!--<script|onfocus='boom|>49<"
)


def start_renamed_round(payload: str) -> Round:
    """Start a round in which the event, the match and the players are named `payload`."""
    played = running_round(4, title=payload[:80], replays="hand")
    event = played.stage.event
    event.registrations.update(name=payload[:40])
    match = match_of(played.tables.get())
    match.seats.update(name=payload[:40])
    Match.objects.filter(pk=match.pk).update(title=payload[:80])
    return played


def list_public_pages(round_: Round) -> list[str]:
    event, match = round_.stage.event, match_of(round_.tables.get())
    names = ["event", "event-rules", "event-leaderboard", "event-tables", "event-people"]
    names += ["event-results", "my-table"]
    pages = [reverse(name, args=[event.slug]) for name in names]
    pages.append(reverse("event-player", args=[event.slug, 1]))
    return [*pages, match.get_absolute_url(), reverse("games:result", args=[match.public_id])]


def list_desk_pages(round_: Round) -> list[str]:
    names = ["desk", "rounds", "control", "standings"]
    event = [reverse(f"admin:event-{name}", args=[round_.stage.event.pk]) for name in names]
    table = reverse("admin:event-table", args=[round_.stage.event.pk, round_.tables.get().pk])
    return [*event, table]


def find_live_markup(html: str) -> list[str]:
    """Return the payload's markup that a browser would treat as part of the page."""
    return LIVE_MARKUP.findall(EMBEDDED.sub("", html))


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markup_is_inert_on_every_page(payload: str) -> None:
    played = start_renamed_round(payload)
    for client in (Client(), sign_in(make_user(name=payload[:40]))):
        for page in list_public_pages(played):
            html = client.get(page, follow=True).content.decode()
            assert find_live_markup(html) == []


def test_markup_is_inert_at_the_desk() -> None:
    played = start_renamed_round(PAYLOADS[1])
    client = sign_in(organizer_of(played.stage.event))
    for page in list_desk_pages(played):
        answer = client.get(page, follow=True)
        assert find_live_markup(answer.content.decode()) == []


def test_embedded_json_cannot_break_out_of_its_element() -> None:
    played = start_renamed_round("</script><script>boom()</script>")
    html = Client().get(match_of(played.tables.get()).get_absolute_url()).content.decode()
    embedded = EMBEDDED.findall(html)
    assert embedded
    assert any("boom()" in json.dumps(json.loads(each)) for each in embedded)
    assert find_live_markup(html) == []
