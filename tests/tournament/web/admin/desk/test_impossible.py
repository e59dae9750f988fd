"""Tests of invalid requests to the organizers' pages, made by hand or on an outdated page.

Every request is refused and changes nothing.
"""

import re
from itertools import chain
from typing import Any

import pytest
from django.core import serializers
from django.test import Client
from django.urls import reverse

from tests.factories import make_players
from tests.tournament.helpers import first_stage, make_organized_event, play_first_round
from tests.tournament.organizing import page
from tournament.advancing.services import preview_cut, qualify
from tournament.models import Event, Proposal, Qualifier, Registration, Round, Stage, User
from tournament.results.stages import stage_results
from tournament.seating.queries import compute_version
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=16)]

# Invalid and far too large ids, a NUL character, and several ids in one value.
INVALID_VALUES = ["", "x", "-1", "9" * 40, "\x00", "1,1"]
TOP_FOUR = {"qualify_rule": "number", "qualify_value": "4", "cut_ties": "lots", "min_matches": "1"}
WRONG_RULES: list[dict[str, Any]] = [
    {**TOP_FOUR, "qualify_rule": "luck"},
    *({**TOP_FOUR, "qualify_value": junk} for junk in INVALID_VALUES),
    {**TOP_FOUR, "qualify_value": "32768"},
    {**TOP_FOUR, "qualify_rule": "share", "qualify_value": "101"},
    {**TOP_FOUR, "qualify_rule": "top_k", "qualify_value": "0"},
    {**TOP_FOUR, "cut_ties": "fight"},
    {**TOP_FOUR, "min_matches": "-1"},
    {**TOP_FOUR, "min_matches": "99999"},
]


def list_rows(event: Event) -> list[object]:
    """Return all data of the event that a refused request must not change."""
    stages = event.stages.order_by("pk")
    kinds = (
        Event.objects.filter(pk=event.pk),
        stages,
        Round.objects.filter(stage__in=stages).order_by("pk"),
        Qualifier.objects.filter(stage__in=stages).order_by("pk"),
        Registration.objects.filter(event=event).order_by("pk"),
        Proposal.objects.filter(event=event).order_by("pk"),
    )
    seats = Round.objects.filter(stage__in=stages).values_list("tables__seats__registration")
    return [serializers.serialize("python", chain(*kinds)), sorted(map(str, seats))]


def expect_refusal(client: Client, event: Event, address: str, **sent: Any) -> None:
    """Check that the request is refused and changes nothing.

    The response has an error message, or a status such as 404.
    """
    before = list_rows(event)
    answer = client.post(address, sent, follow=True)
    assert answer.status_code in (200, 403, 404, 405, 422), sent
    assert list_rows(event) == before, sent
    if answer.status_code in (200, 422):
        message = re.findall(r'<li class="(error|success)|class="(error)list', answer.text)
        assert message, sent
        assert ("success", "") not in message, sent


@pytest.mark.parametrize("data", WRONG_RULES, ids=str)
def test_invalid_rule_advances_no_players(
    client: Client, event: Event, organizer: User, data: dict[str, Any]
) -> None:
    stage = play_first_round(event, organizer)
    through = ",".join(
        map(str, preview_cut(stage_results(stage), CutRule("number", 4, "lots", 1)).through)
    )
    for action in ("confirm", "confirm-draw"):
        expect_refusal(
            client, event, page("qualify", event), action=action, through=through, **data
        )
    assert client.get(page("qualify", event), data).status_code == 200


def test_players_other_than_the_previewed_ones_do_not_advance(
    client: Client, event: Event, organizer: User
) -> None:
    stage = play_first_round(event, organizer)
    through = preview_cut(stage_results(stage), CutRule("number", 4, "lots", 1)).through
    foreign = make_players(make_organized_event(1)[0], 1)[0].pk
    lists = [through[::-1], through[:3], [*through, through[0]], [*through[:3], foreign], []]
    for keys in [",".join(map(str, each)) for each in lists] + INVALID_VALUES:
        expect_refusal(
            client, event, page("qualify", event), action="confirm", through=keys, **TOP_FOUR
        )


def test_confirmed_step_cannot_be_confirmed_again(
    client: Client, event: Event, organizer: User
) -> None:
    stage = play_first_round(event, organizer)
    rule = CutRule("number", 4, "lots", 1)
    through = preview_cut(stage_results(stage), rule).through
    qualify(stage, organizer, rule, through)
    keys = ",".join(map(str, through))
    for action in ("confirm", "confirm-draw"):
        expect_refusal(
            client, event, page("qualify", event), action=action, through=keys, **TOP_FOUR
        )
    expect_refusal(client, event, page("qualify", event), action="undo", reason=" ")
    for stage_number in INVALID_VALUES:
        answer = client.get(page("qualify", event), {"stage": stage_number})
        assert answer.status_code in (200, 404)


def test_result_of_an_unneeded_tie_break_hand_is_refused(
    client: Client, event: Event, organizer: User
) -> None:
    stage = play_first_round(event, organizer)
    players = list(stage.event.registrations.values_list("pk", flat=True))[:2]
    for places in (["1", "1"], ["1"], [], ["x", "y"], ["1", "9" * 40], ["1", "2"]):
        for who in (players, [players[0]] * 2, ["x", "9" * 30]):
            expect_refusal(
                client, event, page("qualify", event), action="playoff", place=places, player=who
            )
            expect_refusal(client, event, page("qualify", event), action="take-back", player=who)


def test_check_in_rejects_invalid_input(client: Client, event: Event) -> None:
    address = page("check-in", event)
    foreign = make_players(make_organized_event(1)[0], 1)[0].pk
    mine = event.registrations.values_list("pk", flat=True)[0]
    for wrong in [*INVALID_VALUES, str(foreign)]:
        expect_refusal(client, event, address, action="check-in", who=[wrong, str(mine)])
        for action in ("take-back", "back"):
            expect_refusal(client, event, address, action=action, one=wrong)
    for action in ("check-in", "absent"):
        expect_refusal(client, event, address, action=action)
    times = {"check_in_opens_0": "2026-13-40", "check_in_opens_1": "99:99"}
    expect_refusal(client, event, address, action="settings", check_in="on", **times)
    expect_refusal(client, event, address, action="walk-in", name="", roll_number="")
    expect_refusal(
        client, event, address, action="walk-in", name="x" * 5000, roll_number="1" * 5000
    )


@pytest.mark.parametrize("action", ["leave-out", "absent", "withdraw"])
def test_players_of_other_events_cannot_be_reported_missing(
    client: Client, event: Event, drafted_round: Round, action: str
) -> None:
    foreign = make_players(make_organized_event(1)[0], 1)[0].pk
    mine = event.registrations.values_list("pk", flat=True)[0]
    for wrong in [*INVALID_VALUES, str(foreign)]:
        sent = {"who": [str(mine), wrong], "round": drafted_round.pk, "reason": "Not here."}
        expect_refusal(client, event, page("absentees", event), action=action, **sent)
    for wrong in INVALID_VALUES:
        if action == "leave-out":
            sent = {"who": [mine], "round": wrong, "reason": "Not here."}
            expect_refusal(client, event, page("absentees", event), action=action, **sent)


def test_duplicate_or_outdated_seat_draw_is_refused(
    client: Client, event: Event, organizer: User
) -> None:
    stage = first_stage(event)
    seen = compute_version(stage, 1)
    seat_round(stage, organizer)
    other = first_stage(make_organized_event(4)[0])
    for which in [*INVALID_VALUES, other.pk, event.stages.get(number=2).pk]:
        expect_refusal(client, event, page("rounds", event), action="draw", stage=which, seen=seen)
    expect_refusal(client, event, page("rounds", event), action="draw", stage=stage.pk, seen=seen)
    for wrong in INVALID_VALUES[1:]:
        expect_refusal(
            client, event, page("rounds", event), action="draw", stage=stage.pk, seen=wrong
        )


def test_unknown_proposal_is_not_confirmed(client: Client, event: Event) -> None:
    for wrong in INVALID_VALUES:
        for action in ("confirm", "refuse", "withdraw"):
            expect_refusal(
                client, event, page("waiting", event), action=action, proposal=wrong, seen="x"
            )


@pytest.mark.parametrize("orders", [["luck"], ["wins", "wins"], ["points"], ["1\x00"], ["x" * 999]])
def test_invalid_tie_break_order_is_not_saved(
    client: Client, event: Event, orders: list[str]
) -> None:
    address = reverse("admin:tournament_event_change", args=[event.pk]) + "?part=standings"
    before = list_rows(event)
    answer = client.post(address, {"part": "standings", "tie_breakers": orders}, follow=True)
    assert answer.status_code in (200, 422)
    assert list_rows(event) == before
    assert Stage.objects.filter(event=event).count() == 2
