"""Tests of rulings that change who plays at a seat: forfeits, bots and substitutes."""

from typing import Any

import pytest
from django.core import mail

from games import queries as games
from games import services as live
from games.models import Match
from tests.factories import UNREACHABLE_TARGET
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.ruling import (
    get_event,
    get_match_seat,
    get_player,
    get_reserve,
    get_ruling_refusal_code,
    get_seat,
    make_round_with_reserve,
    make_ruling,
    undo_ruling_as_organizer,
)
from tests.tournament.staging import match_of, organizer_of, play, running_round
from tournament.corrections.rounds import reopen_round
from tournament.hall.queries import player_page
from tournament.models import Event, Round, Ruling, Table
from tournament.registration.services import withdraw
from tournament.results import queries as results
from tournament.rounds.paper import set_paper
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import return_seat_from_bot, rule, undo_ruling
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db

Kind = Ruling.Kind


@pytest.fixture
def started_round() -> Round:
    return make_round_with_reserve(hand_limit=2, options=UNREACHABLE_TARGET)


def test_forfeiting_player_sees_no_more_cards_and_the_others_play_on(started_round: Round) -> None:
    user = get_player(started_round).user
    make_ruling(started_round, Kind.FORFEIT)
    seat = get_match_seat(started_round)
    assert (seat.user, seat.bot) == (None, live.EMPTY)
    view = games.match_view(Match.objects.get(pk=seat.match_id), user)
    assert view["cards"] == []
    play(get_seat(started_round).table)
    assert match_of(Table.objects.get()).phase == Match.Phase.OVER


def test_forfeited_match_is_lost_without_points(started_round: Round) -> None:
    play(get_seat(started_round).table, hands=1)
    best = max(range(4), key=results.table_results(started_round)[0].points.__getitem__)
    make_ruling(started_round, Kind.FORFEIT, best)
    (found,) = results.table_results(started_round)
    assert found.points[best] == 0
    assert found.places[best] == 4
    play(get_seat(started_round).table)
    (found,) = results.table_results(started_round)
    assert best not in found.winners
    assert found.winners


def test_points_of_earlier_hands_are_kept_if_the_event_says_so(
    started_round: Round,
) -> None:
    Event.objects.update(forfeits=Event.Forfeits.KEPT)
    play(get_seat(started_round).table, hands=1)
    points = results.table_results(started_round)[0].points
    best = points.index(max(points))
    make_ruling(started_round, Kind.FORFEIT, best)
    (found,) = results.table_results(started_round)
    assert found.points == points
    assert found.places[best] == 4


def test_forfeiting_player_gets_the_highest_table_score_with_lowest_scoring() -> None:
    played = running_round(4, options={"scoring": "lowest"} | UNREACHABLE_TARGET)
    play(get_seat(played).table, hands=1)
    points = results.table_results(played)[0].points
    best = points.index(min(points))
    make_ruling(played, Kind.FORFEIT, best)
    assert results.table_results(played)[0].points[best] == max(points)


def test_bot_plays_on_for_the_partner_of_a_player_who_forfeits() -> None:
    played = running_round(4, options={"partners": True})
    make_ruling(played, Kind.FORFEIT)
    assert get_match_seat(played).bot == "plain"


def test_forfeit_can_be_undone(started_round: Round) -> None:
    user = get_player(started_round).user
    undo_ruling_as_organizer(make_ruling(started_round, Kind.FORFEIT))
    assert (get_match_seat(started_round).user, get_match_seat(started_round).bot) == (user, "")
    assert not get_seat(started_round).forfeited


def test_forfeit_can_be_undone_after_the_match(started_round: Round) -> None:
    ruling = make_ruling(started_round, Kind.FORFEIT)
    play(get_seat(started_round).table)
    undo_ruling_as_organizer(ruling)
    (found,) = results.table_results(started_round)
    assert found.places == games.score(match_of(Table.objects.get())).places
    assert get_match_seat(started_round).user == get_player(started_round).user


def test_forfeit_at_a_table_with_physical_cards_is_part_of_the_result() -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    rule(event, organizer, RulingRequest(Kind.FORFEIT, get_player(played)), "Gone home.")
    finish_paper_round(played, organizer, [400, 300, 200, 100])
    (found,) = results.table_results(played)
    assert (found.points, found.winners) == ([0, 300, 200, 100], [1])


def test_closed_round_must_be_reopened_before_a_forfeit_is_undone() -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    rule(event, organizer, RulingRequest(Kind.FORFEIT, get_player(played)), "Gone home.")
    finish_paper_round(played, organizer)
    ruling = event.rulings.get()
    assert get_refusal_code(undo_ruling, ruling, organizer, "A mistake.") == "closed"
    reopen_round(Round.objects.get(), organizer, "A mistake.")
    undo_ruling(ruling, organizer, "A mistake.")
    assert not get_seat(played).forfeited


def test_bot_plays_until_the_player_returns(started_round: Round) -> None:
    user = get_player(started_round).user
    make_ruling(started_round, Kind.BOT)
    assert (get_match_seat(started_round).user, get_match_seat(started_round).bot) == (
        None,
        "plain",
    )
    page = player_page(get_event(started_round), user)
    assert page is not None
    assert page.bot is not None
    assert not page.has_to_play
    assert page.next_step == "A bot is playing for you at table 1 until you say you’re back."
    return_seat_from_bot(get_event(started_round), user)
    assert get_match_seat(started_round).user == user
    assert get_refusal_code(return_seat_from_bot, get_event(started_round), user) == "no-bot"


def test_bot_cannot_hold_physical_cards() -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    wanted = RulingRequest(Kind.BOT, get_player(played))
    assert get_refusal_code(rule, event, organizer, wanted, "Away.") == "paper"


def test_substitute_plays_for_the_original_player_by_default(
    started_round: Round,
) -> None:
    coming, leaving = get_reserve(started_round), get_player(started_round)
    make_ruling(started_round, Kind.SUBSTITUTE, substitute=coming)
    assert get_match_seat(started_round).user == coming.user
    seat = get_seat(started_round)
    assert (seat.registration, seat.substitute) == (leaving, coming)
    assert str(seat) == f"{coming.name} for {leaving.name}"


def test_substitute_plays_for_themselves_if_the_event_says_so(started_round: Round) -> None:
    Event.objects.update(substitutes=Event.Substitutes.THEMSELVES)
    coming, leaving = get_reserve(started_round), get_player(started_round)
    ruling = make_ruling(started_round, Kind.SUBSTITUTE, substitute=coming)
    assert (get_seat(started_round).registration, get_seat(started_round).substitute) == (
        coming,
        None,
    )
    undo_ruling_as_organizer(ruling)
    assert (get_seat(started_round).registration, get_seat(started_round).substitute) == (
        leaving,
        None,
    )


def test_replaced_player_and_substitute_both_see_their_status(started_round: Round) -> None:
    coming, leaving = get_reserve(started_round), get_player(started_round)
    make_ruling(started_round, Kind.SUBSTITUTE, substitute=coming)
    event = get_event(started_round)
    new_page, old_page = player_page(event, coming.user), player_page(event, leaving.user)
    assert new_page is not None
    assert old_page is not None
    assert new_page.next_step == "Your match is on: table 1, seat 1."
    assert new_page.has_to_play
    message = f"{coming.name} is playing for you at table 1. Wait here for the next round."
    assert old_page.next_step == message
    assert not old_page.has_to_play


def test_substitute_is_notified_by_mail(
    started_round: Round, django_capture_on_commit_callbacks: Any
) -> None:
    coming = get_reserve(started_round)
    with django_capture_on_commit_callbacks(execute=True):
        make_ruling(started_round, Kind.SUBSTITUTE, substitute=coming)
    (letter,) = mail.outbox
    assert letter.to == [coming.user.email]
    assert "take your seat at table 1" in letter.subject


def test_undoing_a_substitution_restores_the_original_player(started_round: Round) -> None:
    leaving = get_player(started_round)
    undo_ruling_as_organizer(
        make_ruling(started_round, Kind.SUBSTITUTE, substitute=get_reserve(started_round))
    )
    assert get_match_seat(started_round).user == leaving.user
    assert get_seat(started_round).substitute is None


def test_seated_or_withdrawn_player_cannot_substitute(started_round: Round) -> None:
    assert get_ruling_refusal_code(started_round, Kind.SUBSTITUTE) == "no-substitute"
    assert (
        get_ruling_refusal_code(
            started_round, Kind.SUBSTITUTE, substitute=get_player(started_round, 1)
        )
        == "busy"
    )
    out = get_reserve(started_round)
    withdraw(out, out.user)
    assert get_ruling_refusal_code(started_round, Kind.SUBSTITUTE, substitute=out) == "busy"


def test_table_moved_to_paper_keeps_its_substitute_and_its_forfeit(
    started_round: Round,
) -> None:
    coming = get_reserve(started_round)
    make_ruling(started_round, Kind.SUBSTITUTE, substitute=coming)
    make_ruling(started_round, Kind.FORFEIT, 1)
    set_paper(
        get_seat(started_round).table,
        organizer_of(get_event(started_round)),
        True,
        "The network fails.",
    )
    assert get_seat(started_round).substitute == coming
    assert get_seat(started_round, 1).forfeited
