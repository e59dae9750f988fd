"""F7: playing cards from another player's hand, from a pile, or from another deck."""

from collections.abc import Iterable, Iterator

import pytest

from games import services, store
from games.models import Match
from games.rules.ruleset.rulesets import RULE_SETS
from games.seats import SeatNumber
from tests.faults.cases import TryCounter
from tests.games.helpers import act, begin, list_log, make_match

pytestmark = pytest.mark.django_db


def get_refusal_code(match: Match, card: object, seat: int = 0) -> str:
    """Return the code with which the card is refused, and check that the match is unchanged."""
    (code,) = list_refusal_codes(match, [card], seat)
    return code


def list_refusal_codes(match: Match, cards: Iterable[object], seat: int) -> set[str]:
    """Return the codes with which the cards are refused, and check that the match is unchanged."""
    before, codes = store.load(match.pk).match, set()
    for card in cards:
        with pytest.raises(services.RefusedError) as refused:
            act(match, seat, {"play": card}, client_id=f"try {card!r}")
        codes.add(refused.value.code)
    after = store.load(match.pk).match
    assert (after.version, after.state) == (before.version, before.state)
    return codes


@pytest.fixture
def match() -> Match:
    return begin(["R1 R2 G8", "R3 R4 B9"], "R5")


@pytest.mark.parametrize("card", ["R3", "R9", "W", "W+4"])
def test_card_from_another_hand_or_the_pile_is_refused(match: Match, card: str) -> None:
    assert get_refusal_code(match, card) == "card-not-held"
    assert list_log(match) == []


@pytest.mark.parametrize("card", ["AS", "10D", "SH", "JK"])
def test_card_missing_from_the_deck_is_refused(match: Match, card: str) -> None:
    assert get_refusal_code(match, card) == "unknown-card"


@pytest.mark.parametrize(
    "card", ["", " R1", "R1 ", "r1", "R10", "XX", "💥", None, 1, True, ["R1"], {"card": "R1"}]
)
def test_invalid_card_is_malformed(match: Match, card: object) -> None:
    assert get_refusal_code(match, card) == "malformed"


def test_played_card_cannot_be_played_again(match: Match) -> None:
    act(match, 0, {"play": "R1"})
    act(match, 1, {"play": "R3"})
    assert get_refusal_code(match, "R1") == "card-not-held"


def list_cards_not_held(match: Match) -> Iterator[str]:
    """Yield the cards of the deck that the player to act does not hold."""
    snapshot = store.load(match.pk)
    _, position = snapshot.in_play
    held = set(position.cards(position.actor))
    yield from sorted(set(snapshot.rules.pack.notations(snapshot.rules.cards())) - held)


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_no_rule_set_allows_cards_outside_the_players_hand(ruleset: str, tries: TryCounter) -> None:
    match = services.start_match(make_match(ruleset, people=3))
    for _ in tries(2, 40):
        _, position = store.load(match.pk).in_play
        seat = position.actor
        codes = list_refusal_codes(match, list_cards_not_held(match), seat)
        # After an opening wild, a colour has to be chosen before any card is played.
        choosing = "choose" in position.view(seat)["actions"][0]
        assert codes == {"choose-first" if choosing else "card-not-held"}
        services.act(
            match.pk,
            SeatNumber(seat),
            dict(position.view(seat)["actions"][0]),
            version=store.load(match.pk).version,
            client_id=f"turn {store.load(match.pk).version}",
        )
        if store.load(match.pk).match.phase != "playing":
            match = services.start_match(make_match(ruleset, people=3))
