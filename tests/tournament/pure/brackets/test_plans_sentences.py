"""Tests of sentences about players without a result at a table."""

from tournament.pure.brackets.plans import had_bye
from tournament.pure.qualifying.sentences import describe_no_result


def test_bye_and_missing_result_have_a_sentence() -> None:
    assert str(had_bye()) == "Has a bye and advances without playing."
    assert str(describe_no_result()) == "Has no result from the round that counts."
