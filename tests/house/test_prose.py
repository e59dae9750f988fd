"""Tests of sentence lengths in documents.

`python -m tests.prose` prints the figures.
"""

import pytest

from tests import prose
from tests.house.offenders import map_offenders


def test_document_sentences_are_short() -> None:
    assert map_offenders(prose.DOCUMENTS, prose.list_exceeded_limits) == {}


@pytest.mark.parametrize(
    ("markdown", "sentences"),
    [
        ("# A heading of five words\n\nOne idea to a sentence.", ["One idea to a sentence."]),
        ("It stops right here. It starts once more.", 2),
        ("It ends here (in brackets.) Then another one follows.", 2),
        ("Press Start, e.g. on the round's page.", 1),
        ("One line of text\nand another line.", ["One line of text and another line."]),
        ("- the first of the items\n- the second of the items", 2),
        ("Text that introduces a list:\n1. the first of the items", 2),
        ("| a cell of four words | a cell of five such words |\n|---|---|\n| label | |", 2),
        ("Read [the page about rounds](rounds.md#the-second) first.", 1),
        ("```sh\nmake test and four more words\n```", 0),
        ("    make test and four more words", 0),
        ("<!-- A comment of several words. -->", 0),
        ("Labels of three", 0),
    ],
)
def test_page_is_split_into_sentences(markdown: str, sentences: list[str] | int) -> None:
    found = list(prose.iter_sentences(markdown))
    assert found == sentences or len(found) == sentences


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("Type `manage.py backup FILE` there first.", 4),
        ("The [page of rounds](rounds.md) – **here**.", 5),
    ],
)
def test_code_span_counts_as_one_word_and_link_as_its_text(sentence: str, count: int) -> None:
    assert prose.measure_sentences(sentence).longest == count


def make_page(*lengths: int) -> str:
    return " ".join("Word" + " word" * (length - 1) + "." for length in lengths)


@pytest.mark.parametrize(
    ("page", "limits"),
    [
        (make_page(*[16] * 18, 28, 40), 0),
        (make_page(*[17] * 20), 1),
        (make_page(*[16] * 18, 29, 29), 1),
        (make_page(*[16] * 20, 41), 1),
        (make_page(41), 3),
        ("", 0),
    ],
)
def test_long_sentences_are_detected(page: str, limits: int) -> None:
    assert len(prose.list_exceeded_limits(page)) == limits
