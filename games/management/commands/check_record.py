"""``manage.py check_record PATH...``: play hand records through the rules engine."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.rules import record


class Command(BaseCommand):
    help = "Check hand records: .json files (a record, or a list of them), or folders of these."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH")

    def handle(self, *args: Any, **options: Any) -> None:
        failed = passed = 0
        for path in options["paths"]:
            for name, problem in _check_path(Path(path)):
                self._say(f"FAIL {name}: {problem}" if problem else f"ok {name}")
                failed += problem is not None
                passed += problem is None
        self._say(f"{passed} passed, {failed} failed")
        if failed:
            sys.exit(1)

    def _say(self, line: str) -> None:
        # One line per record, whatever its name is made of.
        shown = " ".join(line.split())
        self.stdout.write(shown.encode("utf-8", "backslashreplace").decode())


def _check_path(path: Path) -> Iterator[tuple[str, str | None]]:
    if path.is_dir():
        for file in sorted(path.rglob("*.json")):
            yield from _check_file(file)
    else:
        yield from _check_file(path)


def _check_file(path: Path) -> Iterator[tuple[str, str | None]]:
    try:
        records = record.load(path.read_bytes())
    except OSError as error:
        yield str(path), f"cannot be read: {error.strerror}"
    except ValueError as error:
        yield str(path), str(error)
    else:
        for n, data in enumerate(records):
            yield record.name_of(data) or f"{path} record {n}", record.check(data)
