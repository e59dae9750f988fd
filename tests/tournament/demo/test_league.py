"""The demo's league: at any hour, tables are in play and a seat is free for a visitor."""

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

VISITOR = people.students()[0].email


@pytest.fixture
def director(monkeypatch: pytest.MonkeyPatch) -> league.Director:
    """Of a league with short seasons, before the first."""
    monkeypatch.setattr(league, "ROUNDS", 2)
    monkeypatch.setattr(league, "HANDS", 1)
    accounts.make_organizer({})
    accounts.make_students(people.students(), {})
    return league.Director(VISITOR)


def live() -> list[Match]:
    return list(Match.objects.filter(phase__in=("playing", "between")))


def live_seats_of_the_visitor() -> int:
    return Seat.objects.filter(user__email=VISITOR, match__in=live()).count()


def look_until_it_rests(director: league.Director) -> None:
    """Let the director look until nothing is left to do.

    Closing and starting a round are separate steps, and a new season is another.
    """
    for _ in range(4):
        director.look()


@pytest.mark.slow
@pytest.mark.patient
def test_hours_later_there_are_still_tables_and_the_visitor_has_one_seat(
    director: league.Director,
) -> None:
    winners = {}
    for _ in range(9):
        look_until_it_rests(director)
        assert len(live()) >= 2
        assert live_seats_of_the_visitor() == 1
        for season in Event.objects.filter(state=Event.State.FINISHED):
            winners[season.slug] = winner(season)
        for match in live():
            games.play_out(match)
    assert {
        "lunch-league-1",
        "lunch-league-2",
        "hostel-league-1",
        "hostel-league-2",
    } <= winners.keys()
    assert None not in winners.values()
    check_no_leftovers()


def test_the_hostel_plays_by_another_rule_set_each_season(director: league.Director) -> None:
    seasons = [league.HOSTEL.new_season(sure(accounts.organizer())) for _ in range(3)]
    played = [(season.ruleset, season.table_size) for season in seasons]
    assert played == [("ocho-cards", 8), ("crazy-eights", 7), ("ocho-cards", 8)]


def check_no_leftovers() -> None:
    """Of each league two seasons are kept, with nothing from before."""
    kept = [season for each in league.LEAGUES for season in each.seasons()]
    assert len(kept) == 4
    assert Match.objects.count() == Table.objects.filter(round__stage__event__in=kept).count()
    assert set(Registration.objects.values_list("event", flat=True)) == {s.pk for s in kept}
    assert Match.objects.count() <= 4 * (league.ROUNDS + 1)


def test_whoever_s_match_is_over_has_the_next_at_once(director: league.Director) -> None:
    look_until_it_rests(director)
    mine = Match.objects.get(seats__user__email=VISITOR)
    games.play_out(mine)
    look_until_it_rests(director)
    assert live_seats_of_the_visitor() == 1


def test_it_waits_while_the_visitor_sits_at_another_event_s_table(
    director: league.Director,
) -> None:
    elsewhere = running_round(hand_limit=1)
    Seat.objects.filter(match=first_table(elsewhere).match, number=0).update(
        user=User.objects.get(email=VISITOR)
    )
    look_until_it_rests(director)
    assert not Round.objects.filter(stage__event=league.LUNCH.seasons().get()).exists()
    assert Round.objects.filter(stage__event=league.HOSTEL.seasons().get()).exists()
    play(first_table(elsewhere))
    look_until_it_rests(director)
    assert len(live()) == 2
    assert live_seats_of_the_visitor() == 1


def test_a_round_that_is_still_played_is_left_alone(director: league.Director) -> None:
    look_until_it_rests(director)
    before = [(match.pk, match.version) for match in live()]
    look_until_it_rests(director)
    assert [(match.pk, match.version) for match in live()] == before


def test_a_table_without_a_result_does_not_stop_it(director: league.Director) -> None:
    look_until_it_rests(director)
    [event] = league.LUNCH.seasons()
    organizer = event.organizers.get()
    table = Round.objects.get(stage__event=event).tables.get()
    abandon_table(table, organizer, "The table was needed for lunch.")
    look_until_it_rests(director)
    assert Round.objects.filter(stage__event=event).count() == 2
    assert len(live()) == 2


def test_an_organizer_s_refusal_is_said_once_and_waited_for(
    director: league.Director, caplog: pytest.LogCaptureFixture
) -> None:
    director.look()
    [event] = league.LUNCH.seasons()
    approved = event.registrations.order_by("pk")
    approved.exclude(pk=approved[0].pk).update(state=Registration.State.WITHDRAWN)
    look_until_it_rests(director)
    assert [r.getMessage() for r in caplog.records] == [
        f"{event} waits: At least two players must have a spot before seats can be drawn."
    ]
    approved.update(state=Registration.State.APPROVED)
    look_until_it_rests(director)
    assert len(leaderboard(event).rows) == 5
    assert len(live()) == 2


def test_who_joins_the_league_plays_in_the_next_round(director: league.Director) -> None:
    director.look()
    [event] = league.LUNCH.seasons()
    newcomer = accounts.make_students([ListedStudent("X1", "Nina Newcomer", "n@x.example")], {})
    register(event, newcomer["n@x.example"])
    look_until_it_rests(director)
    assert Seat.objects.filter(name="Nina Newcomer", match__in=live()).count() == 1


def test_an_organizer_with_another_address_goes_on(director: league.Director) -> None:
    User.objects.filter(username=accounts.ORGANIZER).update(email="odile@example.org")
    look_until_it_rests(director)
    assert len(live()) == 2


def test_without_its_organizer_the_league_rests(director: league.Director) -> None:
    User.objects.filter(username=accounts.ORGANIZER).delete()
    look_until_it_rests(director)
    assert Event.objects.count() == 0


def test_an_event_with_an_address_like_a_season_s_is_none(director: league.Director) -> None:
    own = make_event(slug="lunch-league-2026")
    also = make_event(slug="lunch-league-2")
    first = league.LUNCH.new_season(sure(accounts.organizer()))
    seasons = [first] + [league.LUNCH.new_season(sure(accounts.organizer())) for _ in range(3)]
    assert [season.slug for season in seasons] == [f"lunch-league-{n}" for n in (1, 3, 4, 5)]
    assert list(league.LUNCH.seasons()) == [seasons[3], seasons[2]]
    assert set(Event.objects.all()) == {own, also, seasons[2], seasons[3]}
