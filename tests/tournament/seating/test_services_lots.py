"""Tests of the commitments to draw keys, of the keys, and of reading draw inputs."""

import hashlib
import json

import pytest

from tests.typed import sure
from tournament.pure.arrangement import (
    PastRound,
    SeatingPlayer,
    SeatingProblem,
    SeatingRules,
    compute_commitment,
    draw_key,
    read_problem,
    seat_round,
)


def test_commitment_depends_on_the_key_event_and_stage() -> None:
    made = compute_commitment(7, 2, "a key")
    assert made == hashlib.sha256(b"lastcard lots 1\n7\n2\na key").hexdigest()
    others = [
        compute_commitment(8, 2, "a key"),
        compute_commitment(7, 1, "a key"),
        compute_commitment(7, 2, "b key"),
    ]
    assert len({made, *others}) == 4


def test_draw_key_depends_on_the_stage_key_round_number_and_input() -> None:
    made = draw_key("a key", 3, 2, "d" * 64)
    text = f"lastcard draw 1\na key\n3\n2\n{'d' * 64}"
    assert made == hashlib.sha256(text.encode()).hexdigest()
    others = [
        draw_key("b key", 3, 2, "d" * 64),
        draw_key("a key", 2, 2, "d" * 64),
        draw_key("a key", 3, 1, "d" * 64),
        draw_key("a key", 3, 2, "e" * 64),
    ]
    assert len({made, *others}) == 5


@pytest.mark.parametrize(
    "rules",
    [
        SeatingRules(),
        SeatingRules(3, 2, 4, rounds_to_come=2),
        SeatingRules(apart=((1, 2), (3, 5)), fixed=((4, 2),)),
        SeatingRules(by_points=True),
        SeatingRules(groups_apart=True),
        SeatingRules(4, 4, 4, partners=True),
    ],
)
def test_draw_input_is_read_back_unchanged(rules: SeatingRules) -> None:
    people = tuple(SeatingPlayer(n, f"Player {n}", 10 * n, "AB"[n % 2]) for n in range(1, 9))
    past = (PastRound(((1, 2, 3, 4), (5, 6, 7)), (8,)),)
    problem = SeatingProblem(people, past, rules)
    again = read_problem(problem.text())
    assert again.text() == problem.text()
    assert again.digest() == problem.digest()
    assert seat_round(again, "key") == seat_round(problem, "key")


def test_draw_input_contains_no_player_or_group_names() -> None:
    people = (
        SeatingPlayer(1, "Asha", 0, "Physics "),
        SeatingPlayer(2, "Ben", 0, "physics"),
        SeatingPlayer(3, "Dev"),
    )
    text = SeatingProblem(people, rules=SeatingRules(groups_apart=True)).text()
    assert json.loads(text)[0] == [[1, 0, "1"], [2, 0, "1"], [3, 0, ""]]
    assert not any(word in sure(text).casefold() for word in ("asha", "ben", "dev", "physics"))
