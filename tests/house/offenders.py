"""Helper for tests of house rules."""

from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def map_offenders(paths: Iterable[Path], find: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Return the findings of `find` in the text of each file, by path, without empty ones."""
    found = {path.relative_to(ROOT).as_posix(): find(path.read_text()) for path in paths}
    return {name: findings for name, findings in found.items() if findings}
