"""Tests that the pages and the record of a hand reveal changes in the database."""

import json
from collections.abc import Callable

import pytest
from django.test import Client

from games.models import Hand, Match
from games.rules import record
from tests.games.helpers import act, begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def hand() -> Hand:
    """Provide the only hand of a finished match."""
    match = begin(["R1 R2", "R3 G9"], "R5", "B1 B2", hand_limit=1)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    assert Match.objects.get(pk=match.pk).phase == "over"
    return match.hands.get()


def shorten_deck(hand: Hand) -> None:
    hand.deck = hand.deck[:2]


def store_unknown_card(hand: Hand) -> None:
    hand.deck[0] = "XX"


def store_other_card(hand: Hand) -> None:
    hand.deck[0] = "Y9"


def play_card_not_held(hand: Hand) -> None:
    hand.actions.filter(number=1).update(action={"play": "Y9"})


def store_unknown_action(hand: Hand) -> None:
    hand.actions.filter(number=1).update(action={"fly": True})


def delete_action(hand: Hand) -> None:
    hand.actions.filter(number=1).delete()


Change = Callable[[Hand], None]
CHANGES = [
    (shorten_deck, "deck"),
    (store_unknown_card, "XX"),
    (store_other_card, "deck: more than 2 of Y9"),
    (play_card_not_held, "Yellow 9"),
    (store_unknown_action, "entry 0: An action has exactly one of"),
    (delete_action, "turn"),
]


def save_changed_hand(hand: Hand, change: Change) -> str:
    """Change and save the hand, and return the base address of its pages."""
    change(hand)
    hand.save()
    return f"/m/{hand.match.public_id}/hands/{hand.number}"


@pytest.mark.parametrize("change", [change for change, _ in CHANGES])
def test_replay_of_a_tampered_match_cannot_be_shown(
    client: Client, hand: Hand, change: Change, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.get(f"{save_changed_hand(hand, change)}/")
    assert (answer.status_code, answer.templates[0].name) == (500, "games/no_replay.html")
    assert f"Hand {hand.pk} cannot be replayed" in caplog.messages


@pytest.mark.parametrize(("change", "fault"), CHANGES)
def test_record_of_a_tampered_match_fails_its_check_with_a_reason(
    client: Client, hand: Hand, change: Change, fault: str
) -> None:
    assert (
        record.check(
            json.loads(client.get(f"{save_changed_hand(hand, lambda _: None)}.json").content)
        )
        is None
    )
    answer = client.get(f"{save_changed_hand(hand, change)}.json")
    assert answer.status_code == 200
    found = record.check(json.loads(answer.content))
    assert found is not None
    assert fault in found
