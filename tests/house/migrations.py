"""Search for migrations that would block or break play while they run.

While a migration runs on PostgreSQL, the previous version of the site still serves requests.
Therefore, it may hold locks only briefly, and the tables must still accept the rows that the
previous version writes. Add columns first, and remove the old ones when no code uses them any
longer.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db import models
from django.db.migrations import operations as ops
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.expressions import Value
from django.db.models.functions import Now
from django.db.utils import ConnectionHandler

from games.models.online import AddIndexOnline

# Tables that are large, or to which play and sign-ins write.
BIG_TABLES = {
    *("games.match", "games.seat", "games.hand", "games.loggedaction", "games.reaction"),
    *("games.roundtrip", "games.review"),
    *("tournament.user", "tournament.registration", "tournament.table", "tournament.tableseat"),
    *("tournament.result", "tournament.letter", "tournament.auditentry"),
    *("tournament.historyentry", "sessions.session"),
}
# Operations that lock no table in use for long.
HARMLESS_OPERATIONS = (ops.CreateModel, ops.AlterModelOptions, ops.AlterModelManagers)
HARMLESS_OPERATIONS += (
    ops.AlterModelTableComment,
    ops.RemoveIndex,
    ops.RemoveConstraint,
    ops.RenameIndex,
)
MODEL_LOOKUP = re.compile(r"get_model\(\s*[\"'](\w+)[\"'],\s*[\"'](\w+)[\"']")
POSTGRES = ConnectionHandler({"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "-"}})


class MigrationFinding(NamedTuple):
    """An unsafe operation, and the safe alternative."""

    what: str
    instead: str


def list_findings(migration: Migration, state: ProjectState) -> list[MigrationFinding]:
    """Return the unsafe operations of a migration, and apply the migration to `state`.

    The migration's attribute `reviewed` maps the `what` of findings to the reasons why they are
    safe. These findings are left out.
    """
    reviewed: dict[str, str] = getattr(migration, "reviewed", {})
    found = list(_iter_findings(migration, state))
    named = {one.what for one in found}
    useless = [
        MigrationFinding(what, "nothing here needs it") for what in reviewed if what not in named
    ]
    return [one for one in found if one.what not in reviewed] + useless


def _iter_findings(migration: Migration, state: ProjectState) -> Iterator[MigrationFinding]:
    for operation in migration.operations:
        yield from _check_operation(operation, migration, state)
        operation.state_forwards(migration.app_label, state)
    yield from _check_mixed_operations(migration)


def _check_operation(
    operation: Operation, migration: Migration, state: ProjectState
) -> Iterator[MigrationFinding]:
    label = migration.app_label
    match operation:
        case ops.SeparateDatabaseAndState():
            between = state.clone()
            for one in operation.database_operations:
                yield from _check_operation(one, migration, between)
                one.state_forwards(label, between)
        case ops.AddField():
            yield from _check_added_field(operation, label)
        case ops.AlterField():
            yield from _check_altered_field(operation, label, state)
        case AddIndexOnline():
            pass
        case ops.AddIndex() | ops.AddConstraint() | ops.AlterUniqueTogether():
            if _get_table(operation, label) in BIG_TABLES:
                yield MigrationFinding(
                    _describe_operation(operation, label), "AddIndexOnline; a constraint NOT VALID"
                )
        case ops.RunPython():
            yield from _check_python_operation(operation, migration)
        case _ if not isinstance(operation, HARMLESS_OPERATIONS):
            yield MigrationFinding(
                _describe_operation(operation, label),
                "expand first: the code before still reads it",
            )


def _get_table(operation: Operation, label: str) -> str:
    """Return the operation's table, such as games.match, or its app if it has no model."""
    names = (getattr(operation, name, "") for name in ("model_name", "old_name", "name"))
    return f"{label}.{next(filter(None, names), '')}".rstrip(".").lower()


def _describe_operation(operation: Operation, label: str) -> str:
    column = getattr(operation, "name", "") if hasattr(operation, "model_name") else ""
    return " ".join(filter(None, (type(operation).__name__, _get_table(operation, label), column)))


def _check_added_field(operation: ops.AddField, label: str) -> Iterator[MigrationFinding]:
    field, what = operation.field, _describe_operation(operation, label)
    if field.many_to_many:
        return
    given = field.has_db_default()
    if isinstance(field, models.GeneratedField) or (given and not _has_constant_default(field)):
        yield MigrationFinding(
            what, "a default that is one value for all rows: else all are rewritten"
        )
    elif not (field.null or given):
        yield MigrationFinding(
            what, "null=True or db_default: the code before inserts rows without it"
        )
    indexed = field.db_index or field.remote_field
    if field.unique or (indexed and _get_table(operation, label) in BIG_TABLES):
        yield MigrationFinding(
            what, "no index at first; then AddIndexOnline in a migration of its own"
        )


def _has_constant_default(field: Any) -> bool:
    default = field.db_default
    return isinstance(default, Value | Now) or not hasattr(default, "resolve_expression")


def _check_altered_field(
    operation: ops.AlterField, label: str, state: ProjectState
) -> Iterator[MigrationFinding]:
    rendered = state.clone()
    old = rendered.apps.get_model(label, operation.model_name)._meta.get_field(operation.name)
    operation.state_forwards(label, rendered)
    new = rendered.apps.get_model(label, operation.model_name)._meta.get_field(operation.name)
    what = _describe_operation(operation, label)
    if old.column != new.column or not _is_free_type_change(
        _get_column_type(old), _get_column_type(new)
    ):
        yield MigrationFinding(what, "a new column beside it: another type rewrites the table")
    if old.null and not new.null:
        yield MigrationFinding(
            what, "a CHECK (… IS NOT NULL) NOT VALID: all rows are read under a lock"
        )
    indexed = new.db_index and not old.db_index and _get_table(operation, label) in BIG_TABLES
    if indexed or (new.unique and not old.unique):
        yield MigrationFinding(what, "AddIndexOnline in a migration of its own")


def _get_column_type(field: Any) -> str:
    return field.db_type(POSTGRES["default"]) or ""


def _is_free_type_change(old: str, new: str) -> bool:
    """Return whether PostgreSQL changes the type without reading the rows."""
    if old == new or (old.startswith("varchar") and new == "text"):
        return True
    sizes = [re.fullmatch(r"varchar\((\d+)\)", one) for one in (old, new)]
    return all(sizes) and int(sizes[0][1]) <= int(sizes[1][1])  # type: ignore[index]


def _check_python_operation(
    operation: ops.RunPython, migration: Migration
) -> Iterator[MigrationFinding]:
    """Yield a finding if one transaction may change all rows of a big table."""
    atomic = migration.atomic if operation.atomic is None else operation.atomic
    source = inspect.getsource(sys.modules[operation.code.__module__])
    tables = {f"{app}.{name}".lower() for app, name in MODEL_LOOKUP.findall(source)}
    if atomic and tables & BIG_TABLES:
        yield MigrationFinding(
            f"RunPython {operation.code.__name__}",
            "atomic = False, and some hundred rows at a time",
        )


def _check_mixed_operations(migration: Migration) -> Iterator[MigrationFinding]:
    """Yield a finding if one transaction changes both columns and rows.

    A table whose columns change stays locked until the transaction ends.
    """
    writes = [one for one in migration.operations if isinstance(one, ops.RunPython)]
    changes = [
        one
        for one in migration.operations
        if not isinstance(one, (ops.RunPython, *HARMLESS_OPERATIONS))
    ]
    if migration.atomic and writes and changes:
        yield MigrationFinding(
            "RunPython beside others", "two migrations: one for columns, one for rows"
        )
