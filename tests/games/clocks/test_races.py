"""Tests of races between late UNO calls and catches, decided by compensated time."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clocks.races import (
    CALL_FIRST,
    CATCH_FIRST,
    WINDOW_MS,
    add_claim,
    describe_arrivals,
    describe_lost_claim,
    explain_lost_claim,
    open_race,
    rank_claims,
)
from games.json_values.race import Claim, Race, TimedClaim
from games.json_values.submitted_action import SubmittedAction
from games.rules.actions.actions import CALL, Action
from games.seats import PlayerIndex

NAMES = ["Ben", "Asha", "Chitra", "Dev"]
PLAYED, FORGOT = 1_000_000, PlayerIndex(0)


def make_race(*claims: tuple[int, int, int], pause: int = 0) -> Race:
    """Return a race in which player 0 forgot to call UNO at PLAYED.

    Each claim is (player, received, credit).
    """
    found = open_race(FORGOT, PLAYED, pause, PLAYED + min(at for _, at, _ in claims))
    for seat, at, credit in claims:
        found = add_claim(found, make_claim(seat, at, credit, f"id{seat}"))
    return found


def make_claim(player: int, at: int, credit: int, client_id: str) -> Claim:
    action = CALL if player == 0 else Action("catch", seat=0)
    return Claim(SubmittedAction(PlayerIndex(player), action, client_id), PLAYED + at, credit)


def rank_race(race: Race) -> tuple[TimedClaim, ...]:
    return rank_claims(race).claims


def get_race_winner(*claims: tuple[int, int, int], pause: int = 0) -> int:
    return rank_race(make_race(*claims, pause=pause))[0].claim.player


@pytest.mark.parametrize(
    ("claims", "winner"),
    [
        ([(0, 900, 0), (1, 901, 0)], 0),
        ([(0, 901, 0), (1, 900, 0)], 1),
        ([(0, 900, 0), (1, 900, 0)], 0),
        ([(0, 1200, 400), (1, 900, 0)], 0),
        ([(0, 1200, 300), (1, 900, 0)], 0),
        ([(0, 1200, 299), (1, 900, 0)], 1),
        ([(0, 1200, 400), (1, 900, 200)], 1),
        ([(1, 900, 0), (2, 950, 100)], 2),
    ],
)
def test_earlier_compensated_time_wins(claims: list[tuple[int, int, int]], winner: int) -> None:
    assert {get_race_winner(*order) for order in permutations(claims)} == {winner}


def test_claim_never_counts_before_the_card_was_played() -> None:
    assert get_race_winner((0, 500, 0), (1, 200, 7000)) == 1
    assert get_race_winner((0, 500, 700), (1, 200, 7000)) == 0, (
        "both count from the moment of the play, which is a tie"
    )


def test_catch_never_counts_within_the_respectful_pause() -> None:
    assert get_race_winner((0, 1700, 300), (1, 1600, 400), pause=1500) == 0
    assert get_race_winner((0, 1900, 300), (1, 1600, 400), pause=1500) == 1


moments = st.integers(0, 10_000)
credit_amounts = st.integers(0, 7000)


@given(
    moments,
    credit_amounts,
    st.lists(st.tuples(moments, credit_amounts), min_size=1, max_size=3),
    moments,
)
def test_order_of_claims_depends_only_on_their_times(
    called: int, credit: int, catches: list[tuple[int, int]], pause: int
) -> None:
    claims = [(0, called, credit), *((n, *one) for n, one in enumerate(catches, 1))]
    order = rank_race(make_race(*claims, pause=pause))
    assert {rank_race(make_race(*each, pause=pause)) for each in permutations(claims)} == {order}
    compensated = [each.compensated for each in order]
    assert compensated == sorted(compensated)
    assert all(
        PLAYED <= each.compensated <= max(each.claim.received, PLAYED + pause) for each in order
    )
    mine = next(each for each in order if each.claim.player == 0)
    if mine.compensated == compensated[0]:
        assert order[0].claim.player == 0


@given(moments, moments)
def test_more_lag_never_puts_a_player_at_a_disadvantage(called: int, caught: int) -> None:
    won = [
        get_race_winner((0, called, credit), (1, caught, 0)) == 0 for credit in range(0, 7000, 500)
    ]
    assert won == sorted(won)


def test_only_the_first_claim_of_a_player_counts() -> None:
    twice = add_claim(make_race((1, 900, 0)), make_claim(1, 0, 0, "again"))
    assert [each.submitted.client_id for each in twice.claims] == ["id1"]


def test_race_window_starts_with_the_first_claim() -> None:
    found = make_race((0, 900, 0), (1, 1000, 0))
    assert (found.since, found.until) == (PLAYED + 900, PLAYED + 900 + WINDOW_MS)


@pytest.mark.parametrize(
    ("claims", "code", "sentence", "line"),
    [
        (
            [(0, 900, 0), (1, 1020, 0)],
            CALL_FIRST,
            "Ben said UNO 0.12 s before you.",
            "Asha’s catch came 0.12 s later.",
        ),
        (
            [(0, 900, 0), (1, 900, 0)],
            CALL_FIRST,
            "Ben said UNO at the same moment as you.",
            "Asha’s catch came at the same moment.",
        ),
        (
            [(0, 900, 0), (1, 850, 0)],
            CATCH_FIRST,
            "Asha caught you 0.05 s before you said UNO.",
            "Ben said UNO 0.05 s later.",
        ),
        (
            [(2, 1900, 0), (1, 850, 0)],
            CATCH_FIRST,
            "Asha caught Ben 1.05 s before you.",
            "Chitra’s catch came 1.05 s later.",
        ),
        (
            [(0, 902, 0), (1, 900, 0)],
            CATCH_FIRST,
            "Asha caught you at the very moment you said UNO.",
            "Ben said UNO at the same moment.",
        ),
        (
            [(2, 852, 0), (1, 850, 0)],
            CATCH_FIRST,
            "Asha caught Ben at the same moment as you.",
            "Chitra’s catch came at the same moment.",
        ),
    ],
)
def test_loser_of_a_race_is_told_the_margin(
    claims: list[tuple[int, int, int]], code: str, sentence: str, line: str
) -> None:
    won, lost = rank_race(make_race(*claims))
    assert explain_lost_claim(won, lost, FORGOT, NAMES) == (code, sentence)
    assert describe_lost_claim(won, lost, NAMES) == line


def test_explanation_shows_both_arrivals_and_credits() -> None:
    won, lost = rank_race(make_race((0, 1120, 150), (1, 1000, 20)))
    assert describe_arrivals(won, lost, NAMES) == (
        "Times since the first message arrived: Ben 0.12 s, less 0.15 s for network "
        "delay; Asha 0.00 s, less 0.02 s."
    )
