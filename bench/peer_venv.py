"""Separate virtual environment for other engines and the plotting library.

A script that runs in it prints its result as JSON on the last line.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PEERS = ["rlcard==1.2.0", "open_spiel==2.0.2", "matplotlib==3.10.7"]
VENV = HERE / ".venv"


def run(script: str, *args: str) -> Any:
    """Run a benchmark script in the virtual environment, and return its result.

    Create the environment if necessary.
    """
    python = VENV / "bin" / "python"
    installed = VENV / "installed"
    if not installed.exists() or installed.read_text() != " ".join(PEERS):
        _install(python)
    result = subprocess.run(
        [python, HERE / script, *args],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
    )
    return json.loads(result.stdout.splitlines()[-1])


def _install(python: Path) -> None:
    print(f"installing {' and '.join(PEERS)} into {VENV.relative_to(HERE.parent)} …")
    venv.create(VENV, with_pip=True, clear=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    result = subprocess.run([*pip, *PEERS], capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr)
    (VENV / "installed").write_text(" ".join(PEERS))
