"""Tests of the table printed by a run of the numbered faults."""

from typing import Literal

import pytest

from tests.faults.cases import Cases, TryCounter

TABLE_HEADER = ["| case | what | tests | tries | failures |", "|---|---|---|---|---|"]


def make_report(
    test: str,
    phase: Literal["setup", "call", "teardown"] = "teardown",
    outcome: Literal["passed", "failed", "skipped"] = "passed",
    tries: int | None = None,
) -> pytest.TestReport:
    properties: list[tuple[str, object]] = [] if tries is None else [("tries", tries)]
    nodeid = f"tests/faults/{test}"
    return pytest.TestReport(
        nodeid, (nodeid, 1, test), {}, outcome, None, phase, user_properties=properties
    )


def list_table_lines(*reports: pytest.TestReport) -> list[str]:
    cases = Cases()
    for report in reports:
        cases.add(report)
    return cases.format_lines()


def test_number_of_tries_is_higher_in_a_long_run() -> None:
    few, many = TryCounter(long=False), TryCounter(long=True)
    assert (list(few(2, 5)), few.made) == ([0, 1], 2)
    assert (list(many(2, 5)), many.made) == ([0, 1, 2, 3, 4], 5)


def test_early_end_reduces_the_number_of_tries() -> None:
    tries = TryCounter(long=True)
    next(tries(2, 5))
    assert tries.made == 1


def test_table_lists_each_case_with_its_tests_and_tries() -> None:
    table = list_table_lines(
        make_report("test_f51_killed_in_an_action.py::test_a", tries=200),
        make_report("test_f9_sent_twice.py::test_b"),
        make_report("test_f51_killed_in_an_action.py::test_c", tries=10),
    )
    assert table == [
        *TABLE_HEADER,
        "| F9 | sent twice | 1 | 1 | 0 |",
        "| F51 | killed in an action | 2 | 210 | 0 |",
    ]


def test_failure_in_any_phase_is_listed() -> None:
    table = list_table_lines(
        make_report("test_f9_sent_twice.py::test_a", "setup", "failed"),
        make_report("test_f9_sent_twice.py::test_a"),
        make_report("test_f9_sent_twice.py::test_b", "call", "failed"),
        make_report("test_f9_sent_twice.py::test_b", tries=3),
    )
    assert table == [*TABLE_HEADER, "| F9 | sent twice | 2 | 4 | test_a, test_b |"]


def test_skipped_and_unnumbered_tests_are_omitted() -> None:
    table = list_table_lines(
        make_report("test_redis.py::test_a"),
        make_report("test_f54_redis.py::test_b", "setup", "skipped"),
        make_report("test_f54_redis.py::test_b"),
    )
    assert table == TABLE_HEADER


def test_only_the_last_phase_is_counted() -> None:
    assert list_table_lines(make_report("test_f9_sent_twice.py::test_a", "call")) == [
        *TABLE_HEADER,
        "| F9 | sent twice | 0 | 0 | 0 |",
    ]
