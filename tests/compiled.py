"""`make compiled`: compile the most used modules of the rules to machine code.

This needs a C compiler and mypyc, which is part of mypy. Without a compiler, the rules remain plain
Python and behave the same. The compiled files are next to their sources, but not in the repository.
They must not be older than their sources: games/checks.py refuses to start a site with outdated
compiled rules.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = Path("games") / "rules"
MODULES = (
    "hand/bound",
    "hand/compiled",
    "hand/effects",
    "hand/engine",
    "hand/position",
    "bots/rollout",
    "hand/state",
)
# Django's mypy plugin is not needed, because the rules do not use Django.
SETTINGS = "[mypy]\nstrict = True\n"


def find_compiler() -> str | None:
    """Return the path of this machine's C compiler, or None."""
    return shutil.which("cc") or shutil.which("gcc")


def compile_rules(folder: Path) -> None:
    """Compile the modules in this folder's copy of `games`, next to their sources.

    Raises CalledProcessError, with mypyc's output on standard output.
    """
    (folder / "mypy.ini").write_text(SETTINGS)
    files = [str(RULES / f"{name}.py") for name in MODULES]
    mypyc = str(Path(sys.executable).parent / "mypyc")
    subprocess.run([mypyc, *files], cwd=folder, check=True, capture_output=True, text=True)
    shutil.rmtree(folder / "build")


def find_compiled_files(folder: Path) -> Iterator[Path]:
    """Yield the relative paths of the files that `compile_rules` created in this folder."""
    for found in (*folder.glob("*__mypyc*.so"), *(folder / RULES).rglob("*.so")):
        yield found.relative_to(folder)


def remove_compiled_files(folder: Path) -> None:
    """Remove the compiled files from this folder, so that the rules are plain Python again."""
    for found in list(find_compiled_files(folder)):
        (folder / found).unlink()


def main() -> int:
    remove_compiled_files(ROOT)
    if find_compiler() is None:
        sys.stdout.write("There is no C compiler (apt install gcc): the rules stay plain Python.\n")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        shutil.copytree(ROOT / "games", folder / "games")
        compile_rules(folder)
        for found in find_compiled_files(folder):
            shutil.copy(folder / found, ROOT / found)
    sys.stdout.write(f"Compiled: {', '.join(MODULES)}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
