"""Measurements of which tests run each line, and of how long each test takes."""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import coverage
import hypothesis
import pytest

from tests.mutants.changes import Mutant

# Coverage context of code that runs during imports and test collection, outside any test.
ON_IMPORT = ""
FEW_EXAMPLES = hypothesis.settings(
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=8,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
)
ARGUMENTS = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--assert=plain"]
ARGUMENTS += ["--hypothesis-profile=mutants"]


@dataclass(frozen=True)
class Measurements:
    """Measurements of the tests.

    * `seconds`: the duration of each test, by id.
    * `tests`: the ids of the tests that run a line, by file and line.
    """

    seconds: dict[str, float]
    tests: dict[str, dict[int, list[str]]]

    def runs_on_import(self, mutant: Mutant) -> bool:
        """Return whether the changed lines run before any test does."""
        return any(
            ON_IMPORT in self._list_tests_that_run_line(mutant, line)
            for line in _list_changed_lines(mutant)
        )

    def select_tests(self, mutant: Mutant, budget: float) -> list[str]:
        """Return tests that run the changed lines, nearest first, for about `budget` seconds.

        The nearest tests are those of the changed file. The others alternate between test files,
        because each file tests different things. Quick tests come first.
        """
        running = {
            test
            for line in _list_changed_lines(mutant)
            for test in self._list_tests_that_run_line(mutant, line)
        }
        tests = sorted(running - {ON_IMPORT} or self.seconds, key=self.seconds.__getitem__)
        near = [test for test in tests if _is_nearby_test(mutant.path, test)]
        far = _interleave_files([test for test in tests if not _is_nearby_test(mutant.path, test)])
        return list(self._limit_to_budget([*near, *far], budget))

    def _list_tests_that_run_line(self, mutant: Mutant, line: int) -> Sequence[str]:
        return self.tests.get(mutant.path, {}).get(line, ())

    def _limit_to_budget(self, tests: list[str], budget: float) -> Iterator[str]:
        for test in tests:
            yield test
            budget -= self.seconds[test]
            if budget < 0:
                return


def _list_changed_lines(mutant: Mutant) -> range:
    return range(mutant.lines[0], mutant.lines[1] + 1)


def _interleave_files(tests: Sequence[str]) -> list[str]:
    """Return the first test of every file, then the second test of every file, and so on."""
    files: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        files[test.partition("::")[0]].append(test)
    rounds = zip_longest(*files.values())
    return [test for round_ in rounds for test in round_ if test]


def _is_nearby_test(path: str, test: str) -> bool:
    """Return whether the test's file is named after the source file or its folder."""
    file, name = Path(path), Path(test.partition("::")[0]).stem
    return any(f"_{word}" in name for word in (file.stem, file.parent.name) if word != "rules")


class MeasuringPlugin:
    """Pytest plugin that measures every test that it runs."""

    def __init__(self, sources: Sequence[str]) -> None:
        self.sources = sources
        self.seconds: dict[str, float] = {}
        self.coverage = coverage.Coverage(data_file=None, config_file=False, include=sources)

    def start(self) -> None:
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        start = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - start
        self.coverage.switch_context(ON_IMPORT)
        return result

    def collect_measurements(self, root: Path) -> Measurements:
        self.coverage.stop()
        data = self.coverage.get_data()
        tests: dict[str, dict[int, list[str]]] = defaultdict(dict)
        for path in self.sources:
            tests[path] = data.contexts_by_lineno(str(root / path))
        return Measurements(self.seconds, dict(tests))


def measure_tests(root: Path, sources: Sequence[str], files: Sequence[str]) -> Measurements:
    """Run these tests once, with few Hypothesis examples, and return their measurements.

    The project must not have been imported yet. Raises SystemExit if a test fails.
    """
    plugin = MeasuringPlugin(sources)
    plugin.start()
    hypothesis.settings.register_profile("mutants", FEW_EXAMPLES)
    if pytest.main([*ARGUMENTS, *files], plugins=[plugin]):
        raise SystemExit("Tests fail without any change; there is nothing to try.")
    return plugin.collect_measurements(root)
