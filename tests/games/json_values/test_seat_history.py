"""Tests of the history of a seat's holders."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.json_values.seat_history import Sitter, Sitters

ASHA, BEN = Sitter("Asha", "", 1, 0), Sitter("Ben", "", 2, 5)
BOT, BACK = Sitter("Ben", "plain", 3, 0), Sitter("Asha", "", 3, 7)

seat_holders = st.builds(
    Sitter,
    st.sampled_from(["Asha", "Ben"]),
    st.sampled_from(["", "plain"]),
    st.integers(1, 3),
    st.integers(0, 3),
)


def make_sitters(*ever: Sitter) -> Sitters:
    return Sitters(ever)


@pytest.mark.parametrize(
    ("history", "newcomer", "expected"),
    [
        (make_sitters(ASHA), BEN, make_sitters(ASHA, BEN)),
        # A bot with its predecessor's name is a different sitter.
        (make_sitters(ASHA, BEN), BOT, make_sitters(ASHA, BEN, BOT)),
        # A sitter who is replaced at the same moment never acted and is dropped.
        (
            make_sitters(ASHA, BEN),
            Sitter("Chen", "", 2, 5),
            make_sitters(ASHA, Sitter("Chen", "", 2, 5)),
        ),
        # A player who returns at the same moment never left.
        (make_sitters(ASHA, BEN), Sitter("Asha", "", 2, 5), make_sitters()),
        (make_sitters(ASHA, BEN, BOT), Sitter("Ben", "", 3, 0), make_sitters(ASHA, BEN)),
        # Adding the current sitter again changes nothing.
        (make_sitters(ASHA, BEN), Sitter("Ben", "", 3, 1), make_sitters(ASHA, BEN)),
        (make_sitters(), ASHA, make_sitters()),
    ],
)
def test_new_sitter_is_added_to_the_seat_history(
    history: Sitters, newcomer: Sitter, expected: Sitters
) -> None:
    assert history.add(newcomer) == expected


@given(st.lists(seat_holders, max_size=6))
def test_sitters_differ_from_their_predecessors_and_arrive_in_order(coming: list[Sitter]) -> None:
    found = Sitters()
    for sitter in sorted(coming, key=lambda one: (one.hand, one.after)):
        found = found.add(sitter) if found.ever else Sitters((sitter,))
        pairs = list(zip(found.ever, found.ever[1:], strict=False))
        assert not any(one.is_same_as(other) for one, other in pairs)
        assert all((one.hand, one.after) < (other.hand, other.after) for one, other in pairs)


@pytest.mark.parametrize(
    ("hand", "after", "name"),
    [
        (1, 0, "Asha"),
        (1, 99, "Asha"),
        (2, 4, "Asha"),
        (2, 5, "Ben"),
        (2, 6, "Ben"),
        (3, 6, "Ben"),
        (3, 7, "Asha"),
        (9, 0, "Asha"),
        (0, 9, None),
    ],
)
def test_holder_of_a_seat_is_found_for_each_moment_of_a_hand(
    hand: int, after: int, name: str | None
) -> None:
    sat = make_sitters(ASHA, BEN, BACK).find_at(hand, after)
    assert (sat.name if sat else None) == name


def test_seat_with_a_single_holder_stores_no_history() -> None:
    assert make_sitters().find_at(1, 0) is None
    assert (bool(make_sitters()), bool(make_sitters(ASHA, BEN))) == (False, True)
    assert make_sitters().to_json() == {}


def test_arrivals_during_a_hand_are_listed() -> None:
    seat = make_sitters(ASHA, BEN, BOT, BACK)
    assert [seat.list_arrivals(hand) for hand in (1, 2, 3, 4)] == [(), (BEN,), (BACK,), ()]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (ASHA, BACK, True),
        (BEN, BOT, False),
        (ASHA, BEN, False),
    ],
)
def test_sitters_with_the_same_name_and_bot_strength_are_equal(
    one: Sitter, other: Sitter, same: bool
) -> None:
    assert one.is_same_as(other) is same


def test_sitters_are_stored_as_versioned_lists() -> None:
    assert make_sitters(ASHA, BOT).to_json() == {
        "version": 1,
        "ever": [["Asha", "", 1, 0], ["Ben", "plain", 3, 0]],
    }


@given(st.lists(seat_holders).map(tuple))
def test_sitters_survive_a_round_trip(ever: tuple[Sitter, ...]) -> None:
    assert Sitters.from_json(Sitters(ever).to_json()) == Sitters(ever)


@pytest.mark.parametrize(
    ("data", "ever"), [({}, ()), ({"ever": [["Asha", "", 1, 0]]}, (ASHA,)), ({"version": 1}, ())]
)
def test_sitters_of_an_earlier_version_are_read(
    data: dict[str, Any], ever: tuple[Sitter, ...]
) -> None:
    assert Sitters.from_json(data) == Sitters(ever)


def test_sitters_of_a_later_version_are_refused() -> None:
    with pytest.raises(ValueError, match="version 2"):
        Sitters.from_json({"version": 2, "ever": []})
