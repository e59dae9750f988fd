"""Tests that every lock on an event is taken in a transaction.

Tests themselves run in a transaction, so only the source code shows if one is missing.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

SOURCES = sorted(Path(settings.BASE_DIR, "tournament").rglob("*.py"))
LOCKING_MODULES = [path for path in SOURCES if "lock_event(" in path.read_text()]
# These functions run in the transactions of their callers.
CALLED_IN_TRANSACTIONS = {"append_entry", "lock_event", "row_of"}


def find_unprotected_locks(source: str) -> Iterator[str]:
    """Yield the module's public functions that lock an event without a transaction."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            code = ast.unparse(node)
            if (
                "lock_event(" in code
                and "atomic" not in code
                and node.name not in CALLED_IN_TRANSACTIONS
            ):
                yield node.name


@pytest.mark.parametrize("path", LOCKING_MODULES, ids=lambda path: path.name)
def test_services_that_lock_an_event_are_atomic(path: Path) -> None:
    assert list(find_unprotected_locks(path.read_text())) == []


def test_lock_without_a_transaction_is_detected() -> None:
    source = "def mail(event):\n    lock_event(event)\n"
    assert list(find_unprotected_locks(source)) == ["mail"]
    assert list(find_unprotected_locks(f"@transaction.atomic\n{source}")) == []
