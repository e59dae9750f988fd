"""A rotation in which everyone partners everyone else once.

This is the multi-table variation of text 001: with 4 players there are 3 rounds, with 8 players at
two tables 7 rounds. In general it is a whist tournament Wh(4n) of 4n - 1 rounds, in which everyone
partners everyone else once and opposes them twice. It is cyclic: one player stays in place, and the
others move on by one each round. Other numbers of players use the circle method, where some players
sit out in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import product

from games.rules.text import _
from tournament.pure.arrangement.costs import SeatingError, Tables

# First round. None is the player who stays. Seats 0 and 2 are partners, and so are 1 and 3.
_STARTERS: dict[int, tuple[tuple[int | None, int, int, int], ...]] = {
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


LEAST, MOST = 4, 24
Pair = tuple[int, int]


def partner_rounds(players: Sequence[int]) -> tuple[Tables, ...]:
    """Return all rounds of the rotation as tables in seat order, with partners opposite.

    `players` are ids; the last player stays in place. If the players do not fill tables of four,
    some sit out in each round. If the number of pairs is odd, one pair or three players play twice.
    Raises SeatingError for fewer than 4 or more than 24 players.
    """
    if not LEAST <= len(set(players)) == len(players) <= MOST:
        text = _(
            "“Everyone partners everyone” needs {least} to {most} different players; there "
            "are {count}. Draw ordinary rounds, or split the event."
        )
        raise SeatingError(text.format(least=LEAST, most=MOST, count=len(players)))
    starter = _STARTERS.get(len(players))
    if starter is None:
        return _make_tables(players, _pair_by_circle_method(len(players)))
    *moving, staying = players

    def find_player(place: int | None, turn: int) -> int:
        return staying if place is None else moving[(place + turn) % len(moving)]

    return tuple(
        tuple(tuple(find_player(place, turn) for place in table) for table in starter)
        for turn in range(len(moving))
    )


def _pair_by_circle_method(count: int) -> list[list[Pair]]:
    """Pair each player with every other player, in rounds with an even number of pairs.

    This is the circle method. One player stays in the middle (no player if their number is odd) and
    gets a new partner each round. The others are paired across the circle. If a round has an odd
    number of pairs, one pair is left over and is scheduled in the rounds at the end.
    """
    ring = count - 1 + count % 2
    rounds = [[(turn, count - 1)] if count % 2 == 0 else [] for turn in range(ring)]
    for turn, pairs in enumerate(rounds):
        # The pair next to `turn` comes last, because the last pair is the one left over.
        across = range(ring // 2, 0, -1)
        pairs += [((turn + step) % ring, (turn - step) % ring) for step in across]
    if len(rounds[0]) % 2 == 0:
        return rounds
    # Going through the turns in steps of two, each left-over pair shares a player with the previous
    # pair.
    left_over = [rounds[turn * 2 % ring][-1] for turn in range(ring)]
    return [pairs[:-1] for pairs in rounds] + _arrange_left_over(left_over, count)


def _arrange_left_over(remaining: Sequence[Pair], count: int) -> list[list[Pair]]:
    """Arrange these pairs in as few rounds as the tables allow.

    In a round with an odd number of pairs, two players who sit out form the last pair.
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
    """Match each pair with the opponents that its players have met least often."""
    met: Counter[frozenset[int]] = Counter()
    all_rounds = []
    for pairs in rounds:
        unplaced_pairs, tables = list(pairs), []
        while unplaced_pairs:
            a, c = unplaced_pairs.pop(0)
            b, d = min(unplaced_pairs, key=lambda other: _count_meetings(met, (a, c), other))
            unplaced_pairs.remove((b, d))
            met.update(frozenset(each) for each in product((a, c), (b, d)))
            tables.append(tuple(players[place] for place in (a, b, c, d)))
        all_rounds.append(tuple(tables))
    return tuple(all_rounds)


def _count_meetings(met: Mapping[frozenset[int], int], pair_a: Pair, pair_b: Pair) -> int:
    """Count how often the players of the two pairs have played against each other."""
    return sum(met.get(frozenset(pair), 0) for pair in product(pair_a, pair_b))


def update_rotation(
    order: Sequence[int], players: Collection[int], sat_for: Mapping[int, int]
) -> tuple[int, ...]:
    """Update the rotation's order for the current players.

    A substitute takes the place of the player who left. `sat_for` maps a player of the previous
    round's draw to the player who actually had that seat. Other newcomers take the remaining places
    in ascending order. If the number of players changes, the others keep their order.
    """
    current = set(players)
    new = current - set(order)
    places = {
        absent: substitute
        for absent, substitute in sat_for.items()
        if absent not in current and substitute in new
    }
    other_newcomers = iter(sorted(new - set(places.values())))
    following = [
        player if player in current else places.get(player) or next(other_newcomers, None)
        for player in order
    ]
    return (*(player for player in following if player is not None), *other_newcomers)
