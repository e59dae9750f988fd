"""Views of an event, checked after each step of whole event days.

All views must agree, and none may reveal a result too early.
"""

import csv
import io
import random
import re
from collections.abc import Iterable
from html import unescape

import hypothesis
import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from tests import seeded
from tests.tournament import place_readers
from tests.tournament.days import Day, PlayedDay, choose_days
from tests.tournament.place_readers import extract_words
from tests.tournament.shared_results import load_results_once
from tests.tournament.stages.test_places_at_tables import FULL_READERS, PLAYER_READERS
from tests.tournament.stages.test_places_everywhere import check_places
from tests.typed import sure
from tournament.api import v1
from tournament.exports.queries import EXPORTS
from tournament.models import Event, Registration, Round, Stage, Table
from tournament.pure.files import FORMATS
from tournament.results.queries import result_of
from tournament.stages.winners import is_announced, podium, winner
from tournament.standings.queries import leaderboard
from tournament.standings.rows import LeaderRow

pytestmark = [pytest.mark.django_db, pytest.mark.patient]

# `make test` plays 60 days. `make nightly` plays 500, with another seed each night.
DAYS = choose_days(max(60, sure(hypothesis.settings.default).max_examples))
# A standings row: the player's key, published place and reason. Rows are in order of place.
Line = tuple[int, int | None, str]
# Sentences that must not appear before the announcement.
EVENT_OVER_TEXT = re.compile(
    r"\b(?:event is over|you won|won the final|wins? with|share the win|your certificate)\b",
    re.IGNORECASE,
)
# Sentences that must not appear while the leaderboard is frozen. They may appear otherwise, because
# a player can have won a table.
HIDDEN_RESULT_TEXT = re.compile(rf"{EVENT_OVER_TEXT.pattern}|\b(?:has|have) won\b", re.IGNORECASE)
# Sentences about the future, which must not appear after the announcement.
STILL_IN_TEXT = re.compile(
    r"\b(?:still (?:in|playing|to come)|(?:wins the event|decides?|advances? until|will advance)\b"
    r"|rounds? wins\b|points wins\b|of each table (?:in the last round )?advances?\b)",
    re.IGNORECASE,
)
# Consecutive moments between which no place changes. Only one of them is checked.
MOMENTS_WITHOUT_RESULTS = ("drawn", "published", "started")
BOARDS = ("event-leaderboard", "event-embed")
PAGES = (*BOARDS, "event", "event-bracket", "event-hall", "event-people", "event-player")
# Pages as a signed-in player sees them.
OWN_PAGES = ("my-table", "after-match", "own event")
COUNT = len(PAGES) + len(OWN_PAGES)
# A player's own place, as the player's pages state it.
OWN_PLACE = re.compile(
    r"(?:You’re (?:currently )?|You finished )(\d+)(?:st|nd|rd|th)\b(?! of \d+ at table)"
)
PLACES = {**dict.fromkeys(OWN_PAGES, OWN_PLACE), "event-player": re.compile(r"\bPlace (\d+|–) ")}


def list_lines(rows: Iterable[LeaderRow]) -> list[Line]:
    return [(row.registration.pk, row.shown_rank, row.separated_by) for row in rows]


def read_api_lines(event: Event) -> list[Line]:
    """Return the lines of the standings in the API."""
    found = v1.standings(RequestFactory().get("/"), event.slug, v1.Page(limit=100)).items
    return [(row.player, row.rank, row.separated_by) for row in found]


def read_export_lines(event: Event) -> list[Line]:
    """Return the lines of the organizers' export, which includes hidden places.

    An apostrophe before a cell's text, which prevents spreadsheets from reading a formula, is
    removed.
    """
    out = io.BytesIO()
    FORMATS["csv"].write(EXPORTS["standings"].make(event, False), out)
    keys = {one.name: one.pk for one in event.registrations.all()}
    rows = csv.DictReader(io.StringIO(out.getvalue().decode("utf-8-sig")))
    return [
        (
            keys[row["Name"]],
            int(row["Place"]) if row["Place"] else None,
            row["Tie decided by"].removeprefix("'"),
        )
        for row in rows
    ]


def check_boards(event: Event) -> None:
    """Compare the public boards with each other, and the organizers' boards with each other."""
    public = list_lines(leaderboard(event).rows)
    assert read_api_lines(event) == public
    order = [pk for pk, _rank, _why in public]
    assert list(place_readers.read_socket_places(event)) == order
    behind = list_lines(leaderboard(event, actual=True).rows) if event.freeze else public
    assert read_export_lines(event) == behind
    assert (
        place_readers.read_people_places(event).items()
        <= place_readers.read_board_places(event).items()
    )


def check_table(event: Event, number: int) -> None:
    """Compare the places at one table in all views. `number` selects the table and two players."""
    if event.freeze:
        return
    played = Table.objects.filter(round__stage__event=event).exclude(round__state="draft")
    brackets = event.stages.filter(format=Stage.Format.BRACKET, qualifiers__isnull=False)
    known = list(played.select_related("round__stage__event", "match").order_by("pk"))
    table = known[number % len(known)]
    found = result_of(table)
    if not found.final:
        return
    expected = {pk: found.order.places[pk] for pk in found.people}
    for name, read_places in FULL_READERS.items():
        if name != "bracket" or table.round.stage == brackets.last():
            assert read_places(table) == expected, name
    people = list(Registration.objects.filter(seats__table=table))
    two = people[number % len(people)], people[number // 2 % len(people)]
    for name, read_player_places in PLAYER_READERS.items():
        assert read_player_places(table, two) == {one.pk: expected[one.pk] for one in two}, name
    if table.match:
        assert read_match_page(table) == expected


def read_match_page(table: Table) -> dict[int, int]:
    """Return the places shown on the page that "Hands and replays" links to."""
    assert table.match is not None
    text = Client().get(reverse("games:result", args=[table.match.public_id])).text
    rows = re.findall(r'<tr><td>(\d+)</td><th scope="row">.*?<bdi>([^<]+)</bdi>', text)
    return dict(place_readers.match_places_to_players(table.round.stage.event, rows))


def check_winner(event: Event) -> None:
    """Check that no view names a winner before the winner is announced."""
    won, steps = winner(event), podium(event).steps
    announced = [one.name for one in won.shared] if won else []
    first = [one.name for one in steps[0].people] if steps else []
    assert sorted(first) == sorted(announced)
    assert is_announced(event) or not announced
    assert Client().get(f"/api/v1/events/{event.slug}").json()["winners"] == announced


def read_page(event: Event, name: str, player: Registration) -> str:
    """Return the HTML of a public page, or of a page as the player sees it."""
    client, address = Client(), [event.slug]
    if name == "event-player":
        address.append(str(player.queue_number))
    elif name in OWN_PAGES:
        client.force_login(sure(player.user))
    answer = client.get(reverse(name.removeprefix("own "), args=address), follow=True)
    assert answer.status_code in (200, 404)
    return sure(answer).text


def check_page(event: Event, number: int) -> None:
    """Check the places and sentences on the page with this number, for a random player."""
    player = random.choice(event.registrations.order_by("pk"))
    name = (*PAGES, *OWN_PAGES)[number % COUNT]
    text = read_page(event, name, player)
    board = leaderboard(event).rows
    if name in BOARDS:
        rows = [(str(row.registration.pk), str(row.rank)) for row in board]
        assert place_readers.ROW.findall(text) == rows, name
    words = extract_words(text)
    row = next((row for row in board if row.registration == player and row.counts), None)
    place = PLACES[name].search(words) if name in PLACES else None
    if place or must_show_place(event, name, player, row):
        expected = str((row and row.shown_rank) or "–")
        assert (place and place[1]) == expected, (name, player)
    if name == "event-player" and row and row.shown_rank:
        assert row.separated_by in unescape(words), (name, player)
    if not event.freeze.revealing:
        wrong = (
            STILL_IN_TEXT
            if is_announced(event)
            else HIDDEN_RESULT_TEXT
            if event.freeze
            else EVENT_OVER_TEXT
        )
        found = wrong.search(words)
        assert found is None, (name, player, words[max(0, found.start() - 120) : found.end() + 80])


def must_show_place(event: Event, name: str, player: Registration, row: LeaderRow | None) -> bool:
    """Return whether the page must show the place of the player, whose row is `row`."""
    if name == "own event":
        won = winner(event) if is_announced(event) else None
        # The winner's page shows the win instead of the place.
        return bool(won and player not in won.shared and row and row.shown_rank)
    return name == "event-player"


def check_unplaced_finalists(event: Event) -> None:
    """Check that no finalist has a place while a frozen final is being played."""
    final = Round.objects.filter(stage__event=event, is_final=True, state="running").first()
    if not event.freeze.at or final is None or event.freeze.revealing:
        return
    if sure(final.started_at) > event.freeze.at:
        return  # the board shows the places before the final
    inside = set(final.tables.values_list("seats__registration", flat=True))
    lines = list_lines(leaderboard(event).rows)
    assert {rank for pk, rank, _why in lines if pk in inside} <= {None}


def check_moment(event: Event, moment: str, number: int) -> None:
    if moment in MOMENTS_WITHOUT_RESULTS and number % len(MOMENTS_WITHOUT_RESULTS):
        return
    with load_results_once():
        check_boards(event)
        check_winner(event)
        if number % 2 == 0:
            check_page(event, number // 2)
        check_unplaced_finalists(event)
        if moment in ("closed", "corrected", "locked"):
            check_table(event, number)


def describe_failure(day: Day, done: list[str], node: str) -> str:
    """Describe a failed day and the command that replays it."""
    values = zip(Day._fields, day, strict=True)
    values_text = ", ".join(f"{name} “{value}”" for name, value in values if value)
    again = f"{seeded.SEED_VARIABLE}={seeded.SEED} pytest --hypothesis-profile far '{node}'"
    return f"Day of {values_text}, after: {', '.join(done)}. To replay it: {again}"


@pytest.mark.parametrize("day", DAYS, ids="-".join)
def test_all_views_agree_at_each_moment_of_a_day(day: Day, request: pytest.FixtureRequest) -> None:
    course = PlayedDay(day)
    done: list[str] = []
    try:
        for number, moment in enumerate(course.iterate_steps(), DAYS.index(day)):
            done.append(moment)
            check_moment(course.load_event(), moment, number)
        places = (
            place_readers.COMPLETE_READERS["places"](course.load_event())
            if course.allows_early_departure
            else None
        )
        check_places(course.load_event(), places)
    except Exception as error:
        error.add_note(describe_failure(day, done, request.node.nodeid))
        raise
