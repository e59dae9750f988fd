"""Readers of an event's places: one for each page, file and socket that shows them.

Each reader returns a mapping from registration keys to places.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable

import openpyxl
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournament.organizing import page
from tests.typed import sure
from tournament.desk.snapshot import event_as_of
from tournament.events.closing.certificates import find_certified_places as certified
from tournament.exports.queries import EXPORTS
from tournament.hall.directory import find_people
from tournament.hall.queries import bracket
from tournament.models import Event, User
from tournament.pure.files import FORMATS
from tournament.results.stages import stage_results
from tournament.stages.places import places
from tournament.stages.winners import podium, winner
from tournament.standings.queries import leaderboard
from tournament.web.live.boards import read_news

# Places by registration key, in the order of the output.
PlacesById = dict[int, int]
ROW = re.compile(r'id="r(\d+)" data-rank="(\d+)"')


def match_places_to_players(event: Event, rows: Iterable[tuple[object, str]]) -> PlacesById:
    """Return the places by registration key, for rows of a place and a name.

    Rows of disqualified players have no place and are omitted.
    """
    keys = {one.name: one.pk for one in event.registrations.all()}
    return {keys[name]: int(str(place)) for place, name in rows if place not in (None, "", "–")}


def read_api_places(event: Event) -> PlacesById:
    found = Client().get(f"/api/v1/events/{event.slug}/standings").json()
    assert all((row["rank"] is None) == row["disqualified"] for row in found["items"])
    return {row["player"]: row["rank"] for row in found["items"] if not row["disqualified"]}


def read_socket_places(event: Event) -> PlacesById:
    return {int(pk): int(place) for pk, place in ROW.findall(read_news(event).html)}


def read_board_places(event: Event, *, behind: bool = False) -> PlacesById:
    board = leaderboard(event, actual=behind, figures=behind)
    return {row.registration.pk: row.rank for row in board.rows}


def read_current_places(event: Event) -> PlacesById:
    stood = event_as_of(event, timezone.now())
    return match_places_to_players(event, [(row.rank, row.name) for row in stood.rows])


def read_csv_places(event: Event) -> PlacesById:
    out = io.BytesIO()
    FORMATS["csv"].write(EXPORTS["standings"].make(event, False), out)
    head, *rows = csv.reader(io.StringIO(out.getvalue().decode("utf-8-sig")))
    assert head[:2] == ["Place", "Name"]
    return match_places_to_players(event, [(row[0], row[1]) for row in rows])


def read_workbook_places(event: Event) -> PlacesById:
    out = io.BytesIO()
    FORMATS["xlsx"].write(EXPORTS["standings"].make(event, False), out)
    rows = sure(openpyxl.load_workbook(out).active).iter_rows(min_row=2, values_only=True)
    return match_places_to_players(event, [(row[0], str(row[1])) for row in rows])


# In these outputs, disqualified players are last.
COMPLETE_READERS: dict[str, Callable[[Event], PlacesById]] = {
    "places": lambda event: {each.player: each.place for each in places(stage_results(event))},
    "leaderboard": read_board_places,
    "standings of the desk": lambda event: read_board_places(event, behind=True),
    "socket": read_socket_places,
}
# In these outputs, disqualified players have no place.
RANKED_READERS: dict[str, Callable[[Event], PlacesById]] = {
    "API": read_api_places,
    "as it stood": read_current_places,
    "standings.csv": read_csv_places,
    "standings.xlsx": read_workbook_places,
}


def read_people_places(event: Event) -> PlacesById:
    return {each.registration.pk: each.row.rank for each in find_people(event) if each.row}


def read_podium_places(event: Event) -> PlacesById:
    return {one.pk: step.place for step in podium(event).steps for one in step.people}


def read_certificate_places(event: Event) -> PlacesById:
    return {pk: place for pk, place in certified(event).items() if place}


def read_final_places(event: Event) -> PlacesById:
    """Return the places of the players at the table of the final."""
    found = bracket(event)
    tables = found.rounds[-1].tables if found and found.rounds[-1].round.is_final else []
    seats = [seat for table in tables for seat in table.standing]
    return {seat.registration.pk: seat.place or 0 for seat in seats if seat.registration}


PARTIAL_READERS: dict[str, Callable[[Event], PlacesById]] = {
    "players": read_people_places,
    "podium": read_podium_places,
    "certificates": read_certificate_places,
}


def read_api_winners(event: Event) -> set[str]:
    return set(Client().get(f"/api/v1/events/{event.slug}").json()["winners"])


def read_winner_names(event: Event) -> set[str]:
    return {one.name for one in sure(winner(event)).shared}


def fetch_page(user: User | None, address: str) -> str:
    """Return the HTML of a page."""
    client = Client()
    if user:
        client.force_login(user)
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.text


def read_page_places(event: Event, name: str, query: str = "") -> PlacesById:
    found = ROW.findall(fetch_page(None, reverse(name, args=[event.slug]) + query))
    return {int(pk): int(place) for pk, place in found}


# A hall screen shows the winner until this time is reached or someone dismisses the announcement.
FAR_FUTURE = 999_999_999_999
BOARDS = (
    ("event-leaderboard", ""),
    ("event-leaderboard", f"?view=hall&past={FAR_FUTURE}"),
    ("event-leaderboard", "?view=print"),
    ("event-hall", "?pages=leaderboard"),
    ("event-embed", ""),
)
DESK_ROW = re.compile(r'<td class="number">(\d+|–)=?</td>\s*<th scope="row"><bdi>([^<]+)</bdi>')


def read_desk_places(event: Event, organizer: User, name: str) -> PlacesById:
    """Return the places on an organizers' page, where disqualified players have none."""
    found = DESK_ROW.findall(fetch_page(organizer, page(name, event)))
    return match_places_to_players(event, found)


def extract_words(text: str) -> str:
    """Return the words of the page without tags and line breaks."""
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())
