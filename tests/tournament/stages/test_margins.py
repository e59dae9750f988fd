"""Margins between players and the cut line, and the rows shown around that line."""

from tournament.pure.ranking import MatchResult, StandingsRow, rank_players
from tournament.stages.margins import get_metric_title, margins


def make_standings_rows(
    *points: int, order: tuple[str, ...] = ("points", "wins")
) -> list[StandingsRow]:
    """Return the standings after one match with these points.

    They include another player, who has played no match.
    """
    names = {number: f"P{number}" for number in range(1, len(points) + 2)}
    match = MatchResult(
        players=tuple(range(1, len(points) + 1)), points=points, winners=(1,), table=1
    )
    return rank_players(names, [match], order)


def test_margin_is_measured_to_the_nearest_player_across_the_line() -> None:
    found = margins(make_standings_rows(90, 70, 58, 10), 2)
    assert [(each.points, each.text, each.last) for each in found.values()] == [
        ("90", "ahead by 32", False),
        ("70", "ahead by 12", True),
        ("58", "behind by 12", False),
        ("10", "behind by 60", False),
        ("0", "", False),
    ]


def test_deciding_tie_break_is_shown_for_equal_points() -> None:
    found = margins(make_standings_rows(90, 90, 10), 1)
    assert found[1].text == "tied; decided by matches won: 1 to 0"
    assert found[2].text == "tied; decided by matches won: 0 to 1"
    assert found[2].parted == "Behind P1 on matches won: 0 to 1."
    assert found[3].parted == ""


def test_player_with_fewer_points_is_ahead_if_the_fewest_points_win() -> None:
    found = margins(make_standings_rows(0, 20, 50, order=("average",)), 2)
    assert [each.text for each in found.values()] == [
        "ahead by 50",
        "ahead by 30",
        "behind by 30",
        "",
    ]
    assert get_metric_title(make_standings_rows(0, 20, order=("average",))) == "Points per match"


def test_players_who_are_equal_in_every_metric_are_tied() -> None:
    found = margins(make_standings_rows(90, 50, 50, order=("points",)), 2)
    assert [each.text for each in found.values()][1:3] == ["tied", "tied"]


def test_ten_rows_around_the_line_are_near_or_the_first_ten_without_a_line() -> None:
    many = make_standings_rows(*range(900, 600, -10))
    near = [number for number, each in enumerate(margins(many, 12).values(), 1) if each.near]
    assert near == [*range(8, 18)]
    near = [number for number, each in enumerate(margins(many, 0).values(), 1) if each.near]
    assert near == [*range(1, 11)]
    assert not any(each.text or each.last for each in margins(many, 0).values())
