"""Tests that the demo's league always has tables in play and a free seat for a visitor."""

import pytest

from games import services as games
from games.models import Match, Seat
from tests.factories import make_event
from tests.tournament.staging import first_table, play, running_round
from tests.typed import sure
from tournament.demo import accounts, league, people
from tournament.models import Event, Registration, Round, Table, User
from tournament.pure.lists import ListedStudent
from tournament.registration.services import register
from tournament.rounds.services import abandon_table
from tournament.stages.winners import winner
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db

VISITOR_EMAIL = people.list_students()[0].email


@pytest.fixture
def director(monkeypatch: pytest.MonkeyPatch) -> league.Director:
    """Provide the director of a league with short seasons, before the first season."""
    monkeypatch.setattr(league, "ROUNDS", 2)
    monkeypatch.setattr(league, "HANDS", 1)
    accounts.make_organizer({})
    accounts.make_students(people.list_students(), {})
    return league.Director(VISITOR_EMAIL)


def list_live_matches() -> list[Match]:
    return list(Match.objects.filter(phase__in=("playing", "between")))


def count_live_visitor_seats() -> int:
    return Seat.objects.filter(user__email=VISITOR_EMAIL, match__in=list_live_matches()).count()


def act_until_idle(director: league.Director) -> None:
    """Let the director act until nothing is left to do.

    Closing a round, starting a round and beginning a season are separate steps.
    """
    for _ in range(4):
        director.advance_leagues()


@pytest.mark.slow
@pytest.mark.patient
def test_league_still_has_tables_and_one_visitor_seat_after_hours(
    director: league.Director,
) -> None:
    winners = {}
    for _ in range(9):
        act_until_idle(director)
        assert len(list_live_matches()) >= 2
        assert count_live_visitor_seats() == 1
        for season in Event.objects.filter(state=Event.State.FINISHED):
            winners[season.slug] = winner(season)
        for match in list_live_matches():
            games.play_out(match)
    assert {
        "lunch-league-1",
        "lunch-league-2",
        "hostel-league-1",
        "hostel-league-2",
    } <= winners.keys()
    assert None not in winners.values()
    check_no_leftovers()


def test_hostel_league_changes_its_rule_set_each_season(director: league.Director) -> None:
    seasons = [league.HOSTEL.new_season(sure(accounts.find_organizer())) for _ in range(3)]
    played = [(season.ruleset, season.table_size) for season in seasons]
    assert played == [("ocho-cards", 8), ("crazy-eights", 7), ("ocho-cards", 8)]


def check_no_leftovers() -> None:
    """Check that two seasons of each league are kept, without any older data."""
    kept = [season for each in league.LEAGUES for season in each.seasons()]
    assert len(kept) == 4
    assert Match.objects.count() == Table.objects.filter(round__stage__event__in=kept).count()
    assert set(Registration.objects.values_list("event", flat=True)) == {s.pk for s in kept}
    assert Match.objects.count() <= 4 * (league.ROUNDS + 1)


def test_players_get_a_new_match_when_theirs_ends(director: league.Director) -> None:
    act_until_idle(director)
    mine = Match.objects.get(seats__user__email=VISITOR_EMAIL)
    games.play_out(mine)
    act_until_idle(director)
    assert count_live_visitor_seats() == 1


def test_league_waits_while_the_visitor_plays_in_another_event(
    director: league.Director,
) -> None:
    elsewhere = running_round(hand_limit=1)
    Seat.objects.filter(match=first_table(elsewhere).match, number=0).update(
        user=User.objects.get(email=VISITOR_EMAIL)
    )
    act_until_idle(director)
    assert not Round.objects.filter(stage__event=league.LUNCH.seasons().get()).exists()
    assert Round.objects.filter(stage__event=league.HOSTEL.seasons().get()).exists()
    play(first_table(elsewhere))
    act_until_idle(director)
    assert len(list_live_matches()) == 2
    assert count_live_visitor_seats() == 1


def test_round_in_play_is_left_unchanged(director: league.Director) -> None:
    act_until_idle(director)
    before = [(match.pk, match.version) for match in list_live_matches()]
    act_until_idle(director)
    assert [(match.pk, match.version) for match in list_live_matches()] == before


def test_table_without_a_result_does_not_stop_the_league(director: league.Director) -> None:
    act_until_idle(director)
    [event] = league.LUNCH.seasons()
    organizer = event.organizers.get()
    table = Round.objects.get(stage__event=event).tables.get()
    abandon_table(table, organizer, "The table was needed for lunch.")
    act_until_idle(director)
    assert Round.objects.filter(stage__event=event).count() == 2
    assert len(list_live_matches()) == 2


def test_refused_step_is_logged_once_and_retried(
    director: league.Director, caplog: pytest.LogCaptureFixture
) -> None:
    director.advance_leagues()
    [event] = league.LUNCH.seasons()
    approved = event.registrations.order_by("pk")
    approved.exclude(pk=approved[0].pk).update(state=Registration.State.WITHDRAWN)
    act_until_idle(director)
    assert [r.getMessage() for r in caplog.records] == [
        f"{event} waits: At least two players must have a spot before seats can be drawn."
    ]
    approved.update(state=Registration.State.APPROVED)
    act_until_idle(director)
    assert len(leaderboard(event).rows) == 5
    assert len(list_live_matches()) == 2


def test_new_league_player_joins_the_next_round(director: league.Director) -> None:
    director.advance_leagues()
    [event] = league.LUNCH.seasons()
    newcomer = accounts.make_students([ListedStudent("X1", "Nina Newcomer", "n@x.example")], {})
    register(event, newcomer["n@x.example"])
    act_until_idle(director)
    assert Seat.objects.filter(name="Nina Newcomer", match__in=list_live_matches()).count() == 1


def test_league_continues_after_the_organizer_changes_address(director: league.Director) -> None:
    User.objects.filter(username=accounts.ORGANIZER).update(email="odile@example.org")
    act_until_idle(director)
    assert len(list_live_matches()) == 2


def test_league_pauses_without_its_organizer(director: league.Director) -> None:
    User.objects.filter(username=accounts.ORGANIZER).delete()
    act_until_idle(director)
    assert Event.objects.count() == 0


def test_event_with_a_season_like_address_is_not_part_of_the_league(
    director: league.Director,
) -> None:
    own = make_event(slug="lunch-league-2026")
    also = make_event(slug="lunch-league-2")
    first = league.LUNCH.new_season(sure(accounts.find_organizer()))
    seasons = [first] + [league.LUNCH.new_season(sure(accounts.find_organizer())) for _ in range(3)]
    assert [season.slug for season in seasons] == [f"lunch-league-{n}" for n in (1, 3, 4, 5)]
    assert list(league.LUNCH.seasons()) == [seasons[3], seasons[2]]
    assert set(Event.objects.all()) == {own, also, seasons[2], seasons[3]}
