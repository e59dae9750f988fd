"""Tests of the checks on the round's page before seats change."""

import pytest
from django.test import Client

from tests.factories import make_registrations
from tests.tournament.helpers import first_stage
from tests.tournament.organizing import page, press_button
from tournament.models import Event, Round
from tournament.seating.queries import list_seated

pytestmark = pytest.mark.django_db


def test_breaking_a_hard_seating_rule_requires_a_reason(
    client: Client, event: Event, drafted_round: Round
) -> None:
    who = event.registrations.get(pk=list_seated(drafted_round)[0][0])
    who.apart_from.add(event.registrations.get(pk=list_seated(drafted_round)[0][1]))
    address = page("round", event, drafted_round.pk)
    assert "Publish anyway" in client.get(address).content.decode()
    assert "Change the seats, or say why they should stay as they are." in press_button(
        client, address, "publish"
    )
    shown = press_button(client, address, "publish", reason="They have made up.")
    assert "Published despite a broken rule: <bdi>They have made up.</bdi>" in shown


def test_unseated_player_is_named_once_in_the_reason_form(
    client: Client, event: Event, drafted_round: Round
) -> None:
    [late] = make_registrations(event, 1)
    shown = client.get(page("round", event, drafted_round.pk)).content.decode()
    assert shown.count(f"{late.name} has no seat.") == 1


def test_outdated_page_changes_nothing(client: Client, event: Event) -> None:
    old = read_seats_version(client, page("rounds", event), "draw")
    press_button(client, page("rounds", event), "draw", stage=first_stage(event).pk, seen=old)
    played = Round.objects.get()
    address = page("round", event, played.pk)
    (one, *_), (other, *_) = list_seated(played)
    shown = {
        name: read_seats_version(client, address, name) for name in ("draw", "change", "publish")
    }
    fields = {"player": one, "target": f"swap:{other}", "seen": shown["change"]}
    assert "has been moved." in press_button(client, address, "change", **fields)
    refusal = "The seats have changed since you opened this page. Review them, then try again."
    sent = {"stage": first_stage(event).pk, "seen": old}
    assert "The seats for" in press_button(client, page("rounds", event), "draw", **sent)
    for where, action, seen in (
        (address, "draw", shown["draw"]),
        (address, "publish", shown["publish"]),
        (address, "change", shown["change"]),
    ):
        sent = fields | {"stage": first_stage(event).pk, "seen": seen}
        assert refusal in press_button(client, where, action, **sent)
    assert list_seated(played)[0][0] == other


def read_seats_version(client: Client, address: str, action: str) -> str:
    """Return the version of the seats in the form that has this button."""
    shown = client.get(address).content.decode().split(f'name="action" value="{action}"')[0]
    return shown.split("<form")[-1].split('name="seen" value="')[1].split('"')[0]
