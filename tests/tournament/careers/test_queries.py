"""Tests of a player's public page: its events, its figures, and the data that it never shows."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import UNREACHABLE_TARGET, make_user
from tests.tournament.careers.events import (
    make_announced_event,
    make_event_with_place,
    make_short_event,
    seat_user,
)
from tests.tournament.helpers import finish_paper_round, first_stage, start_drafted_round
from tests.tournament.staging import first_table, match_of, organizer_of, play
from tests.typed import sure
from tournament.advancing.services import announce_winner, reopen_event
from tournament.careers.queries import (
    Career,
    find_profile,
    find_public_page,
    find_public_pages,
    load_career,
)
from tournament.careers.records import make_record
from tournament.careers.services import choose_public_page
from tournament.models import Event, PublicProfile, Round, User
from tournament.privacy.own_data import collect_own_data
from tournament.privacy.person import forget_person
from tournament.privacy.services import anonymize_person, purge_event
from tournament.registration.services import withdraw
from tournament.results.services import enter_result
from tournament.results.stages import results_of_events
from tournament.rounds.services import close_round
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule
from tournament.seating.services import seat_round
from tournament.standings.freezing import freeze, thaw

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def get_career(user: User) -> Career:
    return load_career(PublicProfile.objects.select_related("user").get(user=user))


def list_event_titles(user: User) -> list[str]:
    return [each.event.title for each in get_career(user).events]


@pytest.fixture
def user() -> User:
    """Provide a player who has opened a public page."""
    user = make_user("Asha")
    choose_public_page(user, shown=True, listed=False)
    return user


def test_page_lists_announced_events_with_place_and_matches(user: User) -> None:
    first, second = (make_announced_event(user, place=place) for place in (2, 1))
    found = get_career(user)
    assert [each.event for each in found.events] == [second, first]
    assert [(each.outcome.place, each.people) for each in found.events] == [(1, 4), (2, 4)]
    assert (found.match_count, found.win_count, found.best_place) == (2, 1, 1)
    assert found.name == "Asha"


def test_reopened_page_gets_a_new_random_address(user: User) -> None:
    public_id = user.public_profile.public_id
    assert len(public_id) >= 20
    choose_public_page(user, shown=False, listed=False)
    opened = sure(choose_public_page(user, shown=True, listed=False))
    assert opened.public_id != public_id
    assert find_profile(public_id) is None


def test_event_appears_when_its_winner_is_announced(user: User) -> None:
    event = make_event_with_place(user)
    assert list_event_titles(user) == []
    announce_winner(event, organizer_of(event))
    assert list_event_titles(user) == [event.title]
    reopen_event(event, organizer_of(event), "Points were missing.")
    assert list_event_titles(user) == []


def test_frozen_event_is_hidden_until_everything_is_revealed(user: User) -> None:
    event, organizer = make_short_event(4)
    seat_user(event, user)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    freeze(event, organizer)
    finish_paper_round(played, organizer)
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    assert (list_event_titles(user), get_career(user).rating) == ([], None)
    thaw(Event.objects.get(pk=event.pk), organizer)
    assert list_event_titles(user) == [event.title]


def test_rehearsals_and_drafts_are_not_listed(user: User) -> None:
    event, hidden = make_announced_event(user), make_announced_event(user)
    shown = make_announced_event(user)
    Event.objects.filter(pk=event.pk).update(rehearsal_of=shown)
    Event.objects.filter(pk=hidden.pk).update(state=Event.State.DRAFT)
    assert list_event_titles(user) == [shown.title]


def test_player_who_withdrew_after_a_match_keeps_the_place(user: User) -> None:
    event = make_event_with_place(user, place=3)
    withdraw(event.registrations.get(user=user), organizer_of(event), "Left early.")
    announce_winner(Event.objects.get(pk=event.pk), organizer_of(event))
    [each] = get_career(user).events
    assert (each.outcome.place, each.outcome.matches) == (3, 1)


def test_event_in_which_the_player_played_no_match_is_not_listed(user: User) -> None:
    event, organizer = make_short_event(5)
    one = seat_user(event, user)
    withdraw(one, organizer, "Ill.")
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    announce_winner(Event.objects.get(pk=event.pk), organizer)
    assert list_event_titles(user) == []


def test_disqualified_player_has_no_place(client: Client, user: User) -> None:
    event = make_event_with_place(user)
    one, organizer = event.registrations.get(user=user), organizer_of(event)
    Event.objects.filter(pk=event.pk).update(second_person="off")
    event.refresh_from_db()
    rule(event, organizer, RulingRequest("disqualify", one), "Seen by the referee.")
    announce_winner(Event.objects.get(pk=event.pk), organizer)
    [each] = get_career(user).events
    assert each.outcome.place is None
    page = client.get(find_public_page(one)).text
    assert "No place" in page
    assert "isqualif" not in page


def test_each_event_shows_the_name_used_there(client: Client, user: User) -> None:
    older, newer = make_announced_event(user), make_announced_event(user)
    older.registrations.filter(user=user).update(name="Asha Rahman")
    page = client.get(find_public_page(newer.registrations.get(user=user))).text
    assert get_career(user).name == "Asha"
    assert "as <bdi>Asha Rahman</bdi>" in page


def test_event_is_removed_from_the_page_once_the_player_is_anonymized(user: User) -> None:
    event, other = (make_announced_event(user) for _ in range(2))
    Event.objects.filter(pk=event.pk).update(second_person="off")
    one = event.registrations.get(user=user)
    anonymize_person(one, organizer_of(event), "Asked for it.")
    assert list_event_titles(user) == [other.title]
    one.refresh_from_db()
    assert find_public_page(one) == ""


def test_purging_the_only_event_deletes_the_public_page(user: User) -> None:
    event = make_announced_event(user)
    Event.objects.filter(pk=event.pk).update(second_person="off")
    purge_event(Event.objects.get(pk=event.pk), organizer_of(event), "Over.")
    # No other event needed the account, so it was deleted together with its public page.
    assert not PublicProfile.objects.exists()


def test_erased_person_has_no_page(user: User) -> None:
    event = make_announced_event(user)
    public_id = user.public_profile.public_id
    forget_person(user)
    assert find_profile(public_id) is None
    assert find_public_page(sure(event.registrations.order_by("queue_number").first())) == ""


def test_own_data_contains_the_public_page_settings(user: User) -> None:
    [row] = collect_own_data(user)["tournament.publicprofile"]
    assert row["listed"] is False
    choose_public_page(user, shown=False, listed=False)
    assert "tournament.publicprofile" not in collect_own_data(user)


def test_rating_appears_after_five_matches_and_follows_corrections(user: User) -> None:
    events = [make_announced_event(user, second_person="off") for _ in range(4)]
    assert get_career(user).rating is None
    events.append(make_announced_event(user, second_person="off"))
    before = sure(get_career(user).rating)
    assert before.matches == 5
    table = first_table(Round.objects.get(stage__event=events[0]))
    own = table.seats.get(registration__user=user).number
    points = [0 if n == own else 100 * n + 100 for n in range(4)]
    enter_result(
        table, organizer_of(events[0]), points, "Two sheets were exchanged.", override=True
    )
    after = sure(get_career(user).rating)
    assert after.skill < before.skill


def test_match_with_a_forfeit_does_not_count_for_the_rating(user: User) -> None:
    event = make_event_with_place(user, second_person="off")
    table = first_table(Round.objects.get(stage__event=event))
    table.seats.filter(registration__user=user).update(forfeited=True)
    [results] = results_of_events([event])
    assert make_record(results).matches == ()


def test_figures_count_hands_on_the_site(user: User) -> None:
    event, organizer = make_short_event(4, hand_limit=3, options=UNREACHABLE_TARGET)
    seat_user(event, user)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = play(first_table(played))
    close_round(Round.objects.get(pk=played.pk), organizer)
    announce_winner(Event.objects.get(pk=event.pk), organizer)
    number = match_of(table).seats.get(user=user).number
    hands = match_of(table).hands.filter(void=False, points__isnull=False)
    figures = get_career(user).figures
    assert (figures.hands, figures.won) == (hands.count(), hands.filter(winner=number).count())
    assert figures.hands == 3


def test_query_count_does_not_grow_with_the_number_of_events(client: Client, user: User) -> None:
    counts = []
    for more in (2, 48):
        for _ in range(more):
            make_announced_event(user)
        address = reverse("player-career", args=[user.public_profile.public_id])
        cache.clear()
        with CaptureQueriesContext(connection) as cold:
            assert client.get(address).status_code == 200
        with CaptureQueriesContext(connection) as warm:
            client.get(address)
        counts.append((len(cold), len(warm)))
    assert counts[0] == counts[1]
    assert counts[0][1] <= 4


def test_page_is_linked_from_leaderboard_and_podium_while_it_is_open(
    client: Client, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.web.live.boards.MAX_AGE_SECONDS", 0)
    event = make_announced_event(user)
    address = reverse("player-career", args=[user.public_profile.public_id])
    pages = [reverse(name, args=[event.slug]) for name in ("event-leaderboard", "event-closing")]

    def count_links() -> list[int]:
        return [client.get(page).text.count(f'href="{address}"') for page in pages]

    assert count_links() == [1, 1]
    choose_public_page(user, shown=False, listed=False)
    assert count_links() == [0, 0]


def test_player_whose_name_is_hidden_in_an_event_has_no_link_there(user: User) -> None:
    event = make_announced_event(user)
    own = event.registrations.filter(user=user)
    address = reverse("player-career", args=[user.public_profile.public_id])
    assert find_public_pages(event) == {own.get().pk: address}
    own.update(anonymous=True)
    assert find_public_pages(event) == {}
