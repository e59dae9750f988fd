"""Site that dies at a planned failpoint of an operation; see failpoints.py."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from tests.faults.cases import TryCounter
from tests.live import SiteProcess
from tests.services import wait_for

SCRIPT = Path(__file__).with_name("failpoints.py")
LOST_CONNECTION = (ConnectionClosed, OSError, EOFError)
NEVER = 1_000_000


class FragileSite(SiteProcess):
    """Site with failpoints."""

    def command(self) -> list[str]:
        return [sys.executable, str(SCRIPT), *super().command()[2:]]

    def popen_options(self) -> dict[str, Any]:
        options = super().popen_options()
        options["env"]["FAILPOINTS"] = str(self.folder)
        return options

    def plan_death(self, work: str, number: int = NEVER) -> None:
        """Make the process die at a failpoint of the next operation of this kind.

        Without a number, the operation only counts its failpoints.
        """
        (self.folder / "points").unlink(missing_ok=True)
        (self.folder / "next").write_text(f"{work} {number}")
        (self.folder / "next").rename(self.folder / "plan")

    def count_passed_points(self) -> int:
        """Wait for the planned operation to end, and return how many failpoints it passed."""
        points = self.folder / "points"
        wait_for(lambda: points.exists() and bool(points.read_text()), "the end of the work")
        return int(points.read_text())

    def has_died(self) -> bool:
        assert self.process is not None
        return self.process.poll() is not None

    def restart_after_death(self) -> None:
        """Wait for the process to die, and restart the site."""
        wait_for(self.has_died, "the death of the site")
        self.stop()
        self.start()


def choose_failpoints(tries: TryCounter, few: int, points: int) -> Iterator[int]:
    """Yield `few` evenly spread numbers of failpoints below `points`, or all in a long run."""
    chosen = list(tries(few, points))
    for n in chosen:
        yield (2 * n + 1) * points // (2 * len(chosen))
