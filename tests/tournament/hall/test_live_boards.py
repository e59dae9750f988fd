"""Tests that live boards show only what viewers may see of the tables in play."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext
from pytest_django import DjangoAssertNumQueries

from games import queries as games
from games import services, store
from games.models import Match
from games.process import here
from tests.games.helpers import act, reload
from tests.games.helpers import begin as begin_match
from tests.games.viewing import ONE_MINUTE_DELAY, Clock, seconds_after_start
from tests.games.viewing import play_moves as play_moves
from tests.tournament.staging import (
    first_table,
    match_of,
    organizer_of,
    play,
    published_round,
    running_round,
)
from tests.typed import sure
from tournament.hall.live_boards import (
    PlayedCards,
    event_boards,
    find_public_cards,
    home_boards,
)
from tournament.models import Event, Round
from tournament.standings.freezing import freeze

pytestmark = pytest.mark.django_db


def start_round_in_second_hand(**fields: Any) -> Round:
    """Start a round whose first table is in its second hand."""
    played = running_round(4, hand_limit=3, options={"target": 1000}, **fields)
    play(first_table(played), 1)
    services.tick(timezone.now() + timedelta(minutes=1))
    return played


def get_public_cards(round_: Round) -> PlayedCards | None:
    match = match_of(first_table(round_))
    return find_public_cards(games.match_for_seat(match, None))


def get_event_boards(round_: Round) -> str:
    return Client().get(reverse("event-boards", args=[round_.stage.event.slug])).text


def get_home_boards() -> str:
    return Client().get(reverse("home-boards")).text


def test_board_shows_the_top_card_the_counts_and_the_turn() -> None:
    played = start_round_in_second_hand(viewers="live")
    match = match_of(first_table(played))
    match.refresh_from_db()
    position = store.current(match.pk, match.version).position
    assert position is not None
    shown = get_public_cards(played)
    assert shown is not None
    assert (shown.top, [seat.cards for seat in shown.seats]) == (position.top, position.counts)
    assert [seat.turn for seat in shown.seats].count(True) == 1


def test_board_names_a_color_only_if_the_top_card_does_not_show_it() -> None:
    match = begin_match(["W R2", "R3 B9"], "R5", viewers="live")
    assert find_color(match) == ("R5", "", "")
    act(match, 0, {"play": "W", "color": "B", "uno": True})
    assert find_color(match) == ("W", "B", "blue")


def find_color(match: Match) -> tuple[str, str, str]:
    shown = sure(find_public_cards(games.match_for_seat(reload(match), None)))
    return shown.top, shown.color, shown.color_name


def test_table_has_no_board_before_the_first_deal() -> None:
    played = published_round()
    assert event_boards(played.stage.event) == []


def test_table_has_no_board_if_viewers_see_only_finished_hands() -> None:
    assert get_public_cards(start_round_in_second_hand(viewers="hand")) is None


def test_table_has_no_board_until_the_delay_has_passed() -> None:
    assert (
        get_public_cards(start_round_in_second_hand(viewers="delayed", viewer_delay_seconds=600))
        is None
    )


def test_delayed_board_shows_the_table_as_it_was(clock: Clock) -> None:
    clock(0)
    match = begin_match(["R1 R2", "R3 G9"], "R5", **ONE_MINUTE_DELAY)
    play_moves(match, clock, [(10, 0, {"play": "R1", "uno": True})])
    play_moves(match, clock, [(20, 1, {"play": "R3", "uno": True})])
    found = {second: get_public_cards_at(match, second) for second in (59, 69, 79, 81)}
    tops = {second: cards.top if cards else None for second, cards in found.items()}
    assert tops == {59: None, 69: "R5", 79: "R1", 81: "R3"}
    last = found[81]
    assert last is not None
    assert [(seat.cards, seat.last_card) for seat in last.seats] == [(1, True), (1, True)]


def get_public_cards_at(match: Match, second: int) -> PlayedCards | None:
    live = store.load(match.pk)
    moment = seconds_after_start(second)
    return find_public_cards(games.shown_now(live, games.stream_of(live.match, None), moment))


def test_frozen_leaderboard_hides_the_boards() -> None:
    played = start_round_in_second_hand(viewers="live")
    assert get_public_cards(played) is not None
    freeze(played.stage.event, organizer_of(played.stage.event))
    assert get_public_cards(played) is None


def test_practice_match_has_no_board() -> None:
    played = start_round_in_second_hand(viewers="live")
    match = match_of(first_table(played))
    shown = games.match_for_seat(match, None)
    shown.snapshot.match.practice = True
    assert find_public_cards(shown) is None


def test_match_that_is_over_has_no_board() -> None:
    played = start_round_in_second_hand(viewers="live")
    play(first_table(played))
    assert get_public_cards(played) is None
    assert get_event_boards(played).strip() == ""


def test_fragment_links_to_each_table_and_shows_no_cards_in_hand() -> None:
    played = start_round_in_second_hand(viewers="live")
    match = match_of(first_table(played))
    match.refresh_from_db()
    text = get_event_boards(played)
    assert text.count('<li class="live-board') == 1
    assert f'href="{match.get_absolute_url()}"' in text
    assert text.count("img/cards.svg") in (1, 2)  # the top card, and possibly a chosen colour


def test_board_shows_the_number_of_viewers(monkeypatch: pytest.MonkeyPatch) -> None:
    for period in ("BOARD_SECONDS", "CHOICE_SECONDS"):
        monkeypatch.setattr(f"tournament.hall.live_boards.{period}", 0)
    played = start_round_in_second_hand(viewers="live")
    assert "live-viewers" not in get_event_boards(played)
    services.beat()
    services.store_viewers(here().key, {match_of(first_table(played)).pk: 1})
    assert '<span class="live-viewers">1 viewer</span>' in get_event_boards(played)


def test_boards_are_made_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    played = start_round_in_second_hand(viewers="live")
    event = played.stage.event
    first = event_boards(event)
    assert event_boards(event) is first
    monkeypatch.setattr("tournament.hall.live_boards.BOARD_SECONDS", 0)
    assert event_boards(event) is not first


def test_home_boards_alternate_between_events() -> None:
    several = [
        running_round(12, title=f"Cup {number}", viewers="live").stage.event for number in range(2)
    ]
    for match in Match.objects.all():
        services.play_out(match, hands=1)
    found = [board.event.title for board in home_boards(several)]
    assert found == ["Cup 0", "Cup 1", "Cup 0"]


def test_home_page_has_no_board_or_style_sheet_while_no_table_plays(client: Client) -> None:
    running_round(4, viewers="hand")
    text = client.get(reverse("home")).text
    assert "<link" in text
    assert [line for line in text.splitlines() if "<link" in line and "boards.css" in line] == []
    assert '<li class="live-board' not in text
    assert get_home_boards().strip() == ""


def test_boards_of_an_event_in_preparation_are_hidden() -> None:
    played = start_round_in_second_hand(viewers="live")
    Event.objects.update(state=Event.State.DRAFT)
    address = reverse("event-boards", args=[played.stage.event.slug])
    assert Client().get(address).status_code == 404
    assert get_home_boards().strip() == ""


def test_fragment_is_in_the_requested_language() -> None:
    start_round_in_second_hand(viewers="live")
    text = Client().get(reverse("home-boards"), {"in": "hi"}).text
    with translation.override("hi"):
        heading = gettext("In play")
    assert (heading != "In play", f'<h2 id="in-play">{heading}</h2>' in text) == (True, True)


@pytest.mark.django_db(transaction=True)
def test_serving_process_updates_boards_with_one_query(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event = running_round(24, viewers="live").stage.event
    assert len(event_boards(event)) == 6
    monkeypatch.setattr("tournament.hall.live_boards.BOARD_SECONDS", 0)
    with django_assert_num_queries(1):
        assert len(event_boards(event)) == 6
