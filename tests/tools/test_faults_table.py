"""The table that a run of the numbered faults prints."""

from typing import Literal

import pytest

from tests.faults.cases import Cases, Tries

HEAD = ["| case | what | tests | tries | failures |", "|---|---|---|---|---|"]


def report(
    test: str,
    when: Literal["setup", "call", "teardown"] = "teardown",
    outcome: Literal["passed", "failed", "skipped"] = "passed",
    tries: int | None = None,
) -> pytest.TestReport:
    properties: list[tuple[str, object]] = [] if tries is None else [("tries", tries)]
    nodeid = f"tests/faults/{test}"
    return pytest.TestReport(
        nodeid, (nodeid, 1, test), {}, outcome, None, when, user_properties=properties
    )


def lines(*reports: pytest.TestReport) -> list[str]:
    cases = Cases()
    for each in reports:
        cases.add(each)
    return cases.lines()


def test_a_few_tries_or_as_many_as_were_promised() -> None:
    few, many = Tries(long=False), Tries(long=True)
    assert (list(few(2, 5)), few.made) == ([0, 1], 2)
    assert (list(many(2, 5)), many.made) == ([0, 1, 2, 3, 4], 5)


def test_what_ended_early_has_made_fewer_tries() -> None:
    tries = Tries(long=True)
    next(tries(2, 5))
    assert tries.made == 1


def test_each_case_has_a_line_by_number_with_its_tests_and_tries() -> None:
    table = lines(
        report("test_f51_killed_in_an_action.py::test_a", tries=200),
        report("test_f9_sent_twice.py::test_b"),
        report("test_f51_killed_in_an_action.py::test_c", tries=10),
    )
    assert table == [
        *HEAD,
        "| F9 | sent twice | 1 | 1 | 0 |",
        "| F51 | killed in an action | 2 | 210 | 0 |",
    ]


def test_a_failure_is_named_whenever_it_happens() -> None:
    table = lines(
        report("test_f9_sent_twice.py::test_a", "setup", "failed"),
        report("test_f9_sent_twice.py::test_a"),
        report("test_f9_sent_twice.py::test_b", "call", "failed"),
        report("test_f9_sent_twice.py::test_b", tries=3),
    )
    assert table == [*HEAD, "| F9 | sent twice | 2 | 4 | test_a, test_b |"]


def test_what_was_skipped_or_has_no_number_is_not_told() -> None:
    table = lines(
        report("test_redis.py::test_a"),
        report("test_f54_redis.py::test_b", "setup", "skipped"),
        report("test_f54_redis.py::test_b"),
    )
    assert table == HEAD


def test_the_phases_before_the_last_count_nothing() -> None:
    assert lines(report("test_f9_sent_twice.py::test_a", "call")) == [
        *HEAD,
        "| F9 | sent twice | 0 | 0 | 0 |",
    ]
