"""Fixtures for the fault tests, and a table of their results.

`make test` tries each fault a few times. With --long, as in `make faults`, each one is tried many
times.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import browser_environment as browser_environment
from tests.browser.conftest import chromium as chromium
from tests.browser.conftest import open_page as open_page
from tests.faults.cases import Cases, TryCounter
from tests.faults.fragile import FragileSite


def pytest_configure(config: pytest.Config) -> None:
    # Workers report to the main process, so only that one has all results.
    if config.getoption("--long") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(ResultTable(), "table-of-faults")


class ResultTable:
    """Pytest plugin that prints a table of the results."""

    def __init__(self) -> None:
        self.cases = Cases()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.cases.add(report)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("faults by number")
        for line in self.cases.format_lines():
            terminalreporter.write_line(line)


@pytest.fixture
def tries(request: pytest.FixtureRequest) -> Iterator[TryCounter]:
    """Provide a counter of tries for loops such as `for n in tries(20, 200)`.

    This loop runs 20 times, or 200 times with --long. The table of results shows the number.
    """
    counted = TryCounter(long=request.config.getoption("--long"))
    yield counted
    request.node.user_properties.append(("tries", counted.made))


@pytest.fixture
def fragile_site(transactional_db: None, collected_static: Path) -> Iterator[FragileSite]:
    with FragileSite(collected_static) as site:
        yield site
