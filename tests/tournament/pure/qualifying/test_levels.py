"""Tests of the tie-breaks for players who are tied at a table."""

from collections.abc import Mapping

from tournament.pure.qualifying import (
    Candidate,
    Contender,
    CutTies,
    QualifyingRule,
    best_of_tables,
    qualify,
)
from tournament.pure.qualifying.levels import table_order
from tournament.pure.ranking import TIE_BREAKERS, MatchResult
from tournament.pure.sentences import Sentence

NAMES = {1: "Nita", 2: "Gita", 3: "Chitra", 4: "Pia"}
# Only the winner has points. The others differ in the points left in hand.
TIED_RESULT = MatchResult((1, 2, 3, 4), (270, 0, 0, 0), (1,), left=(0, 132, 88, 50), table=2)
RESULT_WITHOUT_CARDS = MatchResult((1, 2, 3, 4), (270, 0, 0, 0), (1,), table=2)
BY_LOTS = CutTies("lots", "a key", TIE_BREAKERS)


def make_contenders() -> list[Contender]:
    return [Contender(player, name) for player, name in NAMES.items()]


def render_sentences(sentences: Mapping[int, Sentence]) -> dict[int, str]:
    return {player: str(sentence) for player, sentence in sentences.items()}


def test_points_left_in_hand_rank_players_without_points() -> None:
    order = table_order(TIED_RESULT, NAMES, TIE_BREAKERS)
    assert order.groups == [[1], [4], [3], [2]]
    assert render_sentences(order.ahead) == {
        4: "Ahead of Chitra on points left in hand: 50 to 88.",
        3: "Ahead of Gita on points left in hand: 88 to 132.",
    }
    assert render_sentences(order.behind) == {
        3: "Behind Pia on points left in hand: 88 to 50.",
        2: "Behind Chitra on points left in hand: 132 to 88.",
    }


def test_players_stay_tied_without_tie_breaks_or_with_lots_only() -> None:
    assert table_order(TIED_RESULT, NAMES).groups == [[1], [2, 3, 4]]
    assert table_order(TIED_RESULT, NAMES, ("lots",), {2: 3, 3: 2, 4: 1}).groups == [[1], [2, 3, 4]]


def test_standings_break_ties_that_remain_after_the_match() -> None:
    order = table_order(RESULT_WITHOUT_CARDS, NAMES, TIE_BREAKERS, {1: 1, 2: 7, 3: 5, 4: 7})
    assert order.groups == [[1], [3], [2, 4]]
    assert render_sentences(order.ahead) == {3: "Ahead of Gita in the standings."}
    assert render_sentences(order.behind) == dict.fromkeys(
        (2, 4), "Behind Chitra in the standings."
    )


def test_all_tied_players_are_described_as_ahead_of_the_next_player() -> None:
    result = MatchResult((1, 2, 3, 4), (270, 0, 0, 0), (1,), left=(0, 50, 50, 88), table=2)
    order = table_order(result, NAMES, TIE_BREAKERS)
    assert order.groups == [[1], [2, 3], [4]] or order.groups == [[1], [3, 2], [4]]
    assert set(render_sentences(order.ahead).values()) == {
        "Ahead of Pia on points left in hand: 50 to 88."
    }
    assert set(order.ahead) == {2, 3}


def test_player_without_a_name_gets_no_place() -> None:
    assert table_order(TIED_RESULT, {2: "Gita", 4: "Pia"}, TIE_BREAKERS).groups == [[4], [2]]


def test_no_lots_are_drawn_if_tie_breaks_decide() -> None:
    outcome = best_of_tables(make_contenders(), [TIED_RESULT], 2, BY_LOTS)
    assert {d.name: (d.code, d.sentence) for d in outcome.decisions} == {
        "Nita": ("through", "1st at table 2. The top 2 advance."),
        "Pia": (
            "through",
            "2nd at table 2. The top 2 advance. Ahead of Chitra on points left in hand: 50 to 88.",
        ),
        "Chitra": (
            "behind",
            "3rd at table 2. The top 2 advance. Behind Pia on points left in hand: 88 to 50.",
        ),
        "Gita": (
            "behind",
            "4th at table 2. The top 2 advance. Behind Chitra on points left in hand: 132 to 88.",
        ),
    }


def test_lots_decide_only_as_a_last_resort() -> None:
    codes = {
        d.code
        for d in best_of_tables(make_contenders(), [RESULT_WITHOUT_CARDS], 2, BY_LOTS).decisions
    }
    assert codes == {"through", "lots", "lost_lots"}


def test_standings_break_ties_before_lots_are_drawn() -> None:
    ranks = {1: 1, 2: 4, 3: 2, 4: 3}
    people = [Candidate(pk, NAMES[pk], rank=ranks[pk], played=2) for pk in sorted(NAMES)]
    rule = QualifyingRule("top_k", 2, ties="lots", lots_key="a key", breakers=TIE_BREAKERS)
    outcome = qualify(people, rule, tables=[RESULT_WITHOUT_CARDS])
    assert set(outcome.through) == {1, 3}
    assert "Ahead of Pia in the standings." in next(
        d.sentence for d in outcome.decisions if d.player == 3
    )
