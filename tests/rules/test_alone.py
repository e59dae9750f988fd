"""Test that the folder games/rules works by itself, without any installed packages."""

import shutil
import subprocess
import sys
from pathlib import Path

import games.rules

RULES_FOLDER = Path(games.rules.__file__).parent
# Imports every module of the folder, and runs the example in its docstring.
ISOLATED_SCRIPT = """
import doctest, importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import games.rules
for each in pkgutil.walk_packages(games.rules.__path__, "games.rules."):
    importlib.import_module(each.name)
failed, tried = doctest.testmod(games.rules)
assert tried > 5 and not failed, (failed, tried)
assert games.rules.__file__.startswith(sys.argv[1]) and "django" not in sys.modules
"""


def test_rules_package_works_without_the_rest_of_the_project(tmp_path: Path) -> None:
    ignore = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(RULES_FOLDER, tmp_path / "games" / "rules", ignore=ignore)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", ISOLATED_SCRIPT, str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
