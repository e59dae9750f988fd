"""Tests that the compiled rules behave like the Python ones."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import compiled
from tests.compiled import MODULES, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.nightly]
# Tests of records and of play in a hand. The other tests cover code that is not compiled.
HAND_MODULES = ["engine", "turns", "specials", "uno_call", "opening", "going_out", "refusals"]
COPIED_TESTS = ["record/test_cases", *(f"hand/test_{name}" for name in HAND_MODULES)]
PYTEST_OPTIONS = [
    "-q",
    "-p",
    "no:django",
    "-p",
    "no:cacheprovider",
    "-c",
    "/dev/null",
    "--noconftest",
]
PLAY_SCRIPT = """
import hashlib, json
from random import Random
from games.rules.hand import engine
from games.rules.ruleset import rulesets
from games.rules.chance import QuickChance
from games.rules.hand.position import Position

said = hashlib.sha256()
for name, rules in rulesets.RULE_SETS.items():
    for seed in range(12):
        random = Random(f"{name} {seed}")
        chance = QuickChance(random.random)
        deck = rules.cards()
        chance.shuffle(deck)
        hand = Position.deal(rules, 2 + seed % 5, 0, deck, chance)
        for _ in range(300):
            if hand.turn is None:
                break
            action = random.choice(hand.legal_actions(hand.turn, 0.0))
            said.update(json.dumps(hand.apply(hand.turn, action, chance, 0.0)).encode())
        said.update(json.dumps(hand.to_json()).encode())
print(engine.__file__.rpartition(".")[2], said.hexdigest())
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Provide a folder with a compiled copy of the rules and their tests."""
    if compiled.find_compiler() is None:
        pytest.skip("needs a C compiler: apt install gcc")
    copy = tmp_path_factory.mktemp("compiled")
    shutil.copytree(ROOT / "games", copy / "games", ignore=shutil.ignore_patterns("*.so"))
    compiled.compile_rules(copy)
    shutil.copytree(ROOT / "tests" / "rules", copy / "tests" / "rules")
    shutil.copy(ROOT / "tests" / "__init__.py", copy / "tests")
    yield copy
    compiled.remove_compiled_files(copy)
    assert list(compiled.find_compiled_files(copy)) == []


def run_python(folder: Path, *command: str) -> str:
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_compiled_engine_produces_the_same_events(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "games", tmp_path / "games", ignore=shutil.ignore_patterns("*.so"))
    language, played = run_python(folder, "-c", PLAY_SCRIPT).split()
    assert (language, run_python(tmp_path, "-c", PLAY_SCRIPT).split()) == ("so", ["py", played])


def test_compiled_engine_verifies_every_record(folder: Path) -> None:
    files = [f"tests/rules/{name}.py" for name in COPIED_TESTS]
    assert " passed" in run_python(
        folder, "-m", "pytest", *PYTEST_OPTIONS, "--rootdir", str(folder), *files
    )


def test_all_listed_modules_are_compiled(folder: Path) -> None:
    found = [path for path in compiled.find_compiled_files(folder) if len(path.parts) > 1]
    names = {f"{path.parent.name}/{path.name.partition('.')[0]}" for path in found}
    assert names == set(MODULES)
