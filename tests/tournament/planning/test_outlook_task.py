"""Tests of the chances to advance that the worker computes for the leaderboard and the desk."""

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from games.rules.ruleset.rulesets import OptionError
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.organizing import page
from tests.tournament.staging import play
from tests.typed import sure
from tournament.advancing.services import draw_bracket, preview_cut, qualify
from tournament.models import Event, Forecast, Stage, Table, TableSeat, User
from tournament.planning import outlook_task
from tournament.planning.qualification_odds import describe_chance, load_outlook, load_standing
from tournament.pure.simulation.hands import HandPool
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.seating.services import seat_round
from tournament.stages.cut import rule_of
from tournament.standings import freezing
from tournament.web.live.boards import read_news

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def simulate_few_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.pure.simulation.hands.HANDS_PER_SIZE", 10)
    monkeypatch.setattr("tournament.pure.simulation.matches.POOL_SIZE", 10)
    monkeypatch.setattr("tournament.pure.simulation.chances.ENDINGS", 20)


@pytest.fixture
def organizer() -> User:
    return make_organized_event(8, hand_limit=2)[1]


@pytest.fixture
def event(organizer: User) -> Event:
    event = Event.objects.get()
    rule = {"qualify_rule": "number", "qualify_value": 3, "rounds_planned": 1}
    Stage.objects.filter(event=event, number=1).update(**rule)
    return event


def start_first_round(event: Event, organizer: User, *, paper: bool = True) -> list[Table]:
    """Start the first round and return its two tables."""
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=paper)
    event.refresh_from_db()
    return list(played.tables.order_by("number"))


def test_no_chances_are_shown_before_a_round_starts(event: Event) -> None:
    outlook_task.update_chances()
    assert not Forecast.objects.exists()
    assert load_standing(event, public=True) is None


def test_every_player_has_a_chance_during_a_round(event: Event, organizer: User) -> None:
    start_first_round(event, organizer, paper=False)
    outlook_task.update_chances()
    found = load_outlook(event, public=True)
    assert found is not None
    assert (found.stage, len(found.shares)) == (1, 8)
    assert sum(found.shares.values()) >= 3


def test_chances_change_only_when_points_are_entered(event: Event, organizer: User) -> None:
    first, _second = start_first_round(event, organizer)
    outlook_task.update_chances()
    before = list(event.forecasts.values_list("ticket", "answered_at"))
    outlook_task.update_chances()
    assert list(event.forecasts.values_list("ticket", "answered_at")) == before
    enter_result(first, organizer, [900, 800, 700, 0], "On paper.", override=True)
    outlook_task.update_chances()
    found = load_outlook(event, public=False)
    assert found is not None
    best = first.seats.get(number=0).registration_id
    assert (found.shares[best], describe_chance(found.shares[best]).key) == (1.0, "safe")  # type: ignore[index, union-attr]
    last = first.seats.get(number=3).registration_id
    assert describe_chance(found.shares[last]).text == "eliminated"  # type: ignore[index, union-attr]


def test_leaderboard_and_desk_show_chances_and_the_cut_line(
    client: Client, event: Event, organizer: User
) -> None:
    first, _second = start_first_round(event, organizer)
    enter_result(first, organizer, [900, 800, 700, 0], "On paper.", override=True)
    outlook_task.update_chances()
    public = client.get(f"/e/{event.slug}/leaderboard/").content.decode()
    assert public.count('class="badge chance safe"') == 3
    assert public.count("last-place") == 1
    assert "3 of 8 players advance. Table 2 is still playing." in public
    assert "Players above the line would currently advance." in public
    client.force_login(organizer)
    for name in ("standings", "qualify"):
        assert client.get(page(name, event)).content.decode().count("badge chance safe") == 3


def test_cut_line_and_marks_stay_until_the_organizers_confirm(
    client: Client, event: Event, organizer: User
) -> None:
    first, second = start_first_round(event, organizer)
    enter_result(first, organizer, [900, 800, 700, 0], "On paper.", override=True)
    outlook_task.update_chances()
    enter_result(second, organizer, [10, 0, 0, 0], "On paper.", override=True)
    expected = "3 of 8 players advance. The organizers still have to confirm who advances."
    # The text is checked immediately, before the worker has run again, and once more afterwards.
    for _moment in range(2):
        public = client.get(f"/e/{event.slug}/leaderboard/").text
        assert expected in public
        assert public.count("last-place") == 1
        assert public.count('class="badge chance safe">safe') == 3
        assert public.count('class="badge chance out">eliminated') == 5
        outlook_task.update_chances()
    close_round(first.round, organizer)
    assert expected in client.get(f"/e/{event.slug}/leaderboard/").text
    stage = first_stage(event)
    rule = rule_of(stage)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    public = client.get(f"/e/{event.slug}/leaderboard/").text
    assert "would advance" not in public
    assert "last-place" not in public
    assert public.count(">still in<") == 3


def test_mark_that_seems_to_contradict_the_cut_line_is_explained(
    client: Client, event: Event, organizer: User
) -> None:
    first, second = start_first_round(event, organizer)
    enter_result(first, organizer, [900, 800, 700, 0], "On paper.", override=True)
    outlook_task.update_chances()
    done, playing = (
        [sure(seat.registration_id) for seat in each.seats.all()] for each in (first, second)
    )
    # Within a table, a better place means a better chance.
    shares = dict.fromkeys(map(str, done), 0.0) | dict.fromkeys(map(str, playing), 1.0)
    forecast = event.forecasts.get(kind="public")
    Forecast.objects.filter(pk=forecast.pk).update(answer={"stage": 1, "shares": shares})
    board = read_news(event).board
    above = [row for row in board.rows[: board.cut] if row.registration.pk in done]
    below = [row for row in board.rows[board.cut :] if row.registration.pk in playing]
    begins = ["Above the line for now. But play"] * len(above)
    begins += ["Below the line for now. But play"] * len(below)
    message = [sure(row.chance).why for row in board.rows if sure(row.chance).why]
    assert above
    assert below
    assert [why[: len(begins[0])] for why in message] == begins
    page = client.get(f"/e/{event.slug}/leaderboard/").text
    assert page.count("<summary class=") == len(begins)


def test_spot_of_a_withdrawn_player_passes_to_the_next_player(
    event: Event, organizer: User
) -> None:
    first, second = start_first_round(event, organizer)
    enter_result(first, organizer, [900, 800, 700, 600], "On paper.", override=True)
    enter_result(second, organizer, [0, 0, 0, 0], "On paper.", override=True)
    event.registrations.filter(seats__table=first, seats__number=0).update(state="withdrawn")
    board = read_news(event).board
    assert board.cut == 4
    assert [row.chance and row.chance.key for row in board.rows][:5] == [
        None,
        *["safe"] * 3,
        "out",
    ]


def test_public_sees_no_chances_while_places_are_revealed(event: Event, organizer: User) -> None:
    first, _second = start_first_round(event, organizer)
    enter_result(first, organizer, [900, 800, 700, 0], "On paper.", override=True)
    outlook_task.update_chances()
    freezing.freeze(event, organizer)
    assert load_outlook(Event.objects.get(), public=True) is not None
    assert read_news(Event.objects.get()).board.line
    freezing.reveal(Event.objects.get(), organizer)
    assert load_outlook(Event.objects.get(), public=True) is None
    assert not read_news(Event.objects.get()).board.line
    assert load_outlook(Event.objects.get(), public=False) is not None


def test_results_after_a_freeze_do_not_change_the_public_chances(
    event: Event, organizer: User
) -> None:
    first, _second = start_first_round(event, organizer)
    freezing.freeze(event, organizer)
    enter_result(first, organizer, [900, 800, 700, 0], "On paper.", override=True)
    outlook_task.update_chances()
    event.refresh_from_db()
    public, desk = load_outlook(event, public=True), load_outlook(event, public=False)
    assert public is not None
    assert desk is not None
    best = first.seats.get(number=0).registration_id
    assert public.shares[best] < desk.shares[best] == 1.0  # type: ignore[index]


def test_standings_replace_chances_once_all_matches_are_played(
    event: Event, organizer: User
) -> None:
    first, _second = start_first_round(event, organizer)
    outlook_task.update_chances()
    finish_paper_round(first.round, organizer)
    outlook_task.update_chances()
    assert not Forecast.objects.exists()


def make_partners_event(organizer: User, **stage: object) -> Event:
    """Create an event with four players whose partners rotate over three rounds.

    Two players advance.
    """
    event = Event.objects.get()
    event.registrations.filter(queue_number__gt=4).delete()
    Event.objects.update(options={"partners": True})
    rule = {"rotation": True, "rounds_planned": 3, "qualify_rule": "number", "qualify_value": 2}
    Stage.objects.filter(number=1).update(**rule, **stage)
    return Event.objects.get()


def test_rotating_partners_have_chances_from_their_future_seats(
    organizer: User,
) -> None:
    event = make_partners_event(organizer)
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    event.refresh_from_db()
    standing = load_standing(event, public=False)
    assert standing is not None
    here = sorted(event.registrations.values_list("pk", flat=True))
    assert (standing.rounds, standing.tables) == (0, ())
    assert [sorted(table) for tables in standing.coming for table in tables] == [here] * 2
    pairs = [{frozenset(t[::2]), frozenset(t[1::2])} for tables in standing.coming for t in tables]
    assert pairs[0] != pairs[1]
    outlook_task.update_chances()
    found = load_outlook(event, public=False)
    assert found is not None
    assert sorted(found.shares) == here


def test_partners_with_unknown_rotation_have_no_chances(organizer: User) -> None:
    event = make_partners_event(organizer)
    played = finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    played.seating = replace(played.seating, order=())
    played.save(update_fields=["seating"])
    assert load_standing(Event.objects.get(), public=False) is None


def test_bracket_tree_shows_the_chances_to_advance(
    client: Client, event: Event, organizer: User
) -> None:
    second = make_second_stage(event, organizer, 8)
    semi = start_drafted_round(draw_bracket(second, organizer), organizer)
    first, last = semi.tables.order_by("number")
    enter_result(first, organizer, [900, 800, 700, 0], "On paper.", override=True)
    outlook_task.update_chances()
    event.refresh_from_db()
    found = load_outlook(event, public=True)
    assert found is not None
    assert found.stage == 2
    seats = list(first.seats.order_by("number").values_list("registration", flat=True))
    assert [found.shares[pk] for pk in seats] == [1.0, 1.0, 0.0, 0.0]
    page = client.get(f"/e/{event.slug}/bracket/").text
    assert page.count('class="badge chance safe"') == 2
    assert page.count('class="badge chance') == 8
    assert "chance of advancing as of" in page
    client.force_login(organizer)
    desk = client.get(reverse("admin:event-bracket", args=[event.pk])).text
    assert desk.count('class="badge chance safe"') == 2
    assert "chance of advancing as of" in desk
    enter_result(last, organizer, [900, 800, 700, 0], "On paper.", override=True)
    outlook_task.update_chances()
    assert not Forecast.objects.exists()


def test_player_who_forfeited_cannot_advance_from_that_table(event: Event, organizer: User) -> None:
    second = make_second_stage(event, organizer, 8)
    semi = start_drafted_round(draw_bracket(second, organizer), organizer)
    Event.objects.update(forfeits=Event.Forfeits.KEPT)
    first, last = semi.tables.order_by("number")
    lost = [table.seats.get(number=0).registration_id for table in (first, last)]
    TableSeat.objects.filter(registration__in=lost).update(forfeited=True)
    enter_result(first, organizer, [900, 800, 700, 0], "On paper.", override=True)
    outlook_task.update_chances()
    event.refresh_from_db()
    found = load_outlook(event, public=True)
    assert found is not None
    assert not {*lost} & {*found.shares}
    seats = first.seats.exclude(number=0).order_by("number").values_list("registration", flat=True)
    assert [found.shares[pk] for pk in seats] == [1.0, 1.0, 0.0]
    assert sum(found.shares.values()) == pytest.approx(4)


@pytest.mark.parametrize(("forfeits", "lost"), [("nothing", (0,)), ("kept", ())])
def test_points_of_a_forfeited_match_follow_the_event_setting(
    event: Event, organizer: User, forfeits: str, lost: tuple[int, ...]
) -> None:
    first, _second = start_first_round(event, organizer)
    Event.objects.update(forfeits=forfeits)
    first.seats.filter(number=0).update(forfeited=True)
    standing = load_standing(Event.objects.get(), public=True)
    assert standing is not None
    assert [table.lost for table in standing.tables] == [lost, ()]


def test_viewer_delay_does_not_change_the_shown_chances(event: Event, organizer: User) -> None:
    second = make_second_stage(event, organizer, 8)
    Event.objects.update(viewers="delayed", viewer_delay_seconds=600, hand_limit=1)
    second.refresh_from_db()
    semi = start_drafted_round(draw_bracket(second, organizer), organizer, paper=False)
    outlook_task.update_chances()
    before = load_outlook(Event.objects.get(), public=True)
    first = play(semi.tables.get(number=1))
    outlook_task.update_chances()
    assert load_outlook(Event.objects.get(), public=True) == before
    desk = load_outlook(Event.objects.get(), public=False)
    assert desk is not None
    here = first.seats.values_list("registration", flat=True)
    assert max(desk.shares[pk] for pk in here if pk) == 1.0


def test_final_shows_no_chances_to_advance(event: Event, organizer: User) -> None:
    second = make_second_stage(event, organizer, 4)
    start_drafted_round(draw_bracket(second, organizer), organizer)
    outlook_task.update_chances()
    assert not Forecast.objects.exists()


def test_rule_that_advances_no_players_shows_no_chances(event: Event, organizer: User) -> None:
    Stage.objects.filter(number=1).update(qualify_rule="thresholds", thresholds="100: 8")
    start_first_round(event, organizer)
    outlook_task.update_chances()
    assert load_outlook(event, public=False) is None


def test_rules_that_cannot_be_simulated_show_no_chances(
    event: Event, organizer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object) -> None:
        raise OptionError("no", "No.")

    start_first_round(event, organizer)
    monkeypatch.setattr(HandPool, "list_hands", refuse)
    outlook_task.update_chances()
    assert load_outlook(event, public=False) is None


@pytest.mark.parametrize(
    ("share", "expected"),
    [(1.0, "safe"), (0.997, "safe"), (0.99, "95%"), (0.006, "5%"), (0, "eliminated")],
)
def test_chance_is_shown_in_words_or_in_steps_of_five_percent(share: float, expected: str) -> None:
    found = describe_chance(share)
    assert found is not None
    assert found.text == expected
    assert describe_chance(None) is None
