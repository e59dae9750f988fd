"""Description of the machine, printed at the start of each benchmark."""

import os
import platform
import sqlite3
import subprocess
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent


def describe_machine() -> str:
    """Return one line about the hardware, the software, the commit and the kind of database."""
    parts = [
        f"{os.cpu_count()} × {_read_field('/proc/cpuinfo', 'model name') or platform.machine()}",
        _read_field("/proc/meminfo", "MemTotal"),
        f"{platform.system()} {platform.release()}",
        f"{platform.python_implementation()} {platform.python_version()}",
        f"Django {django.__version__}",
        "PostgreSQL" if os.environ.get("DATABASE_URL") else f"SQLite {sqlite3.sqlite_version}",
        "with Redis" if os.environ.get("REDIS_URL") else "",
        _describe_commit(),
    ]
    return ", ".join(part for part in parts if part)


def _read_field(file: str, name: str) -> str:
    """Return the first value of the field `name` in a system file, or "" if there is none."""
    try:
        lines = Path(file).read_text().splitlines()
    except OSError:
        return ""
    pairs = (line.partition(":") for line in lines)
    return next((value.strip() for key, _, value in pairs if key.strip() == name), "")


def _describe_commit() -> str:
    result = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout.strip()


if __name__ == "__main__":
    print(describe_machine())
