"""Browser tests of a league, whose pages take players to their next match."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from games import services as games
from games.models import Match
from tests.browser.conftest import DESKTOP, Windows
from tests.browser.pages.test_look import find_violations
from tests.browser.players import play_by_taps
from tests.factories import make_event, make_organizer, make_players
from tests.tournament.staging import make_stage, match_of, organizer_of
from tournament.models import Event, Registration, Round, User
from tournament.rounds.services import close_round, start_round
from tournament.seating.services import publish_round, seat_round

pytestmark = pytest.mark.browser

SECONDS_TO_GO = 15_000


def make_league(players: int, rounds: int) -> Event:
    event = make_event(title="Lunch league", hand_limit=1, turn_seconds=60)
    event.state = Event.State.RUNNING
    event.save()
    make_players(event, players)
    make_organizer(event)
    make_stage(event, rounds_planned=rounds)
    return event


def start_next_round(event: Event) -> Match:
    """Start the next round and return the match at its first table."""
    organizer = organizer_of(event)
    played = publish_round(seat_round(event.stages.get(), organizer), organizer)
    return match_of(start_round(played, organizer).tables.order_by("number")[0])


def end_round(event: Event) -> None:
    close_round(Round.objects.filter(stage__event=event).latest("number"), organizer_of(event))


def list_users(event: Event) -> list[User]:
    found = Registration.objects.filter(event=event).order_by("pk").select_related("user")
    return [each.user for each in found]


def play_to_the_end(pages: Sequence[Page], match: Match) -> int:
    """Play the match by taps on these pages, and return the number of taps."""
    unfinished = Match.objects.filter(pk=match.pk).exclude(phase=Match.Phase.OVER)
    return play_by_taps(pages, is_over=lambda: not unfinished.exists())


def test_league_of_three_rounds_needs_only_taps_on_cards_and_go_now(open_page: Windows) -> None:
    event = make_league(players=2, rounds=3)
    asha, ben = list_users(event)
    pages = [open_page(asha, path=f"/e/{event.slug}/my-table/"), open_page(ben, path="/rules/")]
    for number in (1, 2, 3):
        match = start_next_round(event)
        if number > 1:
            line = pages[0].locator(".sheet .own-match")
            expect(line).to_contain_text(f"Round {number} has started. You’re at table 1, seat")
            expect(pages[0]).to_have_title("Your match is on – Lastcard")
            line.get_by_role("link", name="Go now").click()
        for page in pages:
            page.wait_for_url(f"**{match.get_absolute_url()}", timeout=SECONDS_TO_GO)
            expect(page.locator("#table[data-live]")).to_be_attached()
        assert play_to_the_end(pages, match) > 2
        for page in pages:
            expect(page.locator(".sheet")).to_be_visible()
        end_round(event)


@pytest.mark.parametrize("place", ["rules", "leaderboard", "replay", "watched"])
def test_player_is_called_to_the_table_on_every_page(open_page: Windows, place: str) -> None:
    event = make_league(players=8, rounds=2)
    first = start_next_round(event)
    others = Match.objects.exclude(pk=first.pk).get()
    user = first.seats.get(number=0).user
    games.play_out(first)
    paths = {
        "rules": "/rules/uno-400/",
        "leaderboard": f"/e/{event.slug}/leaderboard/",
        "replay": f"/m/{first.public_id}/hands/1/",
        "watched": others.get_absolute_url(),
    }
    page = open_page(user, path=paths[place], size=DESKTOP)
    if place == "watched":
        expect(page.locator("#table[data-live]")).to_be_attached()
    expect(page.locator("#own-match")).to_be_attached()
    page.wait_for_load_state("networkidle")
    games.play_out(others)
    end_round(event)
    start_next_round(event)
    match = Match.objects.exclude(phase=Match.Phase.OVER).get(seats__user=user)
    expect(page.locator("#own-match strong")).to_be_visible(timeout=SECONDS_TO_GO)
    expect(page).to_have_title("(1) Your match is on – Lastcard")
    page.wait_for_url(f"**{match.get_absolute_url()}", timeout=SECONDS_TO_GO)


def test_called_player_can_stay_on_an_accessible_score_sheet(open_page: Windows) -> None:
    event = make_league(players=4, rounds=2)
    first = start_next_round(event)
    games.play_out(first)
    page = open_page(first.seats.get(number=0).user, path=first.get_absolute_url())
    expect(page.locator(".sheet")).to_be_visible()
    end_round(event)
    start_next_round(event)
    line = page.locator(".sheet .own-match")
    line.get_by_role("button", name="Stay on this page").click()
    expect(line.get_by_role("button")).to_have_count(0)
    assert find_violations(page) == []
    result = open_page(path=f"{first.get_absolute_url()}result/")
    assert find_violations(result) == []
    assert result.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
