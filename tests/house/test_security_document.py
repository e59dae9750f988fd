"""Tests that docs/security.md answers every item of ASVS 5.0.0, levels 1 and 2."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.faults.cases import Cases

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "security.md").read_text()
# Sections of the standard, each with the level of its items in order. Level 3 is not required.
STANDARD_ITEMS = """
1.1 22  1.2 1111122223  1.3 112222222223  1.4 222  1.5 123
2.1 122  2.2 112  2.3 12223  2.4 23
3.1 3  3.2 113  3.3 12223  3.4 11222233  3.5 11122333  3.6 3  3.7 22333
4.1 12233  4.2 23333  4.3 22  4.4 1222
5.1 2  5.2 112333  5.3 113  5.4 222
6.1 222  6.2 111111112222  6.3 11223333  6.4 112233  6.5 22222333  6.6 2223  6.7 33  6.8 2222
7.1 222  7.2 1111  7.3 22  7.4 11222  7.5 223  7.6 22
8.1 1233  8.2 1123  8.3 133  8.4 23
9.1 111  9.2 1222
10.1 22  10.2 223  10.3 22223  10.4 1111122222233333  10.5 22222  10.6 22  10.7 222
11.1 2233  11.2 22233  11.3 11233  11.4 1222  11.5 23  11.6 23  11.7 33
12.1 12233  12.2 11  12.3 22223
13.1 2333  13.2 222223  13.3 2233  13.4 1222233
14.1 22  14.2 12223333  14.3 122
15.1 12233  15.2 12233  15.3 1222222  15.4 3333
16.1 2  16.2 22222  16.3 2222  16.4 222  16.5 2223
17.1 23  17.2 22223333  17.3 22
"""
ITEM_ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
KEPT_PREFIXES = ("Test: ", "Setting: ", "Document: ")
NOT_KEPT_PREFIXES = {"Not applicable: ": "not applicable", "Not kept: ": "not kept"}
SUMMARY_LINE = re.compile(
    r"\*\*(\d+) items: (\d+) kept, (\d+) not applicable, (\d+) not kept\.\*\*"
)


class SecurityItem(NamedTuple):
    """A row of the table in docs/security.md."""

    number: str
    level: str
    asks: str
    answer: str

    @property
    def kind(self) -> str:
        return next(
            (NOT_KEPT_PREFIXES[each] for each in NOT_KEPT_PREFIXES if self.answer.startswith(each)),
            "kept",
        )

    @property
    def quoted_names(self) -> list[str]:
        """The tests, files and quotations in the answer's inline code."""
        return re.findall(r"`([^`]+)`", self.answer)

    @property
    def answer_parts(self) -> list[str]:
        """The parts of the answer, such as a test and a setting."""
        return re.split(r"; (?=(?:Test|Setting|Document): )", self.answer)


ITEMS = [SecurityItem(*found) for found in ITEM_ROW.findall(DOCUMENT)]


def list_item_levels() -> dict[str, str]:
    """Return the level of each item of levels 1 and 2."""
    words = STANDARD_ITEMS.split()
    return {
        f"{section}.{place}": level
        for section, levels in zip(words[::2], words[1::2], strict=True)
        for place, level in enumerate(levels, start=1)
        if level != "3"
    }


def is_file(name: str) -> bool:
    return re.fullmatch(r"[\w./-]+\.(py|md|js|toml|txt)", name) is not None


@cache
def list_definitions(file: str) -> set[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.parse(read_file(file)).body if isinstance(node, kinds)}


@cache
def read_file(file: str) -> str:
    return (ROOT / file).read_text()


def list_headings(text: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", text, re.MULTILINE)


def make_anchor(heading: str) -> str:
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


def test_standard_has_253_items_of_levels_1_and_2() -> None:
    assert Counter(list_item_levels().values()) == {"1": 69, "2": 184}


def test_every_item_is_answered_once_in_order() -> None:
    assert [(item.number, item.level) for item in ITEMS] == list(list_item_levels().items())


def test_item_is_summarized_in_ten_words() -> None:
    assert [item for item in ITEMS if len(item.asks.split()) > 10] == []


def test_every_answer_is_of_a_known_kind() -> None:
    assert [
        item for item in ITEMS if not item.answer.startswith((*KEPT_PREFIXES, *NOT_KEPT_PREFIXES))
    ] == []


def test_named_tests_exist() -> None:
    named = [name.split("::") for item in ITEMS for name in item.quoted_names if "::" in name]
    assert [(file, test) for file, test in named if test not in list_definitions(file)] == []
    assert [test for _, test in named if not test.startswith("test_")] == []


def test_named_files_exist() -> None:
    named = [name for item in ITEMS for name in item.quoted_names if is_file(name)]
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_answers_citing_a_test_setting_or_document_name_one() -> None:
    marks = {"Test": "`tests/", "Setting": " in `|`[a-z-]+\\.txt`", "Document": "`docs/|\\]\\(#"}
    parts = [part for item in ITEMS if item.kind == "kept" for part in item.answer_parts]
    assert [part for part in parts if not re.search(marks[part.partition(":")[0]], part)] == []


def test_quoted_text_exists_in_the_named_file() -> None:
    named = [
        (name, file)
        for item in ITEMS
        for name, file in re.findall(r"`([^`]+)` in `([^`]+)`", item.answer)
    ]
    assert [(name, file) for name, file in named if name not in read_file(file)] == []


def test_named_headings_exist() -> None:
    own = {make_anchor(heading) for heading in list_headings(DOCUMENT)}
    answers = "\n".join(item.answer for item in ITEMS)
    assert set(re.findall(r"\]\(#([^)]+)\)", answers)) - own == set()
    elsewhere = re.findall(r"`(docs/[\w-]+\.md)` \(([^)]+)\)", answers)
    assert [
        (file, name)
        for file, name in elsewhere
        if not any(heading.startswith(name) for heading in list_headings(read_file(file)))
    ] == []


def test_summary_matches_the_table_counts() -> None:
    kinds = Counter(item.kind for item in ITEMS)
    [message] = SUMMARY_LINE.findall(DOCUMENT)
    counted = [len(ITEMS), kinds["kept"], kinds["not applicable"], kinds["not kept"]]
    assert [int(number) for number in message] == counted


def test_unmet_items_are_listed_before_the_table() -> None:
    result = DOCUMENT.partition("These items are not kept: ")[2].partition("\n\n")[0]
    missing = [item.number for item in ITEMS if item.kind == "not kept"]
    assert sorted(re.findall(r"\d+\.\d+\.\d+", result)) == sorted(missing)


def test_fault_table_matches_the_output_of_its_run() -> None:
    assert "\n".join(Cases().format_lines()) in DOCUMENT


def test_every_attack_on_a_deal_names_an_existing_test() -> None:
    table = DOCUMENT.partition("| the server … | table |")[2].partition("\n\n")[0]
    rows = [row.split(" | ")[-1] for row in table.splitlines()[2:]]
    named = [name for row in rows for name in re.findall(r"`([\w./]+)`", row)]
    folders = (ROOT / "tests" / "faults", ROOT)
    assert [row for row in rows if not re.match(r"`|the same", row)] == []
    assert [name for name in named if not any((each / name).exists() for each in folders)] == []
