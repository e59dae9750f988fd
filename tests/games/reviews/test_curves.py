"""Tests of the chart of the chances in a hand, from the deal to the result."""

from games.json_values.reviewed import ReviewedHand, ReviewedPlayer
from games.protocol.faces import Person
from games.reviews.curves import HEIGHT, WIDTH, Curves, Mark, draw_curves
from games.seats import SeatNumber
from tests.games.reviewing import MOVES, make_reviewed_hand

PEOPLE = [Person("Asha", 7), Person("Ben (bot)")]
TONES = [4, 11]


def make_curves(actions: int) -> Curves:
    account = ReviewedPlayer(1.0, 0.0, 0.0, 0.0, 0.0, [1.0] * (actions + 1))
    return draw_curves(ReviewedHand(1, [SeatNumber(0)], [account], []), PEOPLE[:1], TONES[:1])


def test_each_player_has_a_line_with_their_colour_and_pattern() -> None:
    first, second = draw_curves(make_reviewed_hand(), PEOPLE, TONES).lines
    assert first.points == "0.0,91.2 200.0,72.0 400.0,48.0 600.0,0.0"
    assert second.points == "0.0,144.0 200.0,168.0 400.0,192.0 600.0,240.0"
    assert [first.tone, second.tone] == TONES
    assert [first.dash, second.dash] == [0, 1]
    assert (first.name, first.user) == PEOPLE[0][:2]
    assert [first.seat, second.seat] == [0, 1]


def test_costly_moves_are_marked_on_the_player_line() -> None:
    drawn = draw_curves(make_reviewed_hand(*MOVES), PEOPLE, TONES)
    tones = [line.tone for line in drawn.lines]
    assert drawn.marks == [Mark(1, tones[0], 0.0, 91.2), Mark(2, tones[1], 200.0, 168.0)]


def test_step_labels_are_round_numbers() -> None:
    assert make_curves(3).steps == [(0.0, 0), (200.0, 1), (400.0, 2), (WIDTH, 3)]
    assert [step for _x, step in make_curves(47).steps] == [0, 10, 20, 30, 40]
    assert [step for _x, step in make_curves(4000).steps] == list(range(0, 4001, 500))


def test_chance_labels_are_0_50_and_100_percent() -> None:
    assert make_curves(1).levels == [(HEIGHT, 0), (HEIGHT / 2, 50), (0.0, 100)]
