"""Tests that the score is computed only when it may have changed."""

from copy import copy
from dataclasses import replace

import pytest

from games import store
from games.models import Match
from games.tables.sheet import score_of
from tests.games.helpers import act, begin

pytestmark = pytest.mark.django_db


def test_score_is_computed_only_once_during_a_hand() -> None:
    snapshot = store.load(begin(["R1 R2 R8", "R3 R4 R9"], "R5").pk)
    assert score_of(replace(snapshot, actions=())) is score_of(snapshot)


def test_points_count_at_the_end_of_the_hand() -> None:
    match = begin(["R1", "R3 G9"], "R5")
    assert score_of(store.load(match.pk)).totals == [0, 0]
    act(match, 0, {"play": "R1"})
    score = score_of(store.load(match.pk))
    assert (score.totals, score.winners, score.hands_played) == ([3, 0], [], 1)


def test_score_is_recomputed_when_the_match_ends() -> None:
    match = begin(["R1", "R3 G9"], "R5")
    act(match, 0, {"play": "R1"})
    before = store.load(match.pk)
    assert score_of(before).winners == []
    over = copy(before.match)
    over.phase, over.ended = Match.Phase.OVER, Match.MatchEnding.TIME
    assert score_of(replace(before, match=over)).winners == [0]
