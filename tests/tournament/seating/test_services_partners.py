"""Tests of the partner rotation, in which every two players are partners once."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from tournament.pure.arrangement import SeatingError, partner_rounds
from tournament.pure.arrangement.partners import update_rotation


@pytest.mark.parametrize("count", [4, 8, 12, 16, 20, 24])
def test_each_player_partners_all_others_once_and_opposes_them_twice(count: int) -> None:
    rounds = partner_rounds(range(1, count + 1))
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for tables in rounds:
        assert sorted(p for table in tables for p in table) == list(range(1, count + 1))
        for a, b, c, d in tables:
            partners.update([frozenset((a, c)), frozenset((b, d))])
            opponents.update(frozenset(pair) for pair in ((a, b), (b, c), (c, d), (d, a)))
    every_pair = {frozenset(pair) for pair in combinations(range(1, count + 1), 2)}
    assert len(rounds) == count - 1
    assert partners == dict.fromkeys(every_pair, 1)
    assert opponents == dict.fromkeys(every_pair, 2)


@pytest.mark.parametrize(
    ("count", "rounds", "twice"),
    [
        (5, 5, 0),
        (6, 8, 1),
        (7, 11, 1),
        (9, 9, 0),
        (10, 12, 3),
        (11, 14, 1),
        (13, 13, 0),
        (14, 16, 1),
        (15, 18, 3),
    ],
)
def test_players_beyond_full_tables_of_four_sit_out_in_turn(
    count: int, rounds: int, twice: int
) -> None:
    made = partner_rounds(range(1, count + 1))
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    played: Counter[int] = Counter()
    for tables in made:
        here = [player for table in tables for player in table]
        assert len(here) == len(set(here))
        played.update(here)
        for a, b, c, d in tables:
            partners.update([frozenset((a, c)), frozenset((b, d))])
            opponents.update(frozenset(pair) for pair in ((a, b), (b, c), (c, d), (d, a)))
    every_pair = {frozenset(pair) for pair in combinations(range(1, count + 1), 2)}
    assert set(partners) == every_pair
    assert (len(made), sum(partners.values()) - len(every_pair)) == (rounds, twice)
    assert max(partners.values()) <= 2
    assert max(opponents.values()) <= 5
    assert max(played.values()) - min(played.values()) <= 2


@pytest.mark.parametrize("players", [range(3), range(25), (1, 2, 3, 3)])
def test_partner_rotation_refuses_unsupported_players(players: Sequence[int]) -> None:
    with pytest.raises(SeatingError, match=f"here are {len(players)}"):
        partner_rounds(players)


@pytest.mark.parametrize(
    ("players", "sat_for", "order"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], {}, (8, 1, 2, 3, 4, 5, 6, 7)),
        ([1, 2, 12, 4, 5, 6, 7, 8], {}, (8, 1, 2, 12, 4, 5, 6, 7)),
        ([1, 2, 12, 4, 13, 6, 7, 8], {3: 13, 5: 12}, (8, 1, 2, 13, 4, 12, 6, 7)),
        ([1, 2, 3, 4, 5, 6, 7, 8], {3: 4}, (8, 1, 2, 3, 4, 5, 6, 7)),
        ([1, 2, 4, 5], {}, (1, 2, 4, 5)),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], {}, (8, 1, 2, 3, 4, 5, 6, 7, 9, 10)),
    ],
)
def test_new_player_takes_over_the_position_in_the_rotation(
    players: list[int], sat_for: dict[int, int], order: tuple[int, ...]
) -> None:
    assert update_rotation((8, 1, 2, 3, 4, 5, 6, 7), players, sat_for) == order
