"""A rotation in which every player partners every other player once.

This is the multi-table variation of the rules of UNO to 500 (text 001 in docs/rules-decisions.md).
Four players need 3 rounds, and eight players at two tables need 7 rounds.

If the players fill tables of four, the rotation is a cyclic whist tournament Wh(4n) of 4n - 1
rounds. Every player also opposes every other player twice. One player keeps the same position, and
the others move on by one position each round.

Other numbers of players use the circle method, in which players take turns sitting out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import product

from games.rules.text import _
from tournament.pure.arrangement.costs import SeatingError, Tables

# The first round for each number of players. None is the player whose position is fixed. The
# players in seats 0 and 2 are partners, and so are those in seats 1 and 3.
_FIRST_ROUNDS: dict[int, tuple[tuple[int | None, int, int, int], ...]] = {
    4: ((None, 1, 0, 2),),
    8: ((None, 1, 0, 3), (2, 4, 6, 5)),
    12: ((None, 1, 0, 3), (2, 6, 9, 7), (4, 5, 10, 8)),
    16: ((None, 1, 0, 2), (3, 7, 10, 12), (4, 5, 13, 9), (6, 11, 8, 14)),
    20: ((None, 1, 0, 2), (3, 13, 10, 15), (4, 6, 9, 17), (5, 11, 18, 14), (7, 8, 16, 12)),
    24: (
        (None, 1, 0, 2),
        (3, 5, 15, 7),
        (4, 9, 20, 13),
        (6, 11, 21, 14),
        (8, 12, 18, 17),
        (10, 16, 19, 22),
    ),
}


LEAST_PLAYERS, MOST_PLAYERS = 4, 24
Pair = tuple[int, int]


def partner_rounds(players: Sequence[int]) -> tuple[Tables, ...]:
    """Return all rounds of the rotation. Partners sit opposite each other.

    `players` lists ids. The last player keeps the same position. If the players do not fill tables
    of four, some sit out in each round. If the number of pairs is odd, one pair or three players
    play twice. Raises SeatingError for fewer than 4 or more than 24 players.
    """
    if not LEAST_PLAYERS <= len(set(players)) == len(players) <= MOST_PLAYERS:
        text = _(
            "“Everyone partners everyone” needs {least} to {most} different players; there "
            "are {count}. Draw ordinary rounds, or split the event."
        )
        raise SeatingError(text.format(least=LEAST_PLAYERS, most=MOST_PLAYERS, count=len(players)))
    first_round = _FIRST_ROUNDS.get(len(players))
    if first_round is None:
        return _make_tables(players, _pair_by_circle_method(len(players)))
    *moving, staying = players

    def find_player(position: int | None, rotation: int) -> int:
        return staying if position is None else moving[(position + rotation) % len(moving)]

    return tuple(
        tuple(tuple(find_player(position, rotation) for position in table) for table in first_round)
        for rotation in range(len(moving))
    )


def _pair_by_circle_method(count: int) -> list[list[Pair]]:
    """Pair each player with every other player, in rounds with an even number of pairs.

    In the circle method, one player stays in the middle and gets a new partner each round. The
    others are paired across the circle. With an odd number of players, the middle is empty. If a
    round would have an odd number of pairs, one pair is moved to additional rounds at the end.
    """
    ring = count - 1 + count % 2
    rounds = [[(rotation, count - 1)] if count % 2 == 0 else [] for rotation in range(ring)]
    for rotation, pairs in enumerate(rounds):
        # The last pair may be moved. It must consist of the neighbours of `rotation`.
        across = range(ring // 2, 0, -1)
        pairs += [((rotation + step) % ring, (rotation - step) % ring) for step in across]
    if len(rounds[0]) % 2 == 0:
        return rounds
    # In steps of two rotations, each moved pair shares a player with the previous one.
    moved = [rounds[rotation * 2 % ring][-1] for rotation in range(ring)]
    return [pairs[:-1] for pairs in rounds] + _arrange_additional_rounds(moved, count)


def _arrange_additional_rounds(remaining: Sequence[Pair], count: int) -> list[list[Pair]]:
    """Arrange the remaining pairs in as few rounds as the tables allow.

    If a round has an odd number of pairs, two players who would sit out form another pair.
    """
    rounds: list[list[Pair]] = [[] for _round in range(-(-len(remaining) // (count // 4 * 2)))]
    for pair in remaining:
        free = [pairs for pairs in rounds if not _find_busy_players(pairs) & set(pair)]
        min(free, key=len).append(pair)
    for pairs in rounds:
        if len(pairs) % 2:
            idle = [player for player in range(count) if player not in _find_busy_players(pairs)]
            pairs.append((idle[0], idle[1]))
    return rounds


def _find_busy_players(pairs: Sequence[Pair]) -> set[int]:
    return {player for pair in pairs for player in pair}


def _make_tables(players: Sequence[int], rounds: Sequence[Sequence[Pair]]) -> tuple[Tables, ...]:
    """Combine pairs into tables, preferring opponents who have met least often."""
    met: Counter[frozenset[int]] = Counter()
    all_rounds = []
    for pairs in rounds:
        unplaced_pairs, tables = list(pairs), []
        while unplaced_pairs:
            a, c = unplaced_pairs.pop(0)
            b, d = min(unplaced_pairs, key=lambda other: _count_meetings(met, (a, c), other))
            unplaced_pairs.remove((b, d))
            met.update(frozenset(each) for each in product((a, c), (b, d)))
            tables.append(tuple(players[index] for index in (a, b, c, d)))
        all_rounds.append(tuple(tables))
    return tuple(all_rounds)


def _count_meetings(met: Mapping[frozenset[int], int], pair_a: Pair, pair_b: Pair) -> int:
    """Count how often the players of the two pairs have played against each other."""
    return sum(met.get(frozenset(pair), 0) for pair in product(pair_a, pair_b))


def update_rotation(
    order: Sequence[int], players: Collection[int], sat_for: Mapping[int, int]
) -> tuple[int, ...]:
    """Replace players who have left the rotation, and return the new order.

    A substitute takes the position of the player who left. `sat_for` maps each player of the
    previous draw to the player who actually had that seat. Other new players fill the remaining
    positions in ascending order of id. Players who stay keep their order.
    """
    current = set(players)
    new = current - set(order)
    substitutes = {
        absent: substitute
        for absent, substitute in sat_for.items()
        if absent not in current and substitute in new
    }
    other_newcomers = iter(sorted(new - set(substitutes.values())))
    following = [
        player if player in current else substitutes.get(player) or next(other_newcomers, None)
        for player in order
    ]
    return (*(player for player in following if player is not None), *other_newcomers)
