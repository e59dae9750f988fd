"""Stored sentences, which are kept as data and rendered for each reader."""

import json

import pytest

from tournament.pure.sentences import Sentence, stored_sentence


@stored_sentence("counted_for_a_test")
def counting_test_sentence(count: int, players: Sentence | str) -> str:
    """Return a sentence used only by the tests."""
    return f"{count} for {players}."


@stored_sentence("listed_for_a_test")
def listing_test_sentence(parts: list[Sentence]) -> str:
    """Return a sentence that consists of other sentences."""
    return "; ".join(map(str, parts))


NESTED_SENTENCE = listing_test_sentence(
    [counting_test_sentence(1, "Asha"), counting_test_sentence(2, players="Ben")]
)


def test_sentence_renders_its_arguments_only_when_shown() -> None:
    said = counting_test_sentence(3, players="Asha")
    assert said == Sentence("counted_for_a_test", {"count": 3, "players": "Asha"})
    assert (str(said), f"{said}", bool(said)) == ("3 for Asha.", "3 for Asha.", True)
    assert (str(Sentence()), bool(Sentence())) == ("", False)


@pytest.mark.parametrize(
    "sentence", [NESTED_SENTENCE, counting_test_sentence(0, NESTED_SENTENCE), Sentence()]
)
def test_stored_sentence_is_read_back_unchanged(sentence: Sentence) -> None:
    assert Sentence.from_json(json.loads(json.dumps(sentence.to_json()))) == sentence


def test_nested_sentences_are_rendered_together() -> None:
    assert str(NESTED_SENTENCE) == "1 for Asha.; 2 for Ben."


def test_plain_text_from_older_versions_is_kept() -> None:
    old = Sentence.from_json("1 of table 2.")
    assert (str(old), Sentence.from_json(old.to_json())) == ("1 of table 2.", old)
    assert Sentence.from_json("") == Sentence()


def test_sentence_kind_belongs_to_one_function() -> None:
    with pytest.raises(ValueError, match=r"^There is a kind of sentence called written already\.$"):
        stored_sentence("written")(str)
