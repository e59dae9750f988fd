"""Tests of sentences that are stored as data and translated for each reader."""

import json

import pytest

from tournament.pure.sentences import Sentence, stored_sentence


@stored_sentence("counted_for_a_test")
def counting_test_sentence(count: int, players: Sentence | str) -> str:
    """Return a test sentence with a number and a nested sentence."""
    return f"{count} for {players}."


@stored_sentence("listed_for_a_test")
def listing_test_sentence(parts: list[Sentence]) -> str:
    """Return a test sentence that lists other sentences."""
    return "; ".join(map(str, parts))


NESTED_SENTENCE = listing_test_sentence(
    [counting_test_sentence(1, "Asha"), counting_test_sentence(2, players="Ben")]
)


def test_sentence_is_rendered_only_when_shown() -> None:
    sentence = counting_test_sentence(3, players="Asha")
    assert sentence == Sentence("counted_for_a_test", {"count": 3, "players": "Asha"})
    assert (str(sentence), f"{sentence}", bool(sentence)) == ("3 for Asha.", "3 for Asha.", True)
    assert (str(Sentence()), bool(Sentence())) == ("", False)


@pytest.mark.parametrize(
    "sentence", [NESTED_SENTENCE, counting_test_sentence(0, NESTED_SENTENCE), Sentence()]
)
def test_stored_sentence_is_loaded_unchanged(sentence: Sentence) -> None:
    assert Sentence.from_json(json.loads(json.dumps(sentence.to_json()))) == sentence


def test_nested_sentences_are_rendered_inside_their_sentence() -> None:
    assert str(NESTED_SENTENCE) == "1 for Asha.; 2 for Ben."


def test_plain_text_from_an_older_version_is_kept() -> None:
    old = Sentence.from_json("1 of table 2.")
    assert (str(old), Sentence.from_json(old.to_json())) == ("1 of table 2.", old)
    assert Sentence.from_json("") == Sentence()


def test_kind_of_a_sentence_can_be_registered_only_once() -> None:
    with pytest.raises(ValueError, match=r"^There is already a kind of sentence called written\.$"):
        stored_sentence("written")(str)
