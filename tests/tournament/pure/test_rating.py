"""Tests of ratings computed from places in matches."""

import pytest

from tournament.pure.rating import LEAST_MATCHES, RatedMatch, rate_players

RATED_MATCH = RatedMatch((1, 2, 3, 4), (1, 2, 3, 4))


def test_no_matches_give_no_ratings() -> None:
    assert rate_players([]) == {}


def test_better_places_give_better_ratings() -> None:
    found = rate_players([RATED_MATCH] * 3)
    assert sorted(found, key=lambda player: -found[player].ordinal) == [1, 2, 3, 4]


def test_shared_place_gives_the_same_rating() -> None:
    found = rate_players([RatedMatch((1, 2, 3), (1, 2, 2))])
    assert found[2] == found[3]
    assert found[1].skill > found[2].skill


def test_uncertainty_shrinks_with_each_match() -> None:
    errors = [rate_players([RATED_MATCH] * count)[1].error for count in (1, 5, 20)]
    assert errors == sorted(errors, reverse=True)


def test_rating_is_known_from_the_fifth_match_on() -> None:
    few, enough = (
        rate_players([RATED_MATCH] * (LEAST_MATCHES - 1)),
        rate_players([RATED_MATCH] * LEAST_MATCHES),
    )
    assert (few[1].is_known, enough[1].is_known) == (False, True)


def test_ordinal_starts_at_zero() -> None:
    first = rate_players([RatedMatch((1, 2), (1, 1))])[1]
    assert first.ordinal == pytest.approx(first.skill - 3 * first.error)
    assert 0 <= first.ordinal < 2


def test_corrected_place_changes_later_ratings_too() -> None:
    corrected = RatedMatch((1, 2, 3, 4), (4, 2, 3, 1))
    before, after = rate_players([RATED_MATCH, RATED_MATCH]), rate_players([corrected, RATED_MATCH])
    assert before[1].ordinal > after[1].ordinal
    assert before[2] != after[2]
