"""Tests of match scores, the players and dealer of the next hand, and the first dealer."""

from typing import Any

import pytest

from games.rules import scoring
from games.rules.chance import RecordedChance, SystemChance
from games.rules.ruleset import rulesets
from games.rules.scoring import MatchScore


def make_score(hands: list[list[int]], **options: object) -> MatchScore:
    return MatchScore(rulesets.make("uno-500", options), len(hands[0]), hands)


def test_first_player_to_reach_the_target_wins() -> None:
    match = make_score([[0, 120, 0], [300, 0, 0], [0, 379, 0]])
    assert (match.totals, match.over, match.winners) == ([300, 499, 0], False, [])
    match.add([0, 1, 0])
    assert (match.totals, match.over, match.winners) == ([300, 500, 0], True, [1])
    assert (match.playing, match.places()) == ([], [2, 1, 3])


def test_target_is_an_option() -> None:
    assert make_score([[0, 100, 0]], target=100).winners == [1]
    assert MatchScore(rulesets.make("uno-400"), 2, [[400, 0]]).winners == [0]


def test_partners_win_together() -> None:
    match = make_score([[500, 0, 500, 0]], partners=True)
    assert (match.winners, match.places()) == ([0, 2], [1, 3, 1, 3])


def test_lowest_total_wins_and_ties_share_the_win() -> None:
    match = make_score([[0, 200, 90], [80, 0, 30], [40, 300, 0]], scoring="lowest")
    assert (match.over, match.winners, match.places()) == (True, [0, 2], [1, 3, 1])
    assert match.out == []


def test_player_reaching_the_target_is_eliminated_and_the_last_one_wins() -> None:
    match = make_score([[0, 510, 90, 0], [80, 0, 300, 0]], scoring="elimination")
    assert (match.out, match.playing, match.over) == ([1], [0, 2, 3], False)
    match.add([430, 0, 0, 3])
    assert (match.out, match.playing) == ([0, 1], [2, 3])
    match.add([0, 0, 110, 0])
    assert (match.over, match.winners, match.out) == (True, [3], [0, 1, 2])
    assert match.places() == [3, 4, 2, 1]


def test_last_player_below_the_target_wins_the_match() -> None:
    match = make_score([[0, 500, 600, 500]], scoring="elimination")
    assert (match.winners, match.out) == ([0], [1, 2, 3])
    assert match.places() == [1, 2, 4, 2]


def test_eliminated_player_is_placed_last() -> None:
    match = make_score([[0, 510, 90, 90]], scoring="elimination")
    assert match.places() == [1, 4, 2, 2]


def test_blocked_hand_does_not_change_the_scores() -> None:
    match = make_score([[0, 100, 0], [0, 0, 0]])
    assert (match.totals, match.over) == ([0, 100, 0], False)


@pytest.mark.parametrize(
    ("hands", "options", "message"),
    [
        ([[500, 0], [0, 1]], {}, "the match is over: no more hands count"),
        ([[0, 0], [1, 2, 3]], {}, "3 numbers for 2 seats"),
        ([[0, -1]], {}, "seat 1: -1 is not a number of points"),
        ([[0, True]], {}, "seat 1: True is not a number of points"),
        ([[0, "5"]], {}, "seat 1: '5' is not a number of points"),
        (
            [[0, 500, 0], [0, 1, 2]],
            {"scoring": "elimination"},
            "seat 1 is out and cannot have points",
        ),
        (
            [[500, 500]],
            {"scoring": "elimination"},
            "the hand's winner adds nothing, so somebody must stay in",
        ),
    ],
)
def test_invalid_points_of_a_hand_are_refused(
    hands: list[list[Any]], options: dict[str, object], message: str
) -> None:
    match = make_score(hands[:-1] or [[0, 0]], **options)
    before = vars(match).copy()
    with pytest.raises(ValueError, match=message):
        match.add(hands[-1])
    assert vars(match) == before


@pytest.mark.parametrize(
    ("ruleset", "playing", "dealer", "winner", "following"),
    [
        ("uno-400", [0, 1, 2, 3], 0, 3, 1),
        ("uno-400", [0, 1, 2, 3], 3, 1, 0),
        ("uno-400", [0, 3], 1, 0, 3),
        ("uno-400", [0, 2], 3, 0, 0),
        ("ocho-cards", [0, 1, 2, 3], 0, 3, 3),
        ("ocho-cards", [0, 1, 2, 3], 0, None, 1),
    ],
)
def test_next_dealer_depends_on_the_rules(
    ruleset: str, playing: list[int], dealer: int, winner: int | None, following: int
) -> None:
    rs = rulesets.RULE_SETS[ruleset]
    assert scoring.next_dealer(rs, playing, dealer, winner) == following


def test_first_dealer_is_chosen_at_random() -> None:
    rs = rulesets.RULE_SETS["uno-400"]
    assert scoring.first_dealer(rs, 4, RecordedChance([2], rs.pack)) == (2, [])
    assert scoring.first_dealer(rs, 4, SystemChance())[0] in range(4)


def test_player_with_the_highest_card_deals_first_and_tied_players_draw_again() -> None:
    rs = rulesets.RULE_SETS["uno-500"]
    deck = rs.pack.notations(rs.cards())

    def put_on_top(*cards: str) -> list[str]:
        rest = deck.copy()
        for card in cards:
            rest.remove(card)
        return [*cards, *rest]

    chance = RecordedChance([put_on_top("R9", "W", "YS", "W+4"), put_on_top("B3", "B+2")], rs.pack)
    assert scoring.first_dealer(rs, 4, chance) == (
        3,
        [{0: "R9", 1: "W", 2: "YS", 3: "W+4"}, {1: "B3", 3: "B+2"}],
    )
