"""Line and branch coverage: a pytest plugin that records it, and a report.

`LASTCARD_LINES=FOLDER pytest -p tests.lines` writes each worker's coverage to the folder. `python
-m tests.lines FOLDER` then prints the missing lines and branches, and exits with 1 if there are
more than pyproject.toml allows. SlipCover instruments code when it is loaded and stops tracing a
line once it has run, so the tests run at almost full speed.
"""

import json
import os
import sys
import tomllib
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import slipcover

ROOT = Path(__file__).resolve().parent.parent
DATA_FOLDER = os.environ.get("LASTCARD_LINES", "")
SOURCES = ["games", "tournament"]
OMITTED_FILES = ["*/migrations/*"]
EXCLUDED_STATEMENTS = ["raise NotImplementedError", "if TYPE_CHECKING:"]
# pytest warns that it cannot rewrite SlipCover's own assertions, which is harmless.
PYTEST_OPTIONS = [
    "-p",
    "tests.lines",
    "-W",
    "ignore:Module already imported:pytest.PytestAssertRewriteWarning",
]

# Coverage of one file: sorted line numbers, and branches as pairs of line numbers.
File = dict[str, Any]


class LineRecorder:
    """Pytest plugin that records coverage of modules imported after its creation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen = slipcover.Slipcover(
            branch=True, source=SOURCES, omit=OMITTED_FILES, exclude_also=EXCLUDED_STATEMENTS
        )
        slipcover.ImportManager(
            self.seen, slipcover.FileMatcher(SOURCES, OMITTED_FILES)
        ).__enter__()

    def pytest_sessionfinish(self) -> None:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{worker}.json").write_text(json.dumps(self.seen.get_coverage()))


if DATA_FOLDER:  # must run before any measured module is imported
    LINES = LineRecorder(Path(DATA_FOLDER))


def pytest_configure(config: pytest.Config) -> None:
    if DATA_FOLDER:
        config.pluginmanager.register(LINES)


def merge_coverage_files(folder: Path) -> dict[str, File]:
    """Return the combined coverage of all workers by path."""
    first, *others = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    for each in others:
        slipcover.merge_coverage(first, each)
    return dict(sorted(first["files"].items()))


def compute_percentage(files: Iterable[File]) -> float:
    """Return the percentage of lines and branches that have run."""
    run = missing = 0
    for each in files:
        run += len(each["executed_lines"]) + len(each["executed_branches"])
        missing += len(each["missing_lines"]) + len(each["missing_branches"])
    return 100 * run / max(1, run + missing)


def report_missing_lines(title: str, files: dict[str, File], required: float) -> bool:
    """Print the missing lines and branches, and return whether coverage is sufficient."""
    for name, each in files.items():
        if each["missing_lines"] or each["missing_branches"]:
            branches = [f"{start}→{end}" for start, end in each["missing_branches"]]
            missing = [*map(str, each["missing_lines"]), *branches]
            print(f"{compute_percentage([each]):5.1f} %  {name}: {', '.join(missing)}")
    reached = compute_percentage(files.values())
    print(f"{reached:5.1f} %  {title}; asked for: {required} %")
    return reached >= required


def main(folder: str) -> int:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["lastcard"]["coverage"]
    files = merge_coverage_files(Path(folder))
    pure = {n: f for n, f in files.items() if any(fnmatch(n, each) for each in asked["pure"])}
    rest = {name: found for name, found in files.items() if name not in pure}
    reached = [
        report_missing_lines("of what is pure", pure, asked["pure_percent"]),
        report_missing_lines("of the rest", rest, asked["rest_percent"]),
    ]
    return int(not all(reached))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
