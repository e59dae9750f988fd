"""Tests that the examples for other implementations match the rules."""

import json

import pytest

from tests.rules import fair_vectors


def test_file_of_examples_matches_the_rules() -> None:
    assert fair_vectors.FILE.read_text(encoding="utf-8") == fair_vectors.format_vectors(), (
        "python -m tests.rules.fair_vectors writes it again; only records may change, "
        "and only because bots play differently"
    )


def test_formatted_examples_are_valid_json() -> None:
    assert json.loads(fair_vectors.format_vectors()) == json.loads(
        json.dumps(fair_vectors.make_vectors())
    )


@pytest.mark.parametrize(("words", "n", "number"), fair_vectors.REJECTED_WORDS)
def test_words_at_the_upper_end_are_skipped(words: list[int], n: int, number: int) -> None:
    assert fair_vectors.draw_from_words(words, n) == number
