"""``manage.py check_record PATH...``: play hand records through the rules engine."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.rules import record


class Command(BaseCommand):
    help = "Check hand records in .json files (one record or a list), or in folders of such files."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH")

    def handle(self, *args: Any, **options: Any) -> None:
        files = [file for path in options["paths"] for file in _list_record_files(Path(path))]
        problems: list[str | None] = []
        records: list[object] = []
        for name, problem, data in chain.from_iterable(map(_check_file, files)):
            signers = "" if problem else record.describe_signers(data)
            self._write_line(f"FAIL {name}: {problem}" if problem else f"ok {name}{signers}")
            problems.append(problem)
            records.append(data)
        matches = record.check_matches(records)
        for match, problem in matches.items():
            if problem:
                self._write_line(f"FAIL match {match}: {problem}")
                problems.append(problem)
        failed = sum(problem is not None for problem in problems)
        self._write_line(f"{len(problems) - failed} passed, {failed} failed")
        if failed:
            sys.exit(1)

    def _write_line(self, line: str) -> None:
        # The report has one line for each record, but the record's name may contain line breaks.
        shown = " ".join(line.split())
        self.stdout.write(shown.encode("utf-8", "backslashreplace").decode())


def _list_record_files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.json")) if path.is_dir() else [path]


def _check_file(path: Path) -> Iterator[tuple[str, str | None, object]]:
    """Yield the name, the problem (None if valid) and the data of each record in the file."""
    try:
        records = record.load(path.read_bytes())
    except OSError as error:
        yield str(path), f"cannot be read: {error.strerror}", None
    except ValueError as error:
        yield str(path), str(error), None
    else:
        for n, data in enumerate(records):
            yield record.name_of(data) or f"{path} record {n}", record.check(data), data
