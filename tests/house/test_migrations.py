"""Tests that new migrations can run while tables are in play."""

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState
from django.db.models.functions import Now, Random

from games.models.online import AddIndexOnline
from tests.house.migrations import list_findings

# Number of each app's last migration in release 0.1. These create a new site's tables.
BASELINE = {"games": 2, "tournament": 2}
INDEX = models.Index(fields=["phase"], name="by_phase")


def test_new_migrations_do_not_block_running_tables() -> None:
    loader = MigrationLoader(None)
    wrong = [
        f"{label}.{name}: {one.what}: {one.instead}"
        for label, name in sorted(loader.disk_migrations)
        if label in BASELINE and int(name.partition("_")[0]) > BASELINE[label]
        for one in list_findings(
            loader.disk_migrations[label, name],
            loader.project_state([(label, name)], at_end=False),
        )
    ]
    assert wrong == []


def rename_rows(apps: object, editor: object) -> None:
    """Simulate a data migration that calls apps.get_model("games", "Match")."""


def make_state() -> ProjectState:
    fields = [
        ("id", models.BigAutoField(primary_key=True)),
        ("phase", models.CharField(max_length=20)),
        ("number", models.IntegerField(null=True)),
    ]
    found = ProjectState()
    for app, name in (("games", "Match"), ("tournament", "Forecast")):
        found.add_model(ModelState(app, name, [(key, field.clone()) for key, field in fields]))
    return found


def check_single_operation(
    operation: Operation, app: str = "games", **attributes: object
) -> list[str]:
    """Return the findings on a migration with these attributes that consists of this operation."""
    migration = Migration("0099_tried", app)
    migration.operations = [operation]
    for name, value in attributes.items():
        setattr(migration, name, value)
    return [one.what for one in list_findings(migration, make_state())]


def make_add_field(field: models.Field[object, object]) -> Operation:
    return migrations.AddField("match", "added", field)


def make_alter_field(name: str, field: models.Field[object, object]) -> Operation:
    return migrations.AlterField("match", name, field)


REFUSED_OPERATIONS = {
    "the code before inserts nothing there": make_add_field(models.IntegerField(default=3)),
    "each row has another value": make_add_field(models.FloatField(db_default=Random())),
    "a unique index": make_add_field(models.IntegerField(null=True, unique=True)),
    "an index of a big table": make_add_field(models.IntegerField(null=True, db_index=True)),
    "a reference from a big table": make_add_field(
        models.ForeignKey("games.match", models.CASCADE, null=True)
    ),
    "another type": make_alter_field("number", models.BigIntegerField(null=True)),
    "shorter texts": make_alter_field("phase", models.CharField(max_length=10)),
    "another column": make_alter_field("number", models.IntegerField(null=True, db_column="n")),
    "each row has to be looked at": make_alter_field("number", models.IntegerField(default=0)),
    "an index": migrations.AddIndex("match", INDEX),
    "a constraint": migrations.AddConstraint(
        "match", models.CheckConstraint(condition=models.Q(number__gt=0), name="some")
    ),
    "several columns": migrations.AlterUniqueTogether("match", {("number", "phase")}),
    "PostgreSQL alone": AddIndexConcurrently("match", INDEX),
    "a column that is read": migrations.RemoveField("match", "number"),
    "another name": migrations.RenameField("match", "number", "n"),
    "a table that is read": migrations.DeleteModel("match"),
    "nobody can tell": migrations.RunSQL("ALTER TABLE games_match ADD COLUMN n uuid"),
    "a whole table at once": migrations.RunPython(rename_rows),
    "hidden from the state": migrations.SeparateDatabaseAndState(
        database_operations=[migrations.RemoveField("match", "number")]
    ),
}
ACCEPTED_OPERATIONS = {
    "an empty column": make_add_field(models.IntegerField(null=True)),
    "a default of the database": make_add_field(models.IntegerField(db_default=3)),
    "the time of the migration": make_add_field(models.DateTimeField(db_default=Now())),
    "a table between": make_add_field(models.ManyToManyField("games.match")),
    "longer texts": make_alter_field("phase", models.CharField(max_length=200)),
    "texts of any length": make_alter_field("phase", models.TextField()),
    "what Django alone knows": make_alter_field(
        "phase", models.CharField("phase", max_length=20, blank=True)
    ),
    "an index made meanwhile": AddIndexOnline("match", INDEX),
    "no code reads it any more": migrations.SeparateDatabaseAndState(
        state_operations=[migrations.RemoveField("match", "number")]
    ),
    "a new table": migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))]),
}


@pytest.mark.parametrize("operation", REFUSED_OPERATIONS.values(), ids=REFUSED_OPERATIONS.keys())
def test_blocking_operation_is_refused(operation: Operation) -> None:
    assert len(check_single_operation(operation)) == 1


@pytest.mark.parametrize("operation", ACCEPTED_OPERATIONS.values(), ids=ACCEPTED_OPERATIONS.keys())
def test_harmless_operation_is_accepted(operation: Operation) -> None:
    assert check_single_operation(operation) == []


def test_small_table_can_get_an_index_without_concurrency() -> None:
    assert check_single_operation(migrations.AddIndex("forecast", INDEX), "tournament") == []


def test_data_migrations_are_separate_from_schema_changes_or_batched() -> None:
    migration = Migration("0099_tried", "games")
    migration.operations = [
        make_add_field(models.IntegerField(null=True)),
        migrations.RunPython(rename_rows, atomic=False),
    ]
    assert [one.what for one in list_findings(migration, make_state())] == [
        "RunPython beside others"
    ]
    assert check_single_operation(migrations.RunPython(rename_rows), atomic=False) == []


def test_reviewed_operations_need_a_reason_and_must_exist() -> None:
    removed = migrations.RemoveField("match", "number")
    assert check_single_operation(removed) == ["RemoveField games.match number"]
    why = {"RemoveField games.match number": "Nothing has read it since the version before."}
    assert check_single_operation(removed, reviewed=why) == []
    assert check_single_operation(
        make_add_field(models.IntegerField(null=True)), reviewed=why
    ) == list(why)


@pytest.mark.sql
@pytest.mark.django_db(transaction=True)
def test_indexes_are_added_and_removed_concurrently() -> None:
    before, after = make_state(), make_state()
    table = models.Index(fields=["phase"], name="by_phase_tried")
    operation = AddIndexOnline("match", table)
    operation.state_forwards("games", after)

    def names() -> set[str]:
        with connection.cursor() as cursor:
            return set(connection.introspection.get_constraints(cursor, "games_match"))

    with connection.schema_editor(atomic=False) as editor:
        operation.database_forwards("games", editor, before, after)
    assert "by_phase_tried" in names()
    with connection.schema_editor() as editor:
        operation.database_backwards("games", editor, after, before)
    assert "by_phase_tried" not in names()
