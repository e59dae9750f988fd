"""Tests that no page, email or preview reveals more places than the public leaderboard."""

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.organizing import page, press_button
from tests.tournament.place_readers import extract_words
from tests.tournament.staging import match_of, play
from tests.typed import sure
from tournament.advancing.services import announce_winner, draw_bracket
from tournament.events.closing.locking import lock_results
from tournament.hall.directory import find_player
from tournament.hall.sharing import (
    make_event_preview,
    make_leaderboard_preview,
    make_player_preview,
    make_table_preview,
)
from tournament.models import Event, Registration, Table, User
from tournament.pure.words import ordinal
from tournament.results.queries import result_of
from tournament.rounds.services import close_round
from tournament.stages.winners import winner
from tournament.standings.freezing import freeze, reveal
from tournament.standings.queries import leaderboard
from tournament.web.live.boards import read_news

pytestmark = pytest.mark.django_db

HIDDEN_NOTICE = "The organizers will reveal the places soon."
# Statements about places and outcomes, in the wording of the pages.
PLACE_CLAIM = re.compile(
    r"\b(?:you won|you finished|(?:has|have) won|share the win|wins? with|winner of"
    r"|number \d+|place \d+|\d+(?:st|nd|rd|th)\b|\d+ of \d+ in|event is over|the final is over"
    r"|won the final|your certificate)",
    re.IGNORECASE,
)
# Words about the outcome of the final table.
TABLE_CLAIM = re.compile(
    r"\b(?:place|won|wins?|winner|first|[1-8](?:st|nd|rd|th))\b|★", re.IGNORECASE
)


@pytest.fixture(scope="module")
def shared_final(shared_rows: None) -> Table:
    """Play a knockout of eight players on the site, with the leaderboard frozen for the final."""
    event, organizer = make_organized_event(8, hand_limit=1, time_zone="Asia/Kolkata")
    play_knockout(event, organizer)
    return Table.objects.get(round__is_final=True)


def play_knockout(event: Event, organizer: User, *, until_final: bool = False) -> None:
    """Play two rounds on the site, and freeze the leaderboard after the second one has started.

    If `until_final`, stop after starting the second round.
    """
    event.stages.filter(number__gt=1).delete()
    event.stages.update(format="bracket", advance=2)
    for is_last in (False, True):
        drawn = draw_bracket(first_stage(event), organizer)
        played = start_drafted_round(drawn, organizer, paper=False)
        if is_last and until_final:
            return
        if is_last:
            freeze(event, organizer)
        for table in played.tables.all():
            play(table)
        if not is_last:
            close_round(played, organizer)


@pytest.fixture
def final(shared_final: Table) -> Table:
    return deepcopy(shared_final)


def get_event(table: Table) -> Event:
    return Event.objects.get(pk=table.round.stage.event_id)


def choose_players(final: Table) -> tuple[Registration, Registration, Registration]:
    """Return the winner, another player of the final, and a player outside the final."""
    at = result_of(final)
    people = [sure(seat.registration) for seat in at.seats]
    won = people[at.winners[0]]
    others = final.round.stage.event.registrations.filter(state="approved")
    out = sure(others.exclude(pk__in=[each.pk for each in people]).first())
    return won, next(each for each in people if each != won), out


def finish_event_step_by_step(final: Table, organizer: User) -> Iterator[str]:
    """Complete the event after the final was played, and yield the name of each step."""
    yield "played"
    close_round(final.round, organizer)
    yield "closed"
    announce_winner(get_event(final), organizer)
    yield "announced"
    lock_results(get_event(final), organizer, sure=True)
    yield "locked"


EVENT_PAGES = ["event", "event-register", "event-leaderboard", "event-embed", "event-bracket"]
EVENT_PAGES += ["event-tables", "event-results", "event-people", "event-history", "event-hall"]
EVENT_PAGES += ["event-history-file", "event-rules", "event-closing", "my-certificate"]
API = ["", "/standings", "/rounds", "/bracket", "/results", "/records"]


def list_own_pages(event: Event) -> list[str]:
    found = [reverse(name, args=[event.slug]) for name in ("event", "my-table", "after-match")]
    return [*found, reverse("my-events"), reverse("event-register", args=[event.slug])]


def list_all_pages(event: Event) -> list[str]:
    found = [reverse(name, args=[event.slug]) for name in EVENT_PAGES]
    found += [f"{found[2]}?view=hall", f"{found[5]}?view=hall", reverse("home")]
    found += [f"{reverse('event-hall', args=[event.slug])}?at={number}" for number in range(5)]
    found += [
        reverse("event-player", args=[event.slug, each.queue_number])
        for each in event.registrations.all()
    ]
    for table in Table.objects.filter(round__stage__event=event):
        key = match_of(table).public_id
        found += [reverse(f"games:{name}", args=[key]) for name in ("result", "fair", "review")]
    return [*found, "/api/v1/events", *(f"/api/v1/events/{event.slug}{name}" for name in API)]


def list_claims(user: User | None, addresses: Iterable[str]) -> dict[str, set[str]]:
    """Return the statements about places and outcomes on the pages, by address."""
    client = Client()
    if user:
        client.force_login(user)
    answers = {address: client.get(address, follow=True) for address in addresses}
    assert {answer.status_code for answer in answers.values()} <= {200, 403, 404}
    return {
        address: find_claims(answer.text)
        for address, answer in answers.items()
        if answer.status_code == 200
    }


def find_claims(text: str) -> set[str]:
    return {found.casefold() for found in PLACE_CLAIM.findall(extract_words(text))}


def find_board_claims(event: Event) -> set[str]:
    """Return all statements about places and outcomes that visitors can read."""
    return set().union(*list_claims(None, list_all_pages(event)).values())


def read_table_card(user: User, event: Event, table: Table) -> str:
    """Return the text of the table's card on the player's own page."""
    client = Client()
    client.force_login(user)
    text = client.get(reverse("my-table", args=[event.slug])).text
    found = re.search(rf'(?s)<article[^>]*id="table-{table.pk}">.*?</article>', text)
    return extract_words(sure(found)[0])


def test_player_pages_reveal_no_more_than_the_public_board(final: Table) -> None:
    event = get_event(final)
    organizer, public = event.organizers.get(), find_board_claims(event)
    won, lost, out = choose_players(final)
    for moment in finish_event_step_by_step(final, organizer):
        for each in (won, lost, out):
            message = list_claims(each.user, list_own_pages(event))
            assert not {page: more for page, said in message.items() if (more := said - public)}, (
                moment,
                each,
            )
        for each in (won, lost):
            assert not TABLE_CLAIM.search(read_table_card(sure(each.user), event, final)), moment
    for user in (None, won.user, lost.user):
        message = list_claims(user, list_all_pages(get_event(final)))
        assert not {page: more for page, said in message.items() if (more := said - public)}
    assert not any(find_claims(str(sent.body)) for sent in mail.outbox)


def test_previews_and_pictures_do_not_name_the_winner(final: Table) -> None:
    *_moments, last = finish_event_step_by_step(final, get_event(final).organizers.get())
    event = get_event(final)
    assert (last, winner(event)) == ("locked", None)
    known = {row.registration.pk: row.shown_rank for row in leaderboard(event).rows}
    shown = [make_event_preview(event, winner(event)), make_leaderboard_preview(leaderboard(event))]
    assert not any(find_claims(each.text) for each in [*shown, make_table_preview(final)])
    for each in event.registrations.all():
        said = make_player_preview(event, sure(find_player(event, each.queue_number))).text
        rank = known[each.pk]
        assert find_claims(said) == ({ordinal(rank)} if rank else set())


def test_players_see_points_but_no_places_in_their_table_result(final: Table) -> None:
    won, lost, _out = choose_players(final)
    address = reverse("games:result", args=[match_of(final).public_id])
    for each in (won, lost):
        client = Client()
        client.force_login(sure(each.user))
        text = extract_words(re.sub("(?s)^.*<h1>|Hand by hand.*$", "", client.get(address).text))
        assert "Only the players at this table can see these points." in text
        assert not re.search(r"\bPlace\b|\bwins?\b|★", text)


def test_players_see_only_that_the_places_will_be_announced(final: Table) -> None:
    won, lost, out = choose_players(final)
    *_moments, _last = finish_event_step_by_step(final, get_event(final).organizers.get())
    for each in (won, lost, out):
        client = Client()
        client.force_login(sure(each.user))
        for page_of_theirs in list_own_pages(get_event(final)):
            text = extract_words(client.get(page_of_theirs).text)
            assert text.count(HIDDEN_NOTICE) == 1, page_of_theirs
            assert "certificate" not in text.casefold()


def test_players_see_their_own_place_once_it_is_revealed(final: Table) -> None:
    organizer = get_event(final).organizers.get()
    *_moments, _last = finish_event_step_by_step(final, organizer)
    event = reveal(get_event(final), organizer, 5)
    won, _lost, out = choose_players(final)
    said = [find_own_place(each, event) for each in (won, out)]
    place = next(r.shown_rank for r in leaderboard(event).rows if r.registration == out)
    assert said == [HIDDEN_NOTICE, f"You finished {ordinal(sure(place))} of 8 in {event}."]


def test_finalist_without_points_sees_no_place() -> None:
    event, organizer = make_organized_event(8, hand_limit=1)
    play_knockout(event, organizer, until_final=True)
    final = Table.objects.get(round__stage__event=event, round__is_final=True)
    each = sure(sure(final.seats.first()).registration)
    assert find_own_place(each, event) == "You’re still in."


def find_own_place(registration: Registration, event: Event) -> str:
    client = Client()
    client.force_login(sure(registration.user))
    text = client.get(reverse("after-match", args=[event.slug])).text
    return extract_words(sure(re.search("<p[^>]*>(.*?)</p>", text))[1])


def test_freeze_time_uses_the_event_zone_on_page_and_socket(final: Table) -> None:
    event = get_event(final)
    event.freeze = replace(event.freeze, at=datetime(2026, 11, 28, 21, 34, tzinfo=UTC))
    event.save(update_fields=["freeze"])
    page_text = Client().get(reverse("event-leaderboard", args=[event.slug])).text
    with timezone.override(UTC):
        html = read_news(event).html
    for text in (page_text, html):
        assert re.findall(r"was frozen at (\d\d:\d\d)", text) == ["03:04"]


def test_announcing_a_winner_starts_the_reveal(final: Table) -> None:
    event = get_event(final)
    client = Client()
    client.force_login(event.organizers.get())
    close_round(final.round, event.organizers.get())
    hidden = "No one sees it until you reveal the places."
    assert hidden in client.get(page("desk", event)).text
    said = press_button(client, page("desk", event), "announce")
    name = choose_players(final)[0].name
    offer = f'{name} won. {hidden} <a href="{page("reveal", event)}">Reveal the places</a>'
    assert offer in said
    assert "Everyone can see it now." not in said
    button = f'<a class="button large" href="{page("reveal", event)}">Reveal the places</a>'
    assert button in said
    assert f"{name} won. Everyone can see it now." in press_button(
        client, page("reveal", event), "all"
    )
    assert hidden not in client.get(page("desk", event)).text


def test_public_board_shows_no_places_for_a_frozen_final(final: Table) -> None:
    event = get_event(final)
    keys = {seat.registration_id for seat in final.seats.all()}
    rows = [row for row in leaderboard(event).rows if row.registration.pk in keys]
    assert {(row.shown_rank, row.tied, row.separated_by) for row in rows} == {
        (None, False, "In the final.")
    }
    items = Client().get(f"/api/v1/events/{event.slug}/standings").json()["items"]
    assert {row["rank"] for row in items if row["player"] in keys} == {None}
    behind = [row for row in leaderboard(event, actual=True).rows if row.registration.pk in keys]
    assert {row.shown_rank for row in behind} == {1, 2, 3, 4}
