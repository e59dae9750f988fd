"""Tests of the frozen leaderboard: no public page or socket reveals later results."""

import re
from copy import deepcopy
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from games.queries import match_for_seat
from tests.factories import UNREACHABLE_TARGET
from tests.tournament.helpers import (
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.staging import (
    first_table,
    match_of,
    organizer_of,
    play,
    player_at,
    running_round,
)
from tournament.advancing.services import draw_bracket
from tournament.corrections.rulings import preview_new_ruling
from tournament.models import (
    AuditEntry,
    Event,
    Registration,
    Round,
    Ruling,
    Table,
    TableSeat,
    User,
)
from tournament.pure.ranking.freeze import Freeze
from tournament.results.services import enter_result
from tournament.rounds.services import close_round
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule
from tournament.seating.services import publish_round, seat_round
from tournament.stages.winners import winner
from tournament.standings.freezing import freeze, reveal, thaw
from tournament.standings.queries import leaderboard
from tournament.web.live.boards import hash_public_facts, read_news

pytestmark = pytest.mark.django_db

# Four different totals that appear nowhere else on a page.
POINTS = [401, 317, 253, 119]


@pytest.fixture(scope="module")
def shared_round(shared_rows: None) -> Round:
    """Start a round with two tables and play one hand at the first."""
    found = running_round(8, hand_limit=2, options=UNREACHABLE_TARGET)
    play(first_table(found), 1)
    return found


@pytest.fixture
def started_round(shared_round: Round) -> Round:
    return deepcopy(shared_round)


@pytest.fixture
def organizer(started_round: Round) -> User:
    return organizer_of(started_round.stage.event)


def get_event(round_: Round) -> Event:
    return Event.objects.get(pk=round_.stage.event_id)


def list_addresses(event: Event) -> list[str]:
    """Return the addresses of all public pages that could reveal results of a running event."""
    pages = ["event", "event-leaderboard", "event-bracket", "event-tables", "event-results"]
    pages += ["event-people", "event-history", "event-history-file", "event-hall", "event-rules"]
    found = [reverse(page, args=[event.slug]) for page in pages]
    found += [f"{found[1]}?view=hall", f"{found[1]}?stage=1", f"{found[3]}?view=hall"]
    hall = reverse("event-hall", args=[event.slug])
    found += [f"{hall}?at={number}" for number in range(5)]
    found += [reverse("event-player", args=[event.slug, number]) for number in range(1, 9)]
    for table in Table.objects.filter(round__stage__event=event, match__isnull=False):
        match = match_of(table)
        found += [match.get_absolute_url(), reverse("games:result", args=[match.public_id])]
        found.append(reverse("games:fair", args=[match.public_id]))
        for hand in (1, 2, 3):
            found.append(reverse("games:replay", args=[match.public_id, hand]))
            found.append(reverse("games:record", args=[match.public_id, hand]))
    return [*found, reverse("home")]


VARIABLE_PARTS = re.compile(r'nonce="[^"]*"|csrf\w*" value="[^"]*"|"now":\s*\d+|data-shape="\w+"')


def read_public_pages(event: Event) -> dict[str, tuple[int, str]]:
    """Return the status and text of every public page, by address.

    The parts that differ at each request are removed.
    """
    visitor = Client()
    answers = {address: visitor.get(address) for address in list_addresses(event)}
    return {
        address: (answer.status_code, VARIABLE_PARTS.sub("", answer.text))
        for address, answer in answers.items()
    }


def test_no_page_reveals_results_after_the_freeze(started_round: Round, organizer: User) -> None:
    event = freeze(get_event(started_round), organizer)
    before, result = read_public_pages(event), read_news(event).html
    for table in started_round.tables.all():
        play(table)
    enter_result(first_table(started_round), organizer, POINTS, "Counted anew.", override=True)
    close_round(Round.objects.get(pk=started_round.pk), organizer)
    after = read_public_pages(event)
    # The pages may say that tables have finished and the round is closed, but show no points.
    points = re.compile(r"\b(" + "|".join(map(str, POINTS)) + r")\b")
    for address, (status, text) in after.items():
        assert status == before[address][0], address
        assert not points.search(text), address
        # The hall's screens may be renumbered, since fewer of them now show seats or a clock.
        alike = [one for one in before if "/hall/" in address and "/hall/" in one] or [address]
        assert list_points(text) <= {
            found for one in alike for found in list_points(before[one][1])
        }, address
    assert list_points(read_news(event).html) == list_points(result)


def list_points(text: str) -> set[str]:
    """Return the points shown on a page: in table cells, at seats and in the match data."""
    cells = re.findall(r'class="(?:number )?(?:points|figure)[^"]*">\s*(\d+)', text)
    scores = re.findall(r'"score": (\d+)', text)
    return {*cells, *scores}


def test_desk_shows_live_standings_and_the_freeze_notice(
    started_round: Round, organizer: User
) -> None:
    event = freeze(get_event(started_round), organizer)
    play(first_table(started_round))
    frozen, truth = leaderboard(event), leaderboard(event, actual=True)
    assert sum(row.points for row in truth.rows) > sum(row.points for row in frozen.rows)
    client = Client()
    client.force_login(organizer)
    text = client.get(reverse("admin:event-standings", args=[event.pk])).text
    assert "The public leaderboard has been frozen since" in text
    assert f'<td class="number">{truth.rows[0].points}</td>' in text


def test_players_see_their_table_live_and_viewers_see_the_freeze(
    started_round: Round, organizer: User
) -> None:
    table = first_table(started_round)
    freeze(get_event(started_round), organizer)
    play(table)
    match = match_of(Table.objects.get(pk=table.pk))
    assert len(match_for_seat(match, match.seats.all()[0].number).snapshot.finished) == 2
    shown = match_for_seat(match, None)
    assert (len(shown.snapshot.finished), shown.wait) == (1, None)
    player = Client()
    player.force_login(player_at(table))
    assert "Your match is over." in player.get(f"/e/{get_event(started_round).slug}/my-table/").text


def test_viewers_of_full_hands_do_not_see_the_frozen_hand() -> None:
    played = running_round(4, viewers="hand")
    freeze(get_event(played), organizer_of(get_event(played)))
    match = match_of(first_table(played))
    assert match_for_seat(match, None).snapshot.position is None


def test_match_started_after_the_freeze_is_shown_as_waiting() -> None:
    event, organizer = make_organized_event(4, hand_limit=1)
    drafted = seat_round(first_stage(event), organizer)
    freeze(event, organizer)
    table = first_table(start_drafted_round(drafted, organizer, paper=False))
    play(table)
    match = match_of(Table.objects.get(pk=table.pk))
    assert match_for_seat(match, None).snapshot.match.phase == "waiting"
    assert [row.matches for row in leaderboard(Event.objects.get(pk=event.pk)).rows] == [0] * 4


def test_freeze_keeps_the_players_moves(started_round: Round, organizer: User) -> None:
    match = match_of(started_round.tables.get(number=2))
    freeze(get_event(started_round), organizer)
    now = type(match).objects.get(pk=match.pk)
    assert now.version == match.version + 1
    assert now.version in now.state.quiet


def test_corrections_and_entered_points_stay_hidden_during_a_freeze(
    started_round: Round, organizer: User
) -> None:
    play(first_table(started_round))
    enter_result(first_table(started_round), organizer, POINTS, "Counted.", override=True)
    event = freeze(get_event(started_round), organizer)
    enter_result(first_table(started_round), organizer, [0, 0, 0, 400], "Again.", override=True)
    best = max(leaderboard(event).rows, key=lambda row: row.points)
    assert best.points == POINTS[0]
    assert leaderboard(event, actual=True).rows[0].points == 400
    assert "Again." not in Client().get(f"/e/{event.slug}/history/").text
    assert "Again." not in Client().get(f"/e/{event.slug}/history.json").text


def test_points_deducted_during_a_freeze_stay_hidden(started_round: Round, organizer: User) -> None:
    event = freeze(get_event(started_round), organizer)
    row = leaderboard(event, actual=True).rows[0]
    Ruling.objects.create(
        event=event,
        registration_id=row.registration.pk,
        stage=started_round.stage,
        kind=Ruling.Kind.POINTS,
        points=7,
        reason="Looked at cards.",
        given_by=organizer,
    )

    def map_points(*, actual: bool) -> dict[str, int]:
        return {each.name: each.points for each in leaderboard(event, actual=actual).rows}

    assert map_points(actual=False)[row.name] - map_points(actual=True)[row.name] == 7


def test_frozen_bracket_hides_seeds_and_reasons() -> None:
    event, organizer = make_organized_event(8)
    event = freeze(event, organizer)
    stage = make_second_stage(event, organizer, 4)
    publish_round(draw_bracket(stage, organizer), organizer)
    text = Client().get(f"/e/{event.slug}/bracket/").text
    assert '<ol class="qualifiers">' in text
    assert '<span class="chair">1</span> <span class="who">' not in text.split("qualifiers")[1]
    assert "through" not in Client().get(f"/e/{event.slug}/leaderboard/").text.split("<table")[-1]


def test_winner_is_shown_once_all_places_are_revealed(
    started_round: Round, organizer: User
) -> None:
    event = freeze(get_event(started_round), organizer)
    event.state = Event.State.FINISHED
    event.save()
    assert winner(event) is None
    assert "lots" in Client().get(f"/e/{event.slug}/history.json").text
    assert all(
        not lot["key"] for lot in Client().get(f"/e/{event.slug}/history.json").json()["lots"]
    )


def test_pages_refresh_when_the_freeze_starts_and_ends(
    started_round: Round, organizer: User
) -> None:
    event = get_event(started_round)
    shapes = [hash_public_facts(event)]
    event = freeze(event, organizer)
    shapes.append(hash_public_facts(event))
    shapes.append(hash_public_facts(thaw(event, organizer)))
    assert (shapes[0] == shapes[1], shapes[0] == shapes[2]) == (False, True)


def test_places_are_revealed_from_last_to_first(started_round: Round, organizer: User) -> None:
    for table in started_round.tables.all():
        play(table)
    event = freeze(get_event(started_round), organizer)
    ranks = [row.rank for row in leaderboard(event, actual=True).rows]
    shown = []
    while event.freeze:
        event = reveal(event, organizer)
        shown.append([row.rank for row in leaderboard(event).rows])
    steps = sorted(set(ranks), reverse=True)
    assert shown == [[rank for rank in ranks if rank >= step] for step in steps]
    assert AuditEntry.objects.first().action == "thaw"  # type: ignore[union-attr]


def test_unrevealed_player_is_not_named_on_the_board(started_round: Round, organizer: User) -> None:
    for table in started_round.tables.all():
        play(table)
    event = reveal(freeze(get_event(started_round), organizer), organizer)
    board, truth = leaderboard(event), leaderboard(event, actual=True)
    assert board.hidden == len(truth.rows) - len(board.rows) > 0
    html = read_news(event).html
    for row in truth.rows[: board.hidden]:
        assert f"<bdi>{row.name}</bdi>" not in html
        assert row.name not in " ".join(each.separated_by for each in board.rows)


def test_all_places_down_to_a_given_one_can_be_revealed_together(
    started_round: Round, organizer: User
) -> None:
    for table in started_round.tables.all():
        play(table)
    event = reveal(freeze(get_event(started_round), organizer), organizer, 3)
    assert min(row.rank for row in leaderboard(event).rows) >= 3
    assert get_refusal_code(reveal, event, organizer, 3) == "place"
    assert get_refusal_code(reveal, event, organizer, 0) == "place"
    assert not reveal(event, organizer, 1).freeze


def test_freeze_starts_once_and_ends_once(started_round: Round, organizer: User) -> None:
    event = get_event(started_round)
    assert get_refusal_code(thaw, event, organizer) == "not-frozen"
    assert get_refusal_code(reveal, event, organizer) == "not-frozen"
    event = freeze(event, organizer)
    assert get_refusal_code(freeze, event, organizer) == "frozen"
    event = thaw(event, organizer)
    assert set(list_matches(event)) == {None}


def list_matches(event: Event) -> list[object]:
    tables = Table.objects.filter(round__stage__event=event, match__isnull=False)
    return list(tables.values_list("match__viewers_until", flat=True))


def test_freeze_round_trips_through_json() -> None:
    assert (Freeze().to_json(), Freeze.from_json({}), bool(Freeze())) == ({}, Freeze(), False)
    event, organizer = make_organized_event(4)
    kept = freeze(event, organizer).freeze
    assert Freeze.from_json(kept.to_json()) == kept
    assert not kept.revealing
    assert replace(kept, shown_from=2).revealing


def freeze_during_play(round_: Round, organizer: User) -> tuple[Event, Registration]:
    """Freeze the event and return it with the first player of the table that is still playing."""
    event = freeze(get_event(round_), organizer)
    seat = TableSeat.objects.get(table__round=round_, table__number=2, number=0)
    assert seat.registration is not None
    return event, seat.registration


def test_disqualification_is_hidden_until_the_freeze_ends(
    started_round: Round, organizer: User
) -> None:
    event, who = freeze_during_play(started_round, organizer)
    before = [(row.name, row.rank, row.out) for row in leaderboard(event).rows]
    wanted = RulingRequest(Ruling.Kind.DISQUALIFY, who)
    message = preview_new_ruling(event, organizer, wanted, "Cards.").sentences
    assert (
        "The public leaderboard is frozen and won’t show the change until the places are revealed."
    ) in message
    rule(event, organizer, wanted, "Cards under the table.")
    assert [(row.name, row.rank, row.out) for row in leaderboard(event).rows] == before
    behind = {row.name: row.out for row in leaderboard(event, actual=True).rows}
    assert behind[who.name]
    shown = Client().get(reverse("event-tables", args=[event.slug])).text
    assert "forfeited" not in shown
    thaw(event, organizer)
    assert [row.name for row in leaderboard(get_event(started_round)).rows if row.out] == [who.name]


def test_player_disqualified_before_the_freeze_stays_last(
    started_round: Round, organizer: User
) -> None:
    event = get_event(started_round)
    who = first_table(started_round).seats.get(number=0).registration
    assert who is not None
    rule(event, organizer, RulingRequest(Ruling.Kind.DISQUALIFY, who), "Cards under the table.")
    event = freeze(event, organizer)
    assert [row.name for row in leaderboard(event).rows if row.out] == [who.name]
