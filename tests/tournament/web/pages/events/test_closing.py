"""Tests of the closing page of an event."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Hand, LoggedAction
from games.templatetags.cards import face
from tests.factories import UNREACHABLE_TARGET
from tests.tournament.helpers import finish_paper_round as closed
from tests.tournament.helpers import (
    first_stage,
    make_finished_final,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.staging import first_table, match_of, organizer_of, play, running_round
from tests.typed import sure
from tournament.events.closing.figures import Figure, figures
from tournament.models import Event, LogAction, Registration, Round
from tournament.oversight.audit import record
from tournament.seating.services import seat_round
from tournament.stages.winners import Podium, podium
from tournament.standings.freezing import freeze

pytestmark = pytest.mark.django_db


def get_closing_address(event: Event) -> str:
    return reverse("event-closing", args=[event.slug])


def finish_event(event: Event) -> Event:
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    return Event.objects.get(pk=event.pk)


@pytest.fixture(scope="module")
def shared_round_id(shared_rows: None) -> int:
    """Provide the id of a round with one table, which has finished its match of three hands."""
    found = running_round(hand_limit=3, options=UNREACHABLE_TARGET)
    play(first_table(found))
    return found.pk


@pytest.fixture
def started_round(shared_round_id: int) -> Round:
    return Round.objects.select_related("stage__event").get(pk=shared_round_id)


@pytest.fixture
def event(started_round: Round) -> Event:
    return finish_event(started_round.stage.event)


def test_podium_is_absent_before_the_winner_is_announced(
    client: Client, started_round: Round
) -> None:
    assert client.get(get_closing_address(started_round.stage.event)).status_code == 404


def test_podium_is_absent_while_places_are_secret(client: Client, started_round: Round) -> None:
    freeze(started_round.stage.event, organizer_of(started_round.stage.event))
    assert (
        client.get(get_closing_address(finish_event(started_round.stage.event))).status_code == 404
    )


def test_podium_is_empty_before_any_play() -> None:
    assert podium(finish_event(make_organized_event(4)[0])) == Podium()


def test_podium_shows_the_first_three_places(client: Client, event: Event) -> None:
    steps = podium(event).steps
    assert steps[0].place == 1
    assert {step.place for step in steps} <= {1, 2, 3}
    assert [step.points for step in steps] == sorted((s.points for s in steps), reverse=True)
    page = client.get(get_closing_address(event)).content.decode()
    assert all(one.name in page for step in steps for one in step.people)


def test_tied_players_share_a_step_and_zero_points_are_omitted(client: Client) -> None:
    page = client.get(get_closing_address(make_finished_final([400, 300, 0, 0]))).content.decode()
    assert page.count('<li class="step-') == 3
    steps = page[page.index('<section class="podium"') :]
    assert re.findall(r'<span class="figures">(.*?)</span>', steps) == ["400 points", "300 points"]


def test_other_finalists_are_named_below_the_podium(client: Client) -> None:
    event = make_finished_final([500, 400, 300, 200, 100])
    first, second = podium(event).also
    page = client.get(get_closing_address(event)).content.decode()
    assert f"Also in the final: <bdi>{first.name}</bdi> and <bdi>{second.name}</bdi>" in page


def test_longest_hand_has_the_most_moves(event: Event, started_round: Round) -> None:
    hands = Hand.objects.all()
    most = max(hands, key=lambda hand: hand.actions.count())
    longest = sure(figures(event).longest)
    assert longest.count == most.actions.count()
    replay = reverse(
        "games:replay", args=[match_of(first_table(started_round)).public_id, most.number]
    )
    assert longest.link == replay


def test_hands_and_moves_are_counted(event: Event) -> None:
    found = figures(event)
    assert found.hands == Hand.objects.filter(ended_at__isnull=False).count()
    assert found.moves == LoggedAction.objects.count()


def test_void_hand_is_not_counted(event: Event) -> None:
    Hand.objects.filter(number=1).update(void=True)
    assert figures(event).hands == 2


def test_player_with_most_draw_four_cards_is_named(event: Event, started_round: Round) -> None:
    LoggedAction.objects.filter(action__play="W+4").update(action={"play": "R5"})
    assert figures(event).draws is None
    hand = Hand.objects.get(number=2)
    first, second = hand.actions.order_by("number")[:2]
    LoggedAction.objects.filter(pk__in=[first.pk, second.pk]).update(
        action={"play": "W+4", "color": "R"}, player=0
    )
    record(event, organizer_of(event), LogAction.CORRECT, lambda: "Looked again.")
    seat = first_table(started_round).seats.get(number=hand.players[0])
    assert figures(event).draws == Figure(2, (sure(seat.registration_id),))


def test_player_with_most_hands_won_is_named(event: Event, started_round: Round) -> None:
    won = [int(sure(hand.winner)) for hand in Hand.objects.filter(winner__isnull=False)]
    found = sure(figures(event).hands_won)
    assert found.count == max(won.count(seat) for seat in won)
    seats = {seat.registration_id: seat.number for seat in first_table(started_round).seats.all()}
    assert all(won.count(seats[pk]) == found.count for pk in found.whose)


def test_biggest_comeback_is_the_largest_deficit_of_a_winner(
    event: Event, started_round: Round
) -> None:
    winner = podium(event).steps[0].people[0]
    seat = first_table(started_round).seats.get(registration=winner).number
    other = (seat + 1) % 4
    totals = [[0] * 4 for _ in range(3)]
    totals[0][other], totals[1][seat], totals[2][seat] = 120, 20, 400
    for number, points in enumerate(totals, 1):
        Hand.objects.filter(number=number).update(points=points)
    record(event, organizer_of(event), LogAction.CORRECT, lambda: "Looked again.")
    found = sure(figures(event).comeback)
    assert (found.count, found.whose) == (120, (winner.pk,))


def test_winner_who_was_never_behind_has_no_comeback(event: Event, started_round: Round) -> None:
    winner = podium(event).steps[0].people[0]
    seat = first_table(started_round).seats.get(registration=winner).number
    Hand.objects.update(points=[100 if number == seat else 0 for number in range(4)])
    record(event, organizer_of(event), LogAction.CORRECT, lambda: "Looked again.")
    assert figures(event).comeback is None


def test_figures_are_recomputed_only_after_a_recorded_change(event: Event) -> None:
    before = figures(event)
    Hand.objects.filter(number=1).update(void=True)
    assert figures(event) == before
    record(event, organizer_of(event), LogAction.CORRECT, lambda: "Looked again.")
    assert figures(event).hands == before.hands - 1


def test_paper_event_has_a_podium_without_figures(client: Client) -> None:
    event, organizer = make_organized_event(4)
    closed(start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer)
    page = client.get(get_closing_address(finish_event(event))).content.decode()
    assert "The event in numbers" not in page
    assert "Podium" in page


def test_anonymized_players_are_not_named_in_figures(client: Client, event: Event) -> None:
    Registration.objects.update(anonymous=True)
    response = client.get(get_closing_address(event))
    assert [best.people for best in response.context["bests"]] == [[]] * len(
        response.context["bests"]
    )


def test_each_player_has_a_shareable_picture(client: Client, event: Event) -> None:
    one = podium(event).steps[0].people[0]
    picture = reverse("player-picture", args=[event.slug, one.queue_number])
    assert picture not in client.get(get_closing_address(event)).content.decode()
    player = reverse("event-player", args=[event.slug, one.queue_number])
    assert f'href="{picture}" download' in client.get(player).content.decode()
    client.force_login(one.user)
    assert f'src="{picture}"' in client.get(get_closing_address(event)).content.decode()


def test_winner_is_shown_with_their_table_avatar(client: Client, event: Event) -> None:
    won = podium(event).steps[0].people[0]
    page = client.get(reverse("event", args=[event.slug])).content.decode()
    assert f'<p class="winner-faces">{face(won.name, won.user_id)}</p>' in page


def test_finished_event_pages_link_to_the_closing_page(client: Client, event: Event) -> None:
    for name in ("event", "event-leaderboard", "event-tables"):
        page = client.get(reverse(name, args=[event.slug])).content.decode()
        assert f'href="{get_closing_address(event)}"' in page


def test_query_count_is_independent_of_tables(client: Client) -> None:
    def count_queries(players: int) -> int:
        played = running_round(players, hand_limit=1)
        for table in played.tables.all():
            play(table)
        event = finish_event(played.stage.event)
        with CaptureQueriesContext(connection) as captured:
            client.get(get_closing_address(event))
        return len(captured)

    assert count_queries(8) == count_queries(4)
