"""Helper for tests of house rules."""

from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def map_offenders(paths: Iterable[Path], find: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Map the path of each file to what `find` returns for its text, without empty results."""
    found = {path.relative_to(ROOT).as_posix(): find(path.read_text()) for path in paths}
    return {name: findings for name, findings in found.items() if findings}
