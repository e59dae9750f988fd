"""Fixtures for the numbered faults: how often each case is tried, and a table of results.

`make test` tries each case a few times. With --long, which `make faults` uses, each case is
tried as often as its fault promises.
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
    # Workers report to the process that started them, so only that process has the whole table.
    if config.getoption("--long") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(ReportTable(), "table-of-faults")


class ReportTable:
    """Collector of test reports that prints the results as a table at the end."""

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
    """Provide a counter of tries, as in `for n in tries(20, 200)`: 20 times, or 200 with --long.

    The table shows the number of tries made.
    """
    counted = TryCounter(long=request.config.getoption("--long"))
    yield counted
    request.node.user_properties.append(("tries", counted.made))


@pytest.fixture
def fragile_site(transactional_db: None, collected_static: Path) -> Iterator[FragileSite]:
    with FragileSite(collected_static) as site:
        yield site
