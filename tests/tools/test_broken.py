"""Tests of the breaks that `make nightly` tries: their places in the code and their outcomes."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.check import ROOT
from tests.faults import breaks, broken
from tests.faults.breaks import BREAKS, UNBREAKABLE, Break, list_numbers, needs_services
from tests.faults.outcomes import Outcome, parse_outcome
from tests.faults.test_f70_mail_server_outages import is_running
from tests.services import wait_for

SAMPLE_BREAK = Break(7, "games/seats.py", "MOST = 20", "MOST = 21")
TEST_FILE = "tests/faults/test_f07_cards_not_held.py"


# Data


@pytest.mark.parametrize("each", BREAKS, ids=lambda each: f"F{each.number} {each.file}")
def test_broken_code_occurs_once_and_still_parses(each: Break) -> None:
    text = (ROOT / each.file).read_text()
    changed = each.apply(text)
    assert changed != text
    if each.file.endswith(".py"):
        compile(changed, each.file, "exec")


def test_broken_script_still_parses() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node.js")
    scripts = [each for each in BREAKS if each.file.endswith(".js")]
    wrong = [each for each in scripts if not _is_script(node, each)]
    assert (len(scripts) > 5, wrong) == (True, [])


def _is_script(node: str, broken: Break) -> bool:
    changed = broken.apply((ROOT / broken.file).read_text())
    command = [node, "--input-type=module", "--check", "-"]
    return subprocess.run(command, input=changed, text=True, check=False).returncode == 0


def test_code_that_does_not_occur_exactly_once_is_reported() -> None:
    with pytest.raises(ValueError, match="F20: 'MOST' stands not once in places"):
        Break(20, "places.py", "MOST", "LEAST").apply("MOST = MOST + 1")


def test_every_requirement_has_tests_and_a_break_or_a_reason() -> None:
    assert list_numbers() == set(range(1, max(list_numbers()) + 1))
    found = Counter({each.number for each in BREAKS})
    assert sorted((found + Counter(UNBREAKABLE.keys())).elements()) == sorted(list_numbers())
    assert [number for number, why in UNBREAKABLE.items() if not why.endswith(".")] == []


def test_breaks_are_distinct_and_never_in_tests() -> None:
    changes = Counter((each.file, each.old, each.new) for each in BREAKS)
    assert [change for change, count in changes.items() if count > 1] == []
    assert [each.file for each in BREAKS if each.file.startswith("tests/")] == []


@pytest.mark.parametrize("number", sorted(list_numbers()))
def test_tests_of_every_requirement_exist(number: int) -> None:
    tests = [test.split("::") for test in breaks.list_tests(number)]
    assert tests
    missing = [file for file, *_names in tests if not (ROOT / file).exists()]
    missing += [
        name
        for file, *names in tests
        for name in names
        if f"def {name}(" not in (ROOT / file).read_text()
    ]
    assert missing == []


def test_database_dependent_tests_use_postgresql() -> None:
    assert (needs_services(11), needs_services(48), needs_services(78)) == (True, True, True)
    assert (needs_services(8), needs_services(43)) == (False, False)


# Output of a run


def make_summary(*lines: str, end: str) -> str:
    head = "=========================== short test summary info ===="
    return "\n".join(["..F.", head, *lines, end, ""])


@pytest.mark.parametrize(
    ("output", "status", "outcome"),
    [
        (".... [100%]\n4 passed in 0.31s\n", 0, Outcome()),
        ("..s. [100%]\n3 passed, 1 skipped in 0.31s\n", 0, Outcome()),
        (
            make_summary(
                f"FAILED {TEST_FILE}::test_a[R 3] - assert 1 == 2", end="1 failed, 3 passed in 2s"
            ),
            1,
            Outcome(("test_a[R 3]",)),
        ),
        (
            make_summary(
                f"FAILED {TEST_FILE}::test_a - TimeoutError: the table",
                f"FAILED {TEST_FILE}::test_b",
                end="2 failed in 2s",
            ),
            1,
            Outcome(("test_a", "test_b")),
        ),
        (
            make_summary(
                f"ERROR {TEST_FILE}::test_a - ExceptionGroup: threads",
                f"FAILED {TEST_FILE}::test_a - assert 1 == 2",
                end="1 failed, 1 error in 2s",
            ),
            1,
            Outcome(("test_a",)),
        ),
    ],
    ids=["green", "some skipped", "noticed", "noticed by two", "noticed with an error after it"],
)
def test_passing_and_detected_runs_are_reported(output: str, status: int, outcome: Outcome) -> None:
    assert parse_outcome(output, status) == outcome


@pytest.mark.parametrize(
    ("output", "status", "trouble"),
    [
        (
            make_summary(f"ERROR {TEST_FILE} - ImportError: no", end="1 error in 2s"),
            2,
            f"{TEST_FILE} has an error before its question or after it",
        ),
        (
            make_summary(
                f"FAILED {TEST_FILE}::test_a",
                f"ERROR {TEST_FILE}::test_b - OSError",
                end="1 failed",
            ),
            1,
            f"{TEST_FILE}::test_b has an error before its question or after it",
        ),
        (
            make_summary(
                f"FAILED {TEST_FILE}::test_a - NameError: name 'x' is not", end="1 failed in 2s"
            ),
            1,
            "a test crashed: NameError: name 'x' is not",
        ),
        ("ssss\n4 skipped in 0.1s\n", 0, "no test ran: all were skipped or deselected"),
        ("no tests ran in 0.01s\n", 5, "pytest ended with 5"),
        ("4 deselected in 0.01s\n", 5, "pytest ended with 5"),
        ("ERROR: usage: pytest\n", 4, "pytest ended with 4"),
        ("Timeout (0:05:00)!\n", 1, "pytest ended with 1 and names no test that failed"),
        (f"FAILED {TEST_FILE}::test_a\n", None, "the tests took too long and were ended"),
        ("Killed", -9, "pytest ended with -9"),
    ],
    ids=[
        "collection",
        "fixture",
        "crash",
        "skipped",
        "nothing",
        "deselected",
        "usage",
        "hung",
        "too long",
        "killed",
    ],
)
def test_inconclusive_run_has_a_reason_and_detects_nothing(
    output: str, status: int | None, trouble: str
) -> None:
    outcome = parse_outcome(output, status)
    assert outcome.trouble == trouble
    assert (outcome.is_noticed, outcome.has_passed) == (False, False)
    assert str(outcome) == f"CANNOT TELL: {trouble}"


# Command-line tool


@pytest.fixture
def tree_copy(tmp_path: Path) -> broken.TreeCopy:
    (tmp_path / "games").mkdir()
    (tmp_path / "games/seats.py").write_text("MOST = 20\n")
    return broken.TreeCopy(tmp_path, {})


def fake_pytest_output(
    monkeypatch: pytest.MonkeyPatch, tree: Path, unbroken: str, afterwards: str
) -> None:
    """Replace pytest runs with fixed outputs for the original and the broken code."""

    def fake_pytest_run(*_: object) -> tuple[str, int]:
        whole = (tree / "games/seats.py").read_text() == "MOST = 20\n"
        output = unbroken if whole else afterwards
        return output, 1 if "FAILED" in output else 0

    monkeypatch.setattr(broken, "run_with_time_limit", fake_pytest_run)


@pytest.mark.parametrize(
    ("unbroken", "afterwards", "expected"),
    [
        ("1 passed", f"FAILED {TEST_FILE}::test_a", "noticed by test_a"),
        ("1 passed", "1 passed", "NOBODY NOTICED"),
        ("1 passed", "1 skipped", "CANNOT TELL: no test ran: all were skipped or deselected"),
        (f"FAILED {TEST_FILE}::test_b", "", "CANNOT TELL: not green unbroken: test_b"),
        ("1 skipped", "", "CANNOT TELL: not green unbroken: no test ran: all were skipped or "),
    ],
)
def test_break_is_tried_after_a_clean_run_and_reverted(
    tree_copy: broken.TreeCopy,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    unbroken: str,
    afterwards: str,
    expected: str,
) -> None:
    fake_pytest_output(monkeypatch, tree_copy.tree, unbroken, afterwards)
    broken.report_outcome(SAMPLE_BREAK, tree_copy)
    assert capsys.readouterr().out.startswith(f"F7 games/seats.py: {expected}")
    assert (tree_copy.tree / SAMPLE_BREAK.file).read_text() == "MOST = 20\n"


def test_breaks_of_one_requirement_share_the_clean_run(
    tree_copy: broken.TreeCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([("1 passed", 0), (f"FAILED {TEST_FILE}::test_a", 1), ("1 passed", 0)])
    monkeypatch.setattr(broken, "run_with_time_limit", lambda *_: next(answers))
    assert [
        tree_copy.try_break(SAMPLE_BREAK).is_noticed,
        tree_copy.try_break(SAMPLE_BREAK).is_noticed,
    ] == [True, False]


def test_timed_out_run_is_killed_and_its_output_kept(tmp_path: Path) -> None:
    code = "import time; print('begun', flush=True); time.sleep(60)"
    command = [sys.executable, "-c", code]
    output, status = broken.run_with_time_limit(command, tmp_path, {**os.environ}, longest=2)
    assert (output.splitlines()[0], status) == ("begun", None)


def test_processes_started_by_the_tests_are_cleaned_up(tmp_path: Path) -> None:
    code = "import subprocess as s; print(s.Popen(['sleep', '60'], stdout=s.DEVNULL).pid)"
    output, status = broken.run_with_time_limit(
        [sys.executable, "-c", code], tmp_path, {**os.environ}
    )
    assert status == 0
    wait_for(lambda: not is_running(int(output)), "its end", 10)


@pytest.mark.parametrize(("number", "status"), [("7", 0), ("8", 1), ("99", 1)])
def test_exit_status_reports_undetected_breaks_and_unknown_numbers(
    tree_copy: broken.TreeCopy, monkeypatch: pytest.MonkeyPatch, number: str, status: int
) -> None:
    known = (SAMPLE_BREAK, Break(8, SAMPLE_BREAK.file, "20", "20 "))
    outcomes = {7: Outcome(("test_a",)), 8: Outcome()}
    monkeypatch.setattr(broken, "BREAKS", known)
    monkeypatch.setattr(broken, "prepare_environment", lambda: None)
    monkeypatch.setattr(broken, "make_copy", lambda: nullcontext(tree_copy))
    monkeypatch.setattr(tree_copy, "try_break", lambda each: outcomes[each.number])
    monkeypatch.setattr(sys, "argv", ["broken", number])
    assert broken.main() == status
