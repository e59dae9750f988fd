"""Tests of who has sat at a seat, and from when."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.json_values.seat_history import Sitter, Sitters

ASHA, BEN = Sitter("Asha", "", 1, 0), Sitter("Ben", "", 2, 5)
BOT, BACK = Sitter("Ben", "plain", 3, 0), Sitter("Asha", "", 3, 7)

sitters = st.builds(
    Sitter,
    st.sampled_from(["Asha", "Ben"]),
    st.sampled_from(["", "plain"]),
    st.integers(1, 3),
    st.integers(0, 3),
)


def make_sitters(*ever: Sitter) -> Sitters:
    return Sitters(ever)


@pytest.mark.parametrize(
    ("before", "comes", "after"),
    [
        (make_sitters(ASHA), BEN, make_sitters(ASHA, BEN)),
        # A bot by the name of the one before is another one.
        (make_sitters(ASHA, BEN), BOT, make_sitters(ASHA, BEN, BOT)),
        # A sitter who is replaced at the same moment has done nothing and is dropped.
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
def test_another_one_sits_down(before: Sitters, comes: Sitter, after: Sitters) -> None:
    assert before.add(comes) == after


@given(st.lists(sitters, max_size=6))
def test_nobody_follows_themselves_and_no_two_come_at_one_moment(coming: list[Sitter]) -> None:
    found = Sitters()
    for sitter in sorted(coming, key=lambda one: (one.hand, one.after)):
        found = found.add(sitter) if found.ever else Sitters((sitter,))
        pairs = list(zip(found.ever, found.ever[1:], strict=False))
        assert not any(one.is_(other) for one, other in pairs)
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
def test_who_sat_there_at_a_moment_of_a_hand(hand: int, after: int, name: str | None) -> None:
    sat = make_sitters(ASHA, BEN, BACK).find_at(hand, after)
    assert (sat.name if sat else None) == name


def test_of_a_seat_that_one_has_held_all_along_nothing_is_kept() -> None:
    assert make_sitters().find_at(1, 0) is None
    assert (bool(make_sitters()), bool(make_sitters(ASHA, BEN))) == (False, True)
    assert make_sitters().to_json() == {}


def test_who_came_in_the_middle_of_a_hand() -> None:
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
def test_a_person_is_the_same_at_any_time(one: Sitter, other: Sitter, same: bool) -> None:
    assert one.is_(other) is same


def test_sitters_are_kept_as_lists_with_a_version() -> None:
    assert make_sitters(ASHA, BOT).to_json() == {
        "version": 1,
        "ever": [["Asha", "", 1, 0], ["Ben", "plain", 3, 0]],
    }


@given(st.lists(sitters).map(tuple))
def test_sitters_come_back_as_they_were(ever: tuple[Sitter, ...]) -> None:
    assert Sitters.from_json(Sitters(ever).to_json()) == Sitters(ever)


@pytest.mark.parametrize(
    ("data", "ever"), [({}, ()), ({"ever": [["Asha", "", 1, 0]]}, (ASHA,)), ({"version": 1}, ())]
)
def test_what_an_earlier_version_wrote_is_read(
    data: dict[str, Any], ever: tuple[Sitter, ...]
) -> None:
    assert Sitters.from_json(data) == Sitters(ever)


def test_what_a_later_version_wrote_is_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="version 2"):
        Sitters.from_json({"version": 2, "ever": []})
