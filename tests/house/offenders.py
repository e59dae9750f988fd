"""One test a rule: the files that break it, with what was found in each."""

from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def offenders(paths: Iterable[Path], find: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Return what `find` finds in the text of each file, by the paths of files with a finding."""
    found = {path.relative_to(ROOT).as_posix(): find(path.read_text()) for path in paths}
    return {name: findings for name, findings in found.items() if findings}
