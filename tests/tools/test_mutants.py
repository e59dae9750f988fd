"""Tests of `make mutants`: the changes, the choice of tests and the report."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants import changes
from tests.mutants.__main__ import REQUIRED_SHARE, ROOT, print_report
from tests.mutants.changes import Mutant
from tests.mutants.measuring import ON_IMPORT, Measurements

SOURCE = '''"""A module."""

LIMIT = 3


@property
def wins(points: int = 5) -> bool | None:
    """Whether these win."""
    return points < LIMIT


def told(name: str) -> str:
    if not name:
        return "nobody"
    return _("{name} wins.").format(name=name[1])
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "module.py").write_text(SOURCE)
    return tmp_path


def make_mutant(source: str = "", path: str = "games/clocks/races.py", line: int = 1) -> Mutant:
    return Mutant(path, (line, line), "before", "after", source)


def test_mutants_change_function_bodies_but_no_texts(root: Path) -> None:
    found = changes.find_mutants(root, "module.py")
    assert [(one.lines, one.before.strip(), one.after.strip()) for one in found] == [
        ((9, 9), "< LIMIT", "<= LIMIT"),
        ((13, 13), "not name", "name"),
    ]
    assert found[0].source == SOURCE.replace("< LIMIT", "<= LIMIT")
    assert str(found[1]) == "module.py:13: not name → name"


def test_sample_is_proportional_per_file_and_seeded() -> None:
    def make_mutants(path: str, count: int) -> list[Mutant]:
        return [make_mutant(f"x = {number}", path) for number in range(count)]

    files = {
        "a.py": make_mutants("a.py", 90),
        "b.py": make_mutants("b.py", 10),
        "c.py": make_mutants("c.py", 1),
    }
    chosen = changes.draw_sample(files, 20, seed=1)
    assert [mutant.path for mutant in chosen] == ["a.py"] * 18 + ["b.py"] * 2 + ["c.py"]
    assert (
        chosen == changes.draw_sample(files, 20, seed=1) != changes.draw_sample(files, 20, seed=2)
    )
    assert len(set(chosen)) == 21


def test_unparseable_change_is_not_a_mutant() -> None:
    broken, right = make_mutant("def f(:"), make_mutant("def f(): pass")
    assert changes.draw_sample({"a.py": [broken, right]}, 2, seed=1) == [right]


def test_functions_with_the_same_name_are_distinguished() -> None:
    source = "def f():\n    return 1\ndef f():\n    return lambda: 2\n"
    found = changes.map_functions(source, "module.py")
    assert found is not None
    assert {key: code.co_firstlineno for key, code in found.items()} == {
        ("f", 0): 1,
        ("f", 1): 3,
        ("f.<locals>.<lambda>", 0): 4,
    }


TEST_SECONDS = {
    "test_races.py::slow": 9.0,
    "test_races.py::quick": 1.0,
    "test_other.py::first": 0.1,
    "test_other.py::second": 0.2,
    "test_third.py::first": 0.3,
}


def test_nearest_tests_run_first_and_other_files_alternate() -> None:
    measured = Measurements(
        TEST_SECONDS, {"games/clocks/races.py": {1: [*TEST_SECONDS, ON_IMPORT]}}
    )
    assert measured.select_tests(make_mutant(), 100) == [
        "test_races.py::quick",
        "test_races.py::slow",
        "test_other.py::first",
        "test_third.py::first",
        "test_other.py::second",
    ]
    assert measured.select_tests(make_mutant(), 0.5) == ["test_races.py::quick"]
    assert measured.runs_on_import(make_mutant())


def test_only_tests_that_cover_the_line_are_run() -> None:
    measured = Measurements(
        TEST_SECONDS, {"games/clocks/races.py": {1: ["test_other.py::first"], 2: []}}
    )
    assert measured.select_tests(make_mutant(), 100) == ["test_other.py::first"]
    assert not measured.runs_on_import(make_mutant())
    assert set(measured.select_tests(make_mutant(line=2), 100)) == set(TEST_SECONDS)


CHILDREN_SCRIPT = """
from tests.mutants import trying
from tests.mutants.changes import Mutant

def judged(job):
    return {"bad": trying.KILLED, "good": trying.SURVIVED}[job[0].before]

jobs = [(Mutant("a.py", (1, 1), name, "new", ""), [], 1.0) for name in ("good", "bad", "broken")]
assert len(list(trying.run_in_children(jobs, judged, max_workers=1))) == 3
"""


@pytest.mark.slow
def test_child_reports_its_outcome_and_an_error_does_not_count_as_a_kill() -> None:
    command = [sys.executable, "-c", CHILDREN_SCRIPT]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == [
        "survived a.py:1: good → new",
        "killed   a.py:1: bad → new",
        "survived a.py:1: broken → new",
    ]
    assert ended.stderr.splitlines()[-1] == "KeyError: 'broken'"


SWAP_SCRIPT = """
import gc
from pathlib import Path
from tests.mutants import changes, trying
from tournament.common.moments import clock
from datetime import timedelta

gc.freeze()
found = changes.find_mutants(Path("."), "tournament/common/moments.py")
(other,) = [each for each in found if "divmod(minutes, 61)" in each.source]
print(clock(timedelta(minutes=61)))
trying.replace_functions(other)
print(clock(timedelta(minutes=61)))
"""


@pytest.mark.slow
def test_function_frozen_by_the_garbage_collector_can_be_mutated() -> None:
    command = [sys.executable, "-c", SWAP_SCRIPT]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == ["1:01:00", "1:00:00"]


REIMPORT_SCRIPT = """
from tests.mutants import trying
from tests.mutants.changes import Mutant

broken = Mutant("games/rules/deck/decks.py", (1, 1), "", "raise TypeError", "raise TypeError")
trying.try_import_time_mutants([(broken, ["tests/rules/test_text.py"], 9.0)], max_workers=1)
"""


@pytest.mark.slow
def test_mutant_that_breaks_imports_counts_as_killed() -> None:
    command = [sys.executable, "-c", REIMPORT_SCRIPT]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "killed   games/rules/deck/decks.py:1:  → raise TypeError" in ended.stdout.splitlines()


def test_too_many_survivors_fail_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert REQUIRED_SHARE == 0.9
    assert print_report([(make_mutant(), True)] * 9 + [(make_mutant(), False)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["all", "10", "9", "1", "90.0%"]
    assert print_report([(make_mutant(), True)] * 8 + [(make_mutant(), False)]) == 1
