"""Tests that a cut outdated by a correction is reported once, on every page of the desk."""

import itertools
from copy import deepcopy

import pytest
from django.test import Client

from tests.factories import make_organizer
from tests.tournament.helpers import (
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.organizing import page, press_button
from tests.typed import sure
from tournament.advancing.services import draw_bracket, preview_cut, qualify
from tournament.corrections.cuts import keep_outdated_cut
from tournament.events.services import change_event
from tournament.hall.queries import bracket, qualifiers
from tournament.models import Event, Registration, Ruling, Stage, Table, User
from tournament.oversight.history_texts import history
from tournament.pure.ranking import draw_lot
from tournament.registration.services import withdraw
from tournament.results.services import enter_result, undo_result
from tournament.results.stages import stage_results
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule, undo_ruling
from tournament.seating.services import publish_round
from tournament.stages.cut import CutRule
from tournament.stages.outdated_cuts import outdated_cut
from tournament.standings.freezing import freeze

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

PAGES = ("desk", "qualify", "bracket")
REASON = "The sheet was upside down."
BANNER = "The results changed after the cut, so the cut no longer matches them."


Cut = tuple[Event, Stage]


@pytest.fixture(scope="module")
def advanced_cut(shared_rows: None) -> Cut:
    """Set up an event in which the top two of each of four tables have advanced."""
    event, organizer = make_organized_event(16, title="Chem Fest")
    return event, make_second_stage(event, organizer, 8)


@pytest.fixture
def cut(advanced_cut: Cut) -> Cut:
    return deepcopy(advanced_cut)


@pytest.fixture
def event(cut: Cut) -> Event:
    return cut[0]


@pytest.fixture
def second_stage(cut: Cut) -> Stage:
    return cut[1]


def get_table(event: Event) -> Table:
    return Table.objects.get(round__stage__event=event, round__stage__number=1, number=1)


def get_seated_player(event: Event, seat: int) -> Registration:
    registration = get_table(event).seats.get(number=seat).registration
    assert registration is not None
    return registration


@pytest.fixture
def corrected_players(event: Event, second_stage: Stage, organizer: User) -> list[Registration]:
    """Reverse the first table's points and return its players by seat."""
    enter_result(get_table(event), organizer, [0, 100, 400, 300], REASON)
    return [get_seated_player(event, seat) for seat in range(4)]


def get_page_text(client: Client, event: Event, name: str) -> str:
    return client.get(page(name, event)).content.decode()


def test_three_pages_name_the_players_affected_by_a_changed_cut(
    client: Client, event: Event, corrected_players: list[Registration]
) -> None:
    found = outdated_cut(event)
    assert found is not None
    assert (set(found.missing), set(found.surplus)) == (
        set(corrected_players[2:]),
        set(corrected_players[:2]),
    )
    for name in PAGES:
        assert BANNER in get_page_text(client, event, name)
        assert found.sentence.split("would now be eliminated: ")[1] in get_page_text(
            client, event, name
        )


def test_cuts_page_has_one_link_to_reopen_the_stage(
    client: Client, event: Event, corrected_players: list[Registration]
) -> None:
    text = get_page_text(client, event, "qualify")
    assert text.count('value="undo"') == 1
    assert text.index(BANNER) < text.index('value="undo"')


def test_cuts_page_marks_actual_and_corrected_qualifiers(
    client: Client, event: Event, corrected_players: list[Registration]
) -> None:
    text = get_page_text(client, event, "qualify")
    assert text.count(">would now miss out<") == 2
    assert text.count(">would now advance<") == 2
    assert text.count(">advances<") == 8


@pytest.mark.parametrize("name", PAGES)
def test_cut_without_a_correction_shows_no_warning(
    client: Client, event: Event, second_stage: Stage, name: str
) -> None:
    assert BANNER not in get_page_text(client, event, name)


def test_correction_that_moves_no_player_across_the_cut_shows_no_warning(
    event: Event, second_stage: Stage, organizer: User
) -> None:
    enter_result(get_table(event), organizer, [390, 300, 200, 100], REASON)
    assert outdated_cut(event) is None


def test_reverted_correction_shows_no_warning(
    event: Event, corrected_players: list[Registration], organizer: User
) -> None:
    undo_result(get_table(event).results.latest("pk"), organizer, "It was right before.")
    assert outdated_cut(event) is None


def test_stage_is_reopened_and_its_players_advance_again(
    client: Client, event: Event, corrected_players: list[Registration], organizer: User
) -> None:
    after = press_button(client, page("qualify", event), "undo", reason=REASON)
    assert "First round (everyone plays) has been reopened." in after
    assert BANNER not in after
    stage = first_stage(event)
    rule = CutRule(Stage.Rule.NUMBER, 8, Stage.Ties.LOTS, 1)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    assert outdated_cut(event) is None


def keep_cut(client: Client, event: Event, **fields: str) -> str:
    found = outdated_cut(event)
    assert found is not None
    keys = {key: ",".join(map(str, value)) for key, value in found.facts.items()}
    return press_button(client, page("qualify", event), "leave", **(keys | fields))


def test_cut_is_kept_with_a_public_reason(
    client: Client, event: Event, corrected_players: list[Registration]
) -> None:
    assert "Say why the cut is being left as it is. Everyone can see the reason." in keep_cut(
        client, event
    )
    after = keep_cut(client, event, reason="All have been told already.")
    assert "The players confirmed earlier still advance." in after
    assert BANNER not in after
    last = history(event).rows[0]
    assert (last.text, last.reason) == (
        "First round (everyone plays): results changed after the cut, but the "
        "players who had advanced stayed the same.",
        "All have been told already.",
    )


def test_later_correction_shows_the_warning_again(
    client: Client, event: Event, corrected_players: list[Registration], organizer: User
) -> None:
    keep_cut(client, event, reason="All have been told already.")
    enter_result(get_table(event), organizer, [0, 350, 400, 100], "Another sheet.")
    found = outdated_cut(event)
    assert found is not None
    assert (found.missing, found.surplus) == ([corrected_players[2]], [corrected_players[0]])


def test_outdated_page_cannot_keep_the_cut(
    client: Client, event: Event, corrected_players: list[Registration], organizer: User
) -> None:
    assert (
        "The results have changed since you opened this page. Review the results again."
        in keep_cut(client, event, out="", reason="All have been told already.")
    )


def test_cut_that_matches_the_results_cannot_be_kept(
    event: Event, second_stage: Stage, organizer: User
) -> None:
    assert (
        get_refusal_code(keep_outdated_cut, event, organizer, {"in": [], "out": []}, "Why not.")
        == "changed"
    )


def test_cut_can_only_be_kept_once_the_next_stage_has_begun(
    client: Client,
    event: Event,
    second_stage: Stage,
    organizer: User,
) -> None:
    start_drafted_round(draw_bracket(second_stage, organizer), organizer)
    enter_result(get_table(event), organizer, [0, 100, 400, 300], REASON)
    text = get_page_text(client, event, "qualify")
    assert "The next stage has begun, so its players stay the same." in text
    banner = text[text.index("outdated-cut") :].split("</section>")[0]
    assert 'value="undo"' not in banner
    assert 'value="leave"' in banner


def test_withdrawal_after_the_cut_does_not_outdate_it(
    event: Event, second_stage: Stage, organizer: User
) -> None:
    enter_result(get_table(event), organizer, [390, 300, 200, 100], REASON)
    withdraw(get_seated_player(event, 0), organizer, "Has an exam.")
    assert outdated_cut(event) is None


def test_penalty_after_the_cut_outdates_it(
    client: Client, event: Event, second_stage: Stage, organizer: User
) -> None:
    best = get_seated_player(event, 0)
    rule(event, organizer, RulingRequest(Ruling.Kind.POINTS, best, points=390), "Unsporting.")
    found = outdated_cut(event)
    assert found is not None
    assert (found.surplus, len(found.missing)) == ([best], 1)
    assert get_refusal_code(draw_and_publish, second_stage, organizer) == "outdated"
    assert BANNER in get_page_text(client, event, "desk")


def draw_and_publish(stage: Stage, organizer: User) -> None:
    publish_round(draw_bracket(stage, organizer), organizer)


@pytest.mark.parametrize("kind", [Ruling.Kind.POINTS, Ruling.Kind.DISQUALIFY])
def test_ruling_undone_after_the_cut_outdates_it(kind: Ruling.Kind) -> None:
    event, organizer = make_organized_event(16)
    stage = play_first_round(event, organizer)
    best = get_seated_player(event, 0)
    rule(event, organizer, RulingRequest(kind, best, points=390), "Unsporting.")
    wanted = CutRule(Stage.Rule.NUMBER, 8, Stage.Ties.LOTS, 1)
    qualify(stage, organizer, wanted, preview_cut(stage_results(stage), wanted).through)
    undo_ruling(Ruling.objects.get(), organizer, "It was somebody else.")
    found = outdated_cut(event)
    assert found is not None
    assert (found.missing, len(found.surplus)) == ([best], 1)


def test_changed_tie_breaks_after_the_cut_outdate_it() -> None:
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    # Only the tie-breaks separate the second players of the tables, who have different shares.
    enter_result(get_table(event), organizer, [310, 300, 0, 0], REASON)
    wanted = CutRule(Stage.Rule.NUMBER, 3, Stage.Ties.LOTS, 1)
    qualify(stage, organizer, wanted, preview_cut(stage_results(stage), wanted).through)
    event.refresh_from_db()
    event.tie_breakers = ["lots"]
    Stage.objects.filter(pk=stage.pk).update(lots_key=find_key_for_other_player(event))
    change_event(event, organizer, ["tie_breakers"])
    found = outdated_cut(event)
    assert found is not None
    assert (len(found.missing), len(found.surplus)) == (1, 1)


def find_key_for_other_player(event: Event) -> str:
    """Return a key whose lots prefer the second player of the second table."""
    tables = Table.objects.filter(round__stage__event=event).order_by("number")
    mine, other = (sure(each.seats.get(number=1).registration_id) for each in tables)
    keys = map(str, itertools.count())
    return next(key for key in keys if draw_lot(key, other) < draw_lot(key, mine))


def test_disqualification_in_the_next_stage_does_not_outdate_the_cut(
    event: Event, second_stage: Stage, organizer: User
) -> None:
    start_drafted_round(draw_bracket(second_stage, organizer), organizer)
    request = RulingRequest(Ruling.Kind.DISQUALIFY, get_seated_player(event, 0))
    rule(event, organizer, request, "Unsporting.")
    other = Table.objects.get(round__stage__event=event, round__stage__number=1, number=2)
    enter_result(other, organizer, [390, 300, 200, 100], REASON)
    assert outdated_cut(event) is None


def test_impossible_cut_rule_shows_no_warning(
    event: Event, corrected_players: list[Registration]
) -> None:
    Stage.objects.filter(event=event, number=1).update(qualify_value=0)
    assert outdated_cut(event) is None


def test_replacement_follows_the_corrected_results_with_a_reason(
    client: Client, event: Event, corrected_players: list[Registration], organizer: User
) -> None:
    withdraw(corrected_players[0], organizer, "Has an exam.")
    coming = event.stages.get(number=2).qualifiers.order_by("seed").last()
    assert coming is not None
    assert coming.registration == corrected_players[2]
    assert str(coming.why) == (
        f"Replaces {corrected_players[0].name}. 1st in the standings. The top 8 advance."
    )
    assert str(coming.why) in get_page_text(client, event, "bracket")


def test_unconfirmed_correction_does_not_outdate_the_cut(
    event: Event, second_stage: Stage, organizer: User
) -> None:
    make_organizer(event)
    enter_result(get_table(event), organizer, [0, 100, 400, 300], REASON)
    assert outdated_cut(event) is None


def test_event_without_a_cut_shows_no_warning() -> None:
    event, organizer = make_organized_event(8)
    assert outdated_cut(event) is None
    play_first_round(event, organizer)
    assert outdated_cut(event) is None


@pytest.mark.usefixtures("corrected_players")
def test_public_list_marks_players_who_advance_only_because_of_the_cut(event: Event) -> None:
    message = [each.note for each in qualifiers(event.stages.get(number=2))]
    still = "Still advances: the cut was made before the results changed."
    found = outdated_cut(event)
    assert found is not None
    assert sum(still in note for note in message) == len(found.surplus) > 0


def test_reasons_in_the_public_list_follow_the_current_results(
    event: Event, second_stage: Stage, organizer: User
) -> None:
    enter_result(get_table(event), organizer, [310, 400, 200, 100], REASON)
    notes = {each.registration: each.note for each in qualifiers(second_stage)}
    assert [notes[get_seated_player(event, seat)] for seat in (0, 1)] == [
        "5th in the standings. The top 8 advance.",
        "4th in the standings. The top 8 advance.",
    ]


@pytest.mark.usefixtures("second_stage")
def test_reasons_in_the_public_list_do_not_change_during_a_freeze(
    event: Event, organizer: User
) -> None:
    freeze(event, organizer)
    before = sure(bracket(Event.objects.get(pk=event.pk))).qualifiers
    enter_result(get_table(event), organizer, [0, 100, 400, 300], REASON)
    after = sure(bracket(Event.objects.get(pk=event.pk))).qualifiers
    assert [each.note for each in after] == [each.note for each in before]
