import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.organizing import page, press_button
from tournament.advancing.playoffs import enter_playoff_order
from tournament.advancing.services import announce_winner, draw_bracket, preview_cut, qualify
from tournament.models import Event, Qualifier, Stage, User
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule, propose_rule

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=16)]

TOP_FOUR = {"qualify_rule": "number", "qualify_value": "4", "cut_ties": "lots", "min_matches": "1"}


def test_standings_show_every_metric_and_the_deciding_tie_break(
    client: Client, event: Event, organizer: User
) -> None:
    play_first_round(event, organizer)
    shown = client.get(page("standings", event)).content.decode()
    assert "Placement" in shown
    assert "on points: 300 to 400." in shown
    first = client.get(page("standings", event), {"stage": "2"}).content.decode()
    assert 'href="?stage=2" aria-current="true"' in first


@pytest.mark.parametrize("name", ["standings", "qualify"])
def test_untitled_stages_are_listed_by_their_default_name(
    client: Client, event: Event, organizer: User, name: str
) -> None:
    play_first_round(event, organizer)
    third = Stage.objects.create(event=event, number=3, format=Stage.Format.BRACKET)
    event.stages.filter(number=2).update(format=Stage.Format.ROUNDS)
    shown = client.get(page(name, event)).content.decode()
    links = dict(re.findall(r'<a [^>]*href="\?stage=(\d)"[^>]*>([^<]*)</a>', shown))
    expected = [each for each in event.stages.all() if name == "standings" or each != third]
    assert links == {str(each.number): each.label for each in expected}


def test_rule_preview_stores_nothing(client: Client, event: Event, organizer: User) -> None:
    play_first_round(event, organizer)
    shown = client.get(page("qualify", event), TOP_FOUR).content.decode()
    assert "4 of 16 players advance." in shown
    assert "Advance these 4 players" in shown
    assert "just missed out" in shown
    assert first_stage(event).qualify_rule == "thresholds"
    assert Qualifier.objects.count() == 0


def test_invalid_rule_is_explained(client: Client, event: Event, organizer: User) -> None:
    play_first_round(event, organizer)
    rule = TOP_FOUR | {"qualify_rule": "share", "qualify_value": "0"}
    shown = client.get(page("qualify", event), rule).content.decode()
    assert "A share must be between 0 and 1" in shown


def test_players_cannot_advance_before_all_rounds_are_closed(client: Client, event: Event) -> None:
    shown = client.get(page("qualify", event), TOP_FOUR).content.decode()
    assert "First round (everyone plays) isn’t over" in shown
    assert "Advance these" not in shown
    heads = re.findall(r"<th scope=.col.[^>]*>([^<]*)</th>", shown)
    assert heads[-2:] == ["Chance of advancing", "If the stage ended now"]


def confirm_top_four(client: Client, event: Event) -> str:
    outcome = client.get(page("qualify", event), TOP_FOUR).context["outcome"]
    through = ",".join(map(str, outcome.through))
    return press_button(
        client, page("qualify", event), "confirm", **TOP_FOUR, through=through, sure="yes"
    )


def test_small_event_defaults_to_the_best_players_of_each_table(
    client: Client, event: Event, organizer: User
) -> None:
    play_first_round(event, organizer)
    response = client.get(page("qualify", event))
    shown = response.content.decode()
    assert "Suggested instead: the top 2 of each table." in shown
    assert "Advance these 8 players" in shown
    assert response.context["form"]["qualify_rule"].value() == "top_k"


def test_small_event_after_several_rounds_defaults_to_top_places(
    client: Client, event: Event, organizer: User
) -> None:
    stage = play_first_round(event, organizer)
    finish_paper_round(start_drafted_round(seat_round(stage, organizer), organizer), organizer)
    response = client.get(page("qualify", event))
    assert response.context["rule"] == CutRule("number", 8, "together", 1)
    assert "Suggested instead: the top 8 players." in response.content.decode()


@pytest.mark.parametrize(("players", "rule"), [(4, "thresholds"), (17, "thresholds")])
def test_one_table_and_large_events_keep_the_turnout_rule(players: int, rule: str) -> None:
    event, organizer = make_organized_event(players)
    stage = play_first_round(event, organizer)
    assert propose_rule(stage_results(stage)).kind == rule


def test_confirmed_rule_stays_the_default(client: Client, event: Event, organizer: User) -> None:
    play_first_round(event, organizer)
    confirm_top_four(client, event)
    press_button(client, page("qualify", event), "undo", reason="A sheet was lost.")
    assert client.get(page("qualify", event)).context["rule"].kind == "number"


def test_unusual_rule_is_flagged_and_needs_confirmation(
    client: Client, event: Event, organizer: User
) -> None:
    play_first_round(event, organizer)
    nobody = TOP_FOUR | {"qualify_rule": "thresholds"}
    shown = client.get(page("qualify", event), nobody).content.decode()
    assert "Only 1 of 3 planned rounds has been played." in shown
    assert "No one would advance. Without a second round, the standings decide." in shown
    shown = press_button(client, page("qualify", event), "confirm", **nobody, through="")
    assert "Read the warnings and confirm that you want to continue." in shown
    assert first_stage(event).state == "open"
    press_button(client, page("qualify", event), "confirm", **nobody, through="", sure="yes")
    assert first_stage(event).state == "closed"


def test_advancing_all_players_is_flagged_as_unusual(
    client: Client, event: Event, organizer: User
) -> None:
    play_first_round(event, organizer)
    shown = client.get(page("qualify", event), TOP_FOUR | {"qualify_value": "16"}).content.decode()
    assert "All 16 players who took part would advance, so no one would be eliminated." in shown


def test_usual_rule_is_not_flagged(client: Client, event: Event, organizer: User) -> None:
    event.stages.filter(number=1).update(rounds_planned=1)
    play_first_round(event, organizer)
    response = client.get(page("qualify", event), TOP_FOUR)
    assert response.context["doubts"] == []
    assert 'name="sure"' not in response.content.decode()


def test_tables_without_a_result_are_listed(client: Client, event: Event, organizer: User) -> None:
    stage = first_stage(event)
    played = start_drafted_round(seat_round(stage, organizer), organizer)
    enter_result(played.tables.get(number=2), organizer, [400, 300, 200, 100])
    shown = client.get(page("qualify", event)).content.decode()
    assert "Round 1 has no results from tables 1, 3, 4." in shown
    close_round(played, organizer, "The hall closes.")
    shown = client.get(page("qualify", event)).content.decode()
    assert "Round 1 has no results from tables 1, 3, 4." in shown


def test_previewed_players_advance(client: Client, event: Event, organizer: User) -> None:
    play_first_round(event, organizer)
    shown = confirm_top_four(client, event)
    assert "4 players advance." in shown
    assert "Final: one table of 4." in shown
    assert Qualifier.objects.count() == 4


def test_stage_is_reopened_with_a_reason(client: Client, event: Event, organizer: User) -> None:
    play_first_round(event, organizer)
    confirm_top_four(client, event)
    address = page("qualify", event)
    assert "Give a reason for reopening the stage." in press_button(client, address, "undo")
    assert "First round (everyone plays) has been reopened." in press_button(
        client, address, "undo", reason="A sheet was lost."
    )


def test_outdated_preview_is_shown_again(client: Client, event: Event, organizer: User) -> None:
    play_first_round(event, organizer)
    shown = press_button(
        client, page("qualify", event), "confirm", **TOP_FOUR, through="1,2", sure="yes"
    )
    assert "The results have changed since this preview was made. Check the new preview." in shown


def test_tie_break_hand_for_the_last_place_is_entered(
    client: Client, event: Event, organizer: User
) -> None:
    play_first_round(event, organizer)
    rule = TOP_FOUR | {"qualify_value": "5", "cut_ties": "hand"}
    response = client.get(page("qualify", event), rule)
    assert (
        "Have these players play one hand, then enter who came first, second and so on."
        in response.content.decode()
    )
    (playoff,) = response.context["playoffs"]
    players = [str(player.pk) for player in playoff["players"]]
    fields: dict[str, Any] = {"player": players, "place": ["1"] * len(players)}
    address = f"{page('qualify', event)}?{urlencode(rule)}"
    shown = press_button(client, address, "playoff", **fields)
    assert "Give each player in the hand a different place." in shown
    fields["place"] = [str(n) for n, _ in enumerate(players, 1)]
    shown = press_button(client, address, "playoff", **fields)
    assert "The finishing order of the tie-break hand has been saved." in shown
    assert "Advance these 5 players" in shown
    assert client.get(address).context["entered"][0]["players"] == playoff["players"]
    fields["place"].reverse()
    press_button(client, address, "playoff", **fields)
    assert client.get(address).context["entered"][0]["players"] == playoff["players"][::-1]
    shown = press_button(client, address, "take-back", player=players)
    assert "The finishing order of the tie-break hand has been removed." in shown
    assert "Have these players play one hand, then enter who came first, second and so on." in shown


def test_closed_stage_offers_no_tie_break_hand(
    client: Client, event: Event, organizer: User
) -> None:
    stage = play_first_round(event, organizer)
    rule = CutRule("number", 5, "hand", 1)
    (playoff,) = preview_cut(stage_results(stage), rule).playoffs
    enter_playoff_order(stage, organizer, playoff.players, rule)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    shown = client.get(page("qualify", event))
    assert (shown.context["playoffs"], shown.context["entered"]) == ([], [])


def test_bracket_shows_the_path_to_the_final(client: Client, event: Event, organizer: User) -> None:
    assert "No one has advanced yet." in client.get(page("bracket", event)).content.decode()
    second = make_second_stage(event, organizer, 8)
    shown = client.get(page("bracket", event)).content.decode()
    assert "Semi-final: 2 tables of 4 (the top 2 of each advance). 4 players advance." in shown
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    draw_bracket(second, organizer)
    shown = client.get(page("bracket", event)).content.decode()
    assert "Semi-final" in shown


def test_bracket_page_says_if_only_one_player_is_left(
    client: Client, event: Event, organizer: User
) -> None:
    left = make_second_stage(event, organizer, 1).qualifiers.get().registration
    only = f"Only {left.name} is left"
    assert f"{only}. Announce the winner" in client.get(page("bracket", event)).content.decode()
    assert f"{only}. Announce the winner." in client.get(page("desk", event)).content.decode()
    assert " won. Everyone can see it now." in press_button(client, page("desk", event), "announce")


def test_withdrawn_qualifier_is_replaced(client: Client, event: Event, organizer: User) -> None:
    second = make_second_stage(event, organizer, 8)
    leaving = second.qualifiers.get(seed=1).registration
    fields = {"registration": leaving.pk, "reason": "Has an exam."}
    shown = press_button(client, page("bracket", event), "withdraw", **fields)
    assert f"{leaving.name} has withdrawn. See below for who steps in." in shown
    assert f"Replaces {leaving.name}. " in shown


def test_tie_break_hand_for_the_next_bracket_round_is_entered(
    client: Client, event: Event, organizer: User
) -> None:
    second = make_second_stage(event, organizer, 8)
    second.cut_ties = "hand"
    second.save()
    played = start_drafted_round(draw_bracket(second, organizer), organizer)
    finish_paper_round(played, organizer, [400, 50, 50, 0])
    playoffs = client.get(page("bracket", event)).context["playoffs"]
    for playoff in playoffs:
        fields = {"player": [str(p.pk) for p in playoff["players"]], "place": ["1", "2"]}
        press_button(client, page("bracket", event), "playoff", **fields)
    assert len(playoffs) == 2
    entered = client.get(page("bracket", event)).context["entered"]
    assert [row["players"] for row in entered] == [row["players"] for row in playoffs]
    assert draw_bracket(second, organizer).is_final
    shown = client.get(page("bracket", event)).content.decode()
    assert "If you change it, the draft is discarded" in shown
    players = [str(p.pk) for p in entered[0]["players"]]
    assert "The finishing order of the tie-break hand has been removed." in press_button(
        client, page("bracket", event), "take-back", player=players
    )
    assert second.rounds.count() == 1
    assert len(client.get(page("bracket", event)).context["playoffs"]) == 1


def test_unneeded_tie_break_hand_is_refused(client: Client, event: Event, organizer: User) -> None:
    make_second_stage(event, organizer, 8)
    shown = press_button(client, page("bracket", event), "playoff", player=["1"], place=["1"])
    assert "There is no tie-break hand to play now." in shown


def test_desk_can_announce_the_winner(client: Client, event: Event, organizer: User) -> None:
    second = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    shown = press_button(client, page("desk", event), "announce")
    assert " won. Everyone can see it now." in shown
    event.refresh_from_db()
    assert event.state == "finished"


def test_announcement_can_be_undone(client: Client, event: Event, organizer: User) -> None:
    second = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    announce_winner(event, organizer)
    shown = press_button(
        client, page("standings", event), "reopen", reason="The final is corrected."
    )
    assert "The announcement has been undone." in shown
