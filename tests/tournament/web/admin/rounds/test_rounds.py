import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import services as games
from tests.factories import give_role, make_organizer, make_user
from tests.tournament.helpers import (
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.organizing import answer_waiting_step, page, press_button
from tests.tournament.staging import match_of
from tournament.advancing.services import draw_bracket
from tournament.models import Event, Round, Table, User
from tournament.registration.services import register, withdraw
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round, seat_round

pytestmark = pytest.mark.django_db


def test_round_is_drawn_reviewed_published_and_started(client: Client, event: Event) -> None:
    stage = first_stage(event)
    shown = client.get(page("rounds", event)).content.decode()
    assert "Draw seats for round 1" in shown
    shown = press_button(client, page("rounds", event), "draw", stage=stage.pk)
    played = Round.objects.get()
    assert (
        "Only organizers can see this draft. Review it, make any changes, and publish it. "
        "Players will then see their seats." in shown
    )
    assert "Why here?" in shown
    shown = press_button(client, page("round", event, played.pk), "publish")
    assert "Players can see their seats." in shown
    shown = press_button(client, page("round", event, played.pk), "start")
    assert "Round 1 has started." in shown
    assert "0 of 2 tables have finished." in shown
    assert [table.match.phase for table in played.tables.all() if table.match] == ["playing"] * 2


def test_seat_draw_is_not_offered_without_players(organizer: User, client: Client) -> None:
    empty = make_organized_event(0)[0]
    give_role(empty, organizer)
    assert "Draw the seats" not in client.get(page("rounds", empty)).content.decode()
    assert "Draw the seats" not in client.get(page("desk", empty)).content.decode()


def test_player_sees_the_reason_for_their_seat(
    client: Client, event: Event, drafted_round: Round
) -> None:
    who = list_seated(drafted_round)[0][0]
    address = page("round", event, drafted_round.pk)
    shown = client.get(address, {"why": who}).content.decode()
    assert "The best alternative, table 2 (swapping with" in shown
    assert client.get(address, {"why": "99999"}).status_code == 200
    assert client.get(address, {"why": "x"}).status_code == 200


def test_seats_can_be_changed_manually_and_broken_rules_are_listed(
    client: Client, event: Event, drafted_round: Round
) -> None:
    (one, *_), (other, *_) = list_seated(drafted_round)
    address = page("round", event, drafted_round.pk)
    shown = press_button(client, address, "change", player=one, target=f"swap:{other}")
    assert "has been moved." in shown
    assert list_seated(drafted_round)[0][0] == other
    shown = press_button(client, address, "change", player=one, target="new")
    assert "Table 3" in shown
    assert "rule-hard" in shown
    assert "Table 3 has 1 player;" in press_button(client, address, "publish")


def test_seat_change_without_a_target_is_explained(
    client: Client, event: Event, drafted_round: Round
) -> None:
    address = page("round", event, drafted_round.pk)
    shown = press_button(
        client, address, "change", player=list_seated(drafted_round)[0][0], target=""
    )
    assert "Choose where to seat the player." in shown
    assert "Choose the player to move and where to move them." in press_button(
        client, address, "change", player=""
    )
    assert client.post(address, {"action": "change", "player": "x"}).status_code == 404


def test_seats_are_adjusted_to_late_players_and_no_shows(
    client: Client, event: Event, drafted_round: Round
) -> None:
    late = register(event, make_user(), roll_number="LATE", name="Late Player")
    address = page("round", event, drafted_round.pk)
    assert "A player joined or left" in client.get(address).content.decode()
    assert "The seats have been adjusted." in press_button(client, address, "repair")
    assert late.pk in [pk for table in list_seated(drafted_round) for pk in table]


def test_round_is_unpublished_with_a_reason(
    client: Client, event: Event, organizer: User, drafted_round: Round
) -> None:
    publish_round(drafted_round, organizer)
    address = page("round", event, drafted_round.pk)
    assert "The seats have been published, so say why they are being withdrawn." in press_button(
        client, address, "unpublish"
    )
    shown = press_button(client, address, "unpublish", reason="Two more came.")
    assert "is a draft again." in shown


def test_table_can_play_with_physical_cards(
    client: Client, event: Event, organizer: User, drafted_round: Round
) -> None:
    table = drafted_round.tables.get(number=1)
    address = page("round", event, drafted_round.pk)
    assert "Table 1 has switched to physical cards." in press_button(
        client, address, "paper", table=table.pk, paper="yes"
    )
    assert "is already set to use physical cards." in press_button(
        client, address, "paper", table=table.pk, paper="yes"
    )
    publish_round(drafted_round, organizer)
    press_button(client, address, "start")
    table.refresh_from_db()
    assert (table.paper, table.match) == (True, None)


@pytest.fixture
def started_round(event: Event, organizer: User, drafted_round: Round) -> Round:
    return start_drafted_round(drafted_round, organizer, paper=False)


def test_control_room_lists_every_table(client: Client, event: Event, started_round: Round) -> None:
    shown = client.get(page("control", event)).content.decode()
    for table in started_round.tables.select_related("match"):
        assert table.match is not None
        assert f'href="/m/{table.match.public_id}/"' in shown
        for seat in table.seats.all():
            assert str(seat) in shown
    assert shown.count('<td class="number hand">1</td>') == 2
    assert shown.count("not here yet</small>") == 8


def test_control_room_reveals_no_cards(client: Client, event: Event, started_round: Round) -> None:
    match = started_round.tables.select_related("match")[0].match
    assert match is not None
    shown = client.get(page("control", event)).content.decode()
    assert match.hands.all()[0].deals.current.secret.hex() not in shown
    assert "deck" not in shown
    assert "draw_pile" not in shown


def test_control_room_tables_refresh_automatically(
    client: Client, event: Event, started_round: Round
) -> None:
    part = client.get(page("control", event), {"part": ""}).content.decode()
    line = '<p class="progress-line" id="called" data-called="0">0 of 2 tables have finished.'
    assert part.strip().startswith(f"{line} No new hand")
    assert "<html" not in part


def test_control_room_query_count_is_independent_of_tables(
    client: Client, event: Event, started_round: Round
) -> None:
    large, organizer = make_organized_event(16, hand_limit=1)
    give_role(large, event.organizers.get())
    start_drafted_round(seat_round(first_stage(large), organizer), organizer, paper=False)

    def count_queries(which: Event) -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(page("control", which), {"part": ""})
        return len(captured)

    assert count_queries(event) == count_queries(large) <= 15


def test_tables_can_be_paused_and_resumed(
    client: Client, event: Event, started_round: Round
) -> None:
    address, first = page("control", event), started_round.tables.get(number=1)
    assert "2 tables paused." in press_button(client, address, "pause", round=started_round.pk)
    assert "1 table resumed." in press_button(
        client, address, "resume", round=started_round.pk, table=first.pk
    )
    paused = [table.match.paused for table in started_round.tables.all() if table.match]
    assert paused == [False, True]


def test_match_is_abandoned_with_a_reason(
    client: Client, event: Event, started_round: Round
) -> None:
    table = started_round.tables.get(number=1)
    address, fields = page("control", event), {"round": started_round.pk, "table": table.pk}
    assert "Choose a table." in press_button(client, address, "abandon", round=started_round.pk)
    assert "Say why the match is being abandoned. The players will read it." in press_button(
        client, address, "abandon", **fields
    )
    shown = press_button(client, address, "abandon", **fields, reason="The fire alarm went off.")
    assert "has been abandoned." in shown
    assert "Abandoned: The fire alarm went off. This match doesn’t count." in shown
    shown = client.get(page("table", event, table.pk)).content.decode()
    assert (
        "The match was abandoned: The fire alarm went off. None of its points count, but" in shown
    )
    assert "Give extra time" not in shown


def test_u45_organizer_can_give_extra_time_to_one_or_all_players(
    client: Client, event: Event, started_round: Round
) -> None:
    table = started_round.tables.filter(match__isnull=False)[0]
    assert table.match is not None
    seat = table.seats.get(number=1)
    address = page("table", event, table.pk)
    assert "Extra time" in client.get(address).content.decode()
    assert 'name="seen" value="0"' in client.get(address).content.decode()
    shown = press_button(client, address, "time", seat=seat.pk, seconds=15, seen=0)
    assert (
        "Extra time has been given at this table since you opened this page. Check below how "
        "much each player now has." in press_button(client, address, "time", seconds=15, seen=0)
    )
    assert f"{seat} now has more time for each turn." in shown
    assert "+15 s" in shown
    shown = press_button(client, address, "time", seat="", seconds=20, seen=15)
    assert "Everyone now has more time for each turn." in shown
    given = list(table.match.seats.order_by("number").values_list("extra_seconds", flat=True))
    assert given == [20, 35, 20, 20]
    shown = press_button(client, address, "time", seat="", seconds="soon")
    assert "Enter the seconds as a whole number." in shown
    shown = press_button(client, address, "time", seat="", seconds=9999)
    assert "Extra time per turn must be 5–600 seconds." in shown


def test_round_can_be_closed_from_the_control_room(
    client: Client, event: Event, started_round: Round
) -> None:
    address = page("control", event)
    shown = press_button(client, address, "close", round=started_round.pk)
    assert "Tables 1, 2 have no results yet." in shown
    for table in started_round.tables.select_related("match"):
        games.play_out(match_of(table))
    assert "Round 1 is closed." in press_button(client, address, "close", round=started_round.pk)


def test_rounds_of_other_events_are_inaccessible(client: Client, event: Event) -> None:
    elsewhere, other = make_organized_event(4)
    theirs = start_drafted_round(seat_round(first_stage(elsewhere), other), other)
    response = client.post(page("control", event), {"action": "close", "round": theirs.pk})
    assert response.status_code == 404
    theirs.refresh_from_db()
    assert theirs.state == "running"


def test_points_are_not_requested_during_play(
    client: Client, event: Event, started_round: Round
) -> None:
    table = started_round.tables.get(number=1)
    shown = client.get(page("table", event, table.pk)).content.decode()
    assert "This table is playing on the site" in shown
    assert 'name="points"' not in shown
    games.play_out(match_of(table))
    shown = client.get(page("table", event, table.pk)).content.decode()
    assert "This table is playing on the site" not in shown
    assert 'name="points"' in shown


@pytest.fixture
def paper_table(event: Event, organizer: User, drafted_round: Round) -> Table:
    """Start the round with physical cards and at most four hands, and return its first table."""
    event.hand_limit = 4
    event.save()
    return start_drafted_round(drafted_round, organizer).tables.get(number=1)


def test_points_of_a_paper_table_can_be_entered(
    client: Client, event: Event, paper_table: Table
) -> None:
    address = page("table", event, paper_table.pk)
    assert "Enter points" in client.get(address).content.decode()
    shown = press_button(client, address, "enter", points=["90", "0", "400", "15"])
    assert "The points have been saved and now count." in shown
    assert paper_table.results.get().points == [90, 0, 400, 15]


def test_correction_effects_are_previewed(client: Client, event: Event, paper_table: Table) -> None:
    address = page("table", event, paper_table.pk)
    press_button(client, address, "enter", points=["90", "0", "400", "15"])
    fields = {"points": ["400", "0", "90", "15"], "reason": "Rows were swapped."}
    shown = press_button(client, address, "preview", **fields)
    best = paper_table.seats.get(number=0)
    assert f"<bdi>{best}</bdi>: place 2 → 1" in shown
    assert '<td class="number">90</td><td class="number"><strong>400</strong></td>' in shown
    assert f"{best} would win the table instead of" in shown
    assert paper_table.results.count() == 1
    press_button(client, address, "enter", **fields)
    assert paper_table.results.all()[0].points == [400, 0, 90, 15]
    shown = press_button(
        client, address, "undo", result=paper_table.results.all()[0].pk, reason="It was right."
    )
    assert "Entry undone. The earlier result counts again." in shown


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (["90", "0", "x", "15"], "Enter a whole number of points for every seat."),
        (["90", "0", "400"], "The table has 4 seats, but points were entered for 3."),
        (["400", "0", "400", "15"], "Only one player can have reached the target"),
        (["-1", "0", "400", "15"], "Points cannot be negative."),
    ],
)
def test_invalid_points_are_explained(
    client: Client, event: Event, paper_table: Table, points: list[str], sentence: str
) -> None:
    address = page("table", event, paper_table.pk)
    assert sentence in press_button(client, address, "enter", points=points)
    response = client.post(address, {"action": "preview", "points": points})
    assert (response.status_code, sentence in response.content.decode()) == (422, True)
    assert paper_table.results.count() == 0


def test_impossible_card_points_are_questioned_with_the_input_kept(
    client: Client, event: Event, paper_table: Table
) -> None:
    address, typed = page("table", event, paper_table.pk), ["300", "300", "300", "301"]
    Event.objects.filter(pk=event.pk).update(hand_limit=2)
    assert 'name="override"' not in client.get(address).text
    response = client.post(address, {"action": "enter", "points": typed})
    assert response.status_code == 422
    assert "these totals would take 4 hands" in response.text
    assert 'name="override" value="yes">' in response.text
    assert [f'name="points" value="{given}"' in response.text for given in typed] == [True] * 4
    shown = press_button(client, address, "enter", points=typed, override="yes")
    assert "Give a reason for counting these points anyway" in shown
    assert 'name="override" value="yes" checked>' in shown
    shown = press_button(
        client, address, "enter", points=typed, override="yes", reason="All agreed."
    )
    assert "The points have been saved and now count." in shown
    assert "no cards add up to these points" in shown
    assert "All agreed." in shown


def test_impossible_card_points_can_be_confirmed_in_a_correction_preview(
    client: Client, event: Event, paper_table: Table
) -> None:
    address, fields = page("table", event, paper_table.pk), {"points": ["1", "1", "1", "1"]}
    Event.objects.filter(pk=event.pk).update(hand_limit=2)
    press_button(client, address, "enter", points=["90", "0", "0", "15"])
    fields |= {"reason": ["All agreed."], "override": ["yes"]}
    shown = press_button(client, address, "preview", **fields)
    assert "Consequences" in shown
    assert 'name="override" value="yes" checked>' in shown
    press_button(client, address, "enter", **fields)
    assert paper_table.results.all()[0].overridden


def test_second_organizer_confirms_a_correction(
    client: Client, event: Event, paper_table: Table
) -> None:
    Event.objects.filter(pk=event.pk).update(second_person="all")
    second = make_organizer(event)
    address, waits = page("table", event, paper_table.pk), page("waiting", event)
    assert "Switch to the site" in client.get(address).content.decode()
    shown = press_button(client, address, "enter", points=["90", "0", "400", "15"])
    assert "Waiting for a second organizer" in shown
    assert "Switch to the site" not in shown
    asked = event.proposals.get().pk
    shown = press_button(client, waits, "confirm", proposal=asked)
    assert "You can’t confirm your own request" in shown
    client.force_login(second)
    assert "1 request is waiting for a second organizer" in client.get(page("control", event)).text
    assert "Confirmed and done." in answer_waiting_step(client, event, "confirm")
    assert paper_table.results.get().confirmed_by == second


def test_no_adjustment_is_suggested_after_a_manual_change(
    client: Client, event: Event, drafted_round: Round
) -> None:
    address = page("round", event, drafted_round.pk)
    for who in list_seated(drafted_round)[0][:2]:
        shown = press_button(client, address, "change", player=who, target="table:2")
    assert "Adjust the seats" not in shown
    assert "Adjust the seats" not in press_button(client, address, "publish")


def test_table_with_too_few_players_is_reported(
    client: Client, event: Event, drafted_round: Round
) -> None:
    address = page("round", event, drafted_round.pk)
    shown = press_button(
        client, address, "change", player=list_seated(drafted_round)[0][0], target="new"
    )
    assert "Too few players at a table" in shown
    assert "A player joined or left" not in shown


def test_withdrawal_does_not_change_the_seats_of_a_draft(
    client: Client, event: Event, drafted_round: Round
) -> None:
    gone = event.registrations.all()[0]
    withdraw(gone, gone.user)
    shown = client.get(page("round", event, drafted_round.pk)).content.decode()
    assert "A player joined or left" in shown
    assert f"{gone.name}: withdrawn" not in shown
    assert gone.name in press_button(client, page("round", event, drafted_round.pk), "publish")


def test_bye_is_offered_only_in_a_bracket_and_its_effect_is_shown(
    client: Client, event: Event, organizer: User
) -> None:
    first = seat_round(first_stage(event), organizer)
    offer = 'value="bye"'
    assert offer not in client.get(page("round", event, first.pk)).content.decode()
    played = draw_bracket(make_second_stage(event, organizer, 6), organizer)
    address = page("round", event, played.pk)
    assert offer in client.get(address).content.decode()
    shown = press_button(client, address, "change", player=list_seated(played)[0][0], target="bye")
    assert "2 tables of 3 and 2 (each winner advances); 1 player with a bye" in shown
