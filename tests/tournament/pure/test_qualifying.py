"""Tests of the cut: which players advance, and the reason for each player."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pure.qualifying import (
    KINDS,
    TIES,
    Candidate,
    Cut,
    Playoff,
    QualifyingRule,
    RuleError,
    qualify,
)
from tournament.pure.qualifying.sentences import name_standings, name_table
from tournament.pure.ranking import Bot, MatchResult, draw_lot


def make_candidates(
    count: int, ranks: Iterable[int] | None = None, **each: dict[str, Any]
) -> list[Candidate]:
    """Return candidates 1 to `count` with these ranks.

    `each` sets fields of single candidates. For example, p3={"gone": "withdrew"} is for P3.
    """
    ranks = ranks or range(1, count + 1)
    return [
        Candidate(**{"player": n, "name": f"P{n}", "rank": rank, "played": 1,
                     **each.get(f"p{n}", {})})
        for n, rank in enumerate(ranks, 1)
    ]  # fmt: skip


def map_codes(outcome: Cut) -> dict[int, str]:
    return {d.player: d.code for d in outcome.decisions}


def get_sentence(outcome: Cut, player: int) -> str:
    return next(d.sentence for d in outcome.decisions if d.player == player)


@pytest.mark.parametrize(
    ("rule", "took_part", "places"),
    [
        (QualifyingRule("number", 8), 20, 8),
        (QualifyingRule("number", 8), 5, 5),
        (QualifyingRule("share", Fraction(1, 4)), 20, 5),
        (QualifyingRule("share", Fraction(1, 4)), 21, 6),
        (QualifyingRule("share", Fraction(1, 4)), 1, 1),
        (QualifyingRule("share", 1), 7, 7),
        (QualifyingRule("thresholds"), 16, 0),
        (QualifyingRule("thresholds"), 17, 8),
        (QualifyingRule("thresholds"), 32, 8),
        (QualifyingRule("thresholds"), 33, 16),
        (QualifyingRule("thresholds"), 64, 16),
        (QualifyingRule("thresholds"), 65, 17),
        (QualifyingRule("thresholds"), 120, 30),
        (QualifyingRule("thresholds", thresholds=((None, 4),)), 9, 4),
    ],
)
def test_rule_determines_how_many_advance(
    rule: QualifyingRule, took_part: int, places: int
) -> None:
    assert rule.places(took_part) == places


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"kind": "luck"}, "“luck” is not a rule for advancing. "
            "Use one of these: number, share, top_k, thresholds."),
        ({"kind": "number", "value": 0}, "0 is not a valid number of players. "
            "Enter a whole number of at least 1."),
        ({"kind": "number", "value": Fraction(1, 2)},
         "1/2 is not a valid number of players. Enter a whole number of at least 1."),
        ({"kind": "share", "value": 25},
         "A share must be between 0 and 1, or between 0% and 100%. A quarter is 1/4 or 25%."),
        ({"kind": "number", "value": 4, "ties": "toss"},
         "“toss” is not a rule for ties. Use one of these: together, hand, lots."),
        ({"kind": "number", "value": 4, "ties": "lots"},
         "Drawing lots requires a key so that the draw can be repeated."),
        ({"kind": "thresholds", "thresholds": ((16, 4),)},
         "The last threshold must cover all larger numbers of players. No other "
"threshold may do so."),
        ({"kind": "thresholds", "thresholds": ((16, 4), (8, 2), (None, 1))},
         "Each threshold must be higher than the one before."),
    ],
)  # fmt: skip
def test_message_about_an_invalid_rule_suggests_a_valid_one(
    values: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(RuleError) as refused:
        QualifyingRule(**values)
    assert str(refused.value) == sentence


def test_each_player_gets_a_reason() -> None:
    outcome = qualify(make_candidates(4), QualifyingRule("number", 2))
    assert outcome.through == (1, 2)
    assert outcome.just_missed == (3, 4)
    assert get_sentence(outcome, 1) == "1st in the standings. The top 2 advance."
    assert get_sentence(outcome, 3) == "3rd in the standings. The top 2 advance."
    assert outcome.sentence == "2 of 4 players advance."


def test_participation_requires_enough_finished_matches() -> None:
    people = make_candidates(
        6, p2={"played": 0}, p5={"played": 1}, p1={"played": 2}, p3={"played": 2}
    )
    outcome = qualify(people, QualifyingRule("share", Fraction(1, 2), minimum_matches=2))
    assert (outcome.took_part, outcome.places, outcome.through) == (2, 1, (1,))
    assert map_codes(outcome)[2] == "too_few"
    assert [d.player for d in outcome.decisions if d.through is False] == [2, 3, 4, 5, 6]
    assert (
        get_sentence(outcome, 2)
        == "Hasn’t finished a match. A player needs at least 2 matches to count as taking "
        "part."
    )
    assert (
        get_sentence(outcome, 5)
        == "Finished 1 match. A player needs at least 2 matches to count as taking part."
    )


def test_no_players_advance_below_the_first_threshold() -> None:
    outcome = qualify(make_candidates(10), QualifyingRule("thresholds"))
    assert outcome.through == ()
    assert outcome.sentence == "10 players took part. Under this rule, no one advances."
    assert get_sentence(outcome, 1) == "1st in the standings. No one advances."


TIED_RANKS = (1, 2, 2, 2, 5)


def test_players_tied_for_the_last_place_advance_together() -> None:
    outcome = qualify(make_candidates(5, TIED_RANKS), QualifyingRule("number", 2))
    assert outcome.through == (1, 2, 3, 4)
    assert map_codes(outcome) == {1: "through", 2: "tied", 3: "tied", 4: "tied", 5: "behind"}
    assert get_sentence(outcome, 2) == (
        "Tied with 2 other players for the last spot in the standings. All tied players advance."
    )
    assert outcome.sentence == (
        "4 of 5 players advance. That is more than the 2 planned spots, because "
        "everyone tied for the last spot advances."
    )


def test_tied_players_advance_if_there_are_spots_for_all() -> None:
    assert (
        map_codes(
            qualify(make_candidates(5, TIED_RANKS), QualifyingRule("number", 4, ties="hand"))
        )[4]
        == "through"
    )


def test_players_tied_for_the_last_place_play_a_tie_break_hand() -> None:
    rule = QualifyingRule("number", 3, ties="hand")
    waiting = qualify(make_candidates(5, TIED_RANKS), rule)
    assert waiting.playoffs == (Playoff((2, 3, 4), 2, name_standings()),)
    assert waiting.through == (1,)
    assert {d.player: d.through for d in waiting.decisions} == {
        1: True, 2: None, 3: None, 4: None, 5: False
    }  # fmt: skip
    assert waiting.sentence == (
        "1 of 5 players advances. 3 tied players still have to play a hand for the last 2 spots."
    )
    played = qualify(make_candidates(5, TIED_RANKS), rule, hands=[(4, 2, 3)])
    assert played.played == (Playoff((4, 2, 3), 2, name_standings()),)
    assert (played.through, played.playoffs, played.just_missed) == ((1, 2, 4), (), (3, 5))
    assert get_sentence(played, 3) == (
        "Tied with 2 other players for the last 2 spots in the standings. Lost the tie-break hand."
    )


def test_latest_tie_break_hand_of_all_tied_players_counts() -> None:
    rule = QualifyingRule("number", 3, ties="hand")
    assert qualify(make_candidates(5, TIED_RANKS), rule, hands=[(3, 2, 4), (4, 2, 3)]).through == (
        1,
        2,
        3,
    )
    # No hand was played by all of 2, 3 and 4. The orders of two hands are not combined.
    apart = qualify(make_candidates(5, TIED_RANKS), rule, hands=[(5, 3, 2), (4, 3)])
    assert (apart.playoffs, apart.played) == ((Playoff((2, 3, 4), 2, name_standings()),), ())


def test_tie_break_hand_counts_after_a_player_leaves() -> None:
    rule = QualifyingRule("number", 2, ties="hand")
    people = make_candidates(5, TIED_RANKS, p4={"gone": "withdrew"})
    outcome = qualify(people, rule, hands=[(4, 3, 2)])
    assert (outcome.through, outcome.played) == ((1, 3), (Playoff((3, 2), 1, name_standings()),))


def test_lots_can_be_repeated() -> None:
    outcome = qualify(
        make_candidates(5, TIED_RANKS), QualifyingRule("number", 2, ties="lots", lots_key="a key")
    )
    first = min((2, 3, 4), key=lambda p: draw_lot("a key", p))
    assert outcome.through == (1, first)
    assert {p for p, code in map_codes(outcome).items() if code == "lost_lots"} == {2, 3, 4} - {
        first
    }


def test_withdrawn_player_is_replaced_by_the_next_player() -> None:
    people = make_candidates(5, p2={"gone": "withdrew on 3 May"})
    outcome = qualify(people, QualifyingRule("number", 3))
    assert outcome.through == (1, 3, 4)
    assert map_codes(outcome) == {1: "through", 2: "gone", 3: "through", 4: "replaces", 5: "behind"}
    assert get_sentence(outcome, 2) == "Can’t advance: withdrew on 3 May."
    assert get_sentence(outcome, 4) == (
        "4th in the standings. Advances in place of a player who has left."
    )


def test_share_counts_players_who_have_left() -> None:
    outcome = qualify(
        make_candidates(8, p1={"gone": "withdrew"}), QualifyingRule("share", Fraction(1, 4))
    )
    assert (outcome.took_part, outcome.through) == (8, (2, 3))


# Table 2 has no result.
TABLE_RESULTS = (
    MatchResult((1, 2, 3, 4), (500, 90, 90, 0), (1,), table=1),
    MatchResult((5, 6, 7), (10, 505, 90), (6,), table=3),
)


def test_best_player_of_each_table_advances() -> None:
    outcome = qualify(make_candidates(8), QualifyingRule("top_k", 1), tables=TABLE_RESULTS)
    assert outcome.through == (1, 6)
    assert get_sentence(outcome, 6) == "1st at table 3. Only the top player advances."
    assert map_codes(outcome)[8] == "no_result"
    assert [d.player for d in outcome.decisions if d.through is False] == [2, 3, 4, 5, 7, 8]


def test_ties_and_withdrawals_affect_only_their_table() -> None:
    people = make_candidates(8, p6={"gone": "withdrew"})
    outcome = qualify(people, QualifyingRule("top_k", 2, ties="hand"), tables=TABLE_RESULTS)
    assert outcome.through == (1, 5, 7)
    assert outcome.playoffs == (Playoff((2, 3), 1, name_table(1)),)
    assert map_codes(outcome)[5] == "replaces"
    assert map_codes(outcome)[4] == "behind"


@pytest.mark.parametrize("step", [1, -1])
def test_better_place_counts_for_a_player_of_two_tables(step: int) -> None:
    tables = (
        MatchResult((1, 2), (500, 0), (1,), table=1),
        MatchResult((1, 3), (0, 500), (3,), table=2),
    )
    outcome = qualify(make_candidates(3), QualifyingRule("top_k", 1), tables=tables[::step])
    assert outcome.through == (1, 3)
    assert get_sentence(outcome, 1) == "1st at table 1. Only the top player advances."


def test_bots_at_a_table_do_not_advance() -> None:
    tables = (MatchResult((Bot(1), 1, 2, Bot(2)), (500, 10, 40, 300), (Bot(1),)),)
    assert qualify(make_candidates(2), QualifyingRule("top_k", 1), tables=tables).through == (2,)


def test_every_choice_has_a_description() -> None:
    assert all(text.endswith(".") for text in (*KINDS.values(), *TIES.values()))


candidates = st.lists(
    st.tuples(st.booleans(), st.integers(0, 2), st.sampled_from(["", "withdrew"])), max_size=20
).map(
    lambda rows: [
        Candidate(
            n, f"P{n}", gone, rank=sum(not level for level, _, _ in rows[:n]) + 1, played=played
        )
        for n, (_, played, gone) in enumerate(rows, 1)
    ]
)


@given(candidates, st.integers(1, 20), st.sampled_from(list(TIES)), st.integers(1, 2))
def test_no_player_advances_before_a_higher_ranked_one(
    people: list[Candidate], number: int, ties: str, minimum: int
) -> None:
    rule = QualifyingRule("number", number, ties=ties, lots_key="key", minimum_matches=minimum)
    outcome = qualify(people, rule)
    able = [c for c in people if c.played >= minimum and not c.gone]
    waiting = outcome.playoffs[0] if outcome.playoffs else Playoff((), 0, name_standings())
    assert [d.player for d in outcome.decisions] == [c.player for c in people]
    assert all(d.sentence for d in outcome.decisions)
    filled = len(outcome.through) + waiting.places
    assert filled >= min(number, len(able))
    if ties != "together":
        assert filled == min(number, len(able))
    through = {c.player: c.rank for c in able if c.player in outcome.through}
    out = [c.rank for c in able if c.player not in (*outcome.through, *waiting.players)]
    if through and out:
        assert max(through.values()) <= min(out)
        if ties == "together":
            assert max(through.values()) < min(out)
