"""Tests that names in ten scripts remain different and unchanged."""

import csv
import io
import itertools
import unicodedata

import pytest

from games.rules.clusters import shorten, split_clusters
from tests.tournament.names_of_scripts import ALL_NAMES, NAMES
from tests.typed import sure
from tournament.pure.files import FORMATS, Column, Sheet
from tournament.pure.lists import judge
from tournament.pure.texts import clean_text, is_name, shorten_cell, skeleton


def test_two_hundred_names_in_ten_scripts_are_all_different() -> None:
    assert (len(NAMES), len(set(ALL_NAMES))) == (10, 200)
    skeletons = {name: skeleton(name) for name in ALL_NAMES}
    pairs = itertools.combinations(skeletons, 2)
    same = [(a, b) for a, b in pairs if skeletons[a] == skeletons[b]]
    assert same == []


@pytest.mark.parametrize("name", ALL_NAMES)
def test_name_is_returned_as_it_was_entered(name: str) -> None:
    written = unicodedata.normalize("NFC", name)
    assert (clean_text(name), shorten_cell(name), is_name(name)) == (written, written, True)
    assert "".join(split_clusters(name)) == name


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_list_of_all_names_is_imported_and_exported_unchanged(kind: str) -> None:
    people = [(f"R{number}", name) for number, name in enumerate(ALL_NAMES)]
    out = io.BytesIO()
    columns = [Column("roll", "Roll No."), Column("name", "Name")]
    FORMATS[kind].write(Sheet("list", "Students", columns, iter(people)), out)
    read = [sure(v.student) for v in judge(out.getvalue()).verdicts]
    assert [(s.roll_number, s.name) for s in read] == [
        (roll, unicodedata.normalize("NFC", name)) for roll, name in people
    ]
    if kind == "csv":
        rows = list(csv.reader(io.StringIO(out.getvalue().decode("utf-8-sig"))))
        assert [row[1] for row in rows[1:]] == ALL_NAMES


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Asha", "Asha\u3164"), ("Asha", "A\u115fs\u1160ha"), ("Asha", "Asha\u2800"),
        ("Asha", "Asha\U0001d159"), ("Asha", "As\u034fha"), ("Asha", "Asha\ufe0f"),
        ("Asha", "A\u200dsha"), ("Asha", "As\u200cha"), ("राम", "रा\u200dम"), ("राम", "रा\u200cम"),
        ("داود", "دا\u200cود"), ("Asha Rao", "Asha.Rao"), ("Asha Rao", "Asha · Rao"),
        ("Asha Rao", "Asha-Rao"), ("O’Neil", "O'Neil"), ("ONeil", "OʼNeil"), ("Maya", "rnaya"),
        ("Mohan", "Rnohan"), ("Bill", "B!ll"), ("William", "VVilliam"), ("Ana", "Ana\U000e0041"),
        ("Łukasz", "Lukasz"), ("আ", "অা"), ("आशा", "अाशा"), ("Иван", "Ива́н"), ("Νίκος", "Νικος"),
    ],
)  # fmt: skip
def test_barely_visible_differences_do_not_distinguish_names(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    "name",
    ["\u3164", "\u115f\u1160", "\uffa0", "\u2800\u2800", "\U0001d159", "\u200d", "\u034f", "\ufe0f",
     "\u17b4", "\u180e", "\U000e0041", "\u2060", "\u00ad", "\ufffc"],
)  # fmt: skip
def test_invisible_text_is_not_a_name(name: str) -> None:
    assert (clean_text(name), is_name(clean_text(name))) == ("", False)


@pytest.mark.parametrize(
    "text",
    ["👩‍👩‍👧‍👦", "❤️", "👨🏽‍🎓", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🇮🇳", "3️⃣", "🏳️‍🌈",
     "葛\U000e0100城", "می‌خواهم", "अनिल्‍कर", "ക്‌ഷമ",
     # Joiners after a letter that never joins, at the end of a word, and before a Khmer shifter.
     "محمد\u200cرضا", "جگت ه\u200d", "जगत्\u200c सिंह", "ស\u200c៊ី", "ᠰᠠᠷᠠᠨ\u180eᠠ", "ᠠᠨ\u180bᠠ",
     "ℹ\ufe0f", "⤴\ufe0f", "◼\ufe0f"],
)  # fmt: skip
def test_joiners_and_variation_selectors_are_kept_in_place(text: str) -> None:
    assert clean_text(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("text", "count"),
    [("राम", 2), ("क्षमा", 2), ("র‍্যাচেল", 3), ("👩‍👩‍👧‍👦👨🏽‍🎓", 2), ("🇮🇳🇧🇩", 2),
     ("Zoe\u0308", 3), ("한국", 2),
     ("\u1112\u1161\u11ab", 1), ("ശ്രീ", 1), ("a\r\nb", 3)],
)  # fmt: skip
def test_text_is_split_into_grapheme_clusters(text: str, count: int) -> None:
    assert len(list(split_clusters(text))) == count


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("Asha", 4, "Asha"), ("Ashas", 4, "Ash…"), ("Asha Rao", 6, "Asha…"),
        ("রামমোহন", 4, "রাম…"), ("কক্ষ", 3, "ক…"),
        ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 9, "👩‍👩‍👧‍👦…"), ("👩‍👩‍👧‍👦", 4, "…"),
        ("ab🇮🇳", 3, "ab…"),
    ],
)  # fmt: skip
def test_text_is_truncated_between_clusters_with_an_ellipsis(
    text: str, most: int, expected: str
) -> None:
    assert shorten(text, most) == expected
