"""Tests of `make nightly`: every part runs, and one failing part fails the whole run."""

import pytest

from tests import check, nightly


def test_every_part_runs_despite_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = list[str]()

    def run_failing_part(checks: check.Checks) -> None:
        ran.append("part")
        checks.failed.append(f"part {len(ran)}")

    monkeypatch.setattr(nightly, "PARTS", [run_failing_part, run_failing_part])
    monkeypatch.setattr(check, "prepare_environment", lambda: None)
    monkeypatch.delenv("ONLY", raising=False)
    assert nightly.main() == 1
    assert len(ran) == 2
    assert "failed: part 1\nfailed: part 2\n" in capsys.readouterr().out


def test_single_part_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = list[str]()

    def coverage(_checks: check.Checks) -> None:
        ran.append("coverage")

    def faults(_checks: check.Checks) -> None:
        ran.append("faults")

    monkeypatch.setattr(nightly, "PARTS", [coverage, faults])
    monkeypatch.setattr(check, "prepare_environment", lambda: None)
    monkeypatch.setenv("ONLY", "faults")
    assert nightly.main() == 0
    assert ran == ["faults"]


def test_coverage_is_measured_on_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[str, ...]]()
    monkeypatch.setattr(
        check.Checks, "run", lambda self, title, *command, **how: asked.append(command)
    )
    nightly.coverage(check.Checks())
    counted, reported = asked
    assert counted[counted.index("-m", 3) + 1] == check.COVERED_QUICK
    assert "tests.lines" in counted
    assert "tests.lines" in reported


def test_nightly_parts_call_existing_commands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[str]()
    monkeypatch.setattr(
        check.Checks, "run", lambda self, title, *command, **how: asked.extend(command)
    )
    for part in (nightly.examples, nightly.bad_network, nightly.faults, nightly.mutants):
        part(check.Checks())
    assert {"hypothesis", "tests.faults", "tests.mutants"} <= set(asked)
    assert [
        path for path in asked if path.endswith(".py") and not (check.ROOT / path).exists()
    ] == []
