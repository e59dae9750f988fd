"""The database refuses to change or delete rows of history and log."""

from django.db import migrations, models

KEPT = "A row of the history is never changed."
NEVER = "A deletion that was noted stays noted."
# The event as a whole goes, once it is noted where its history and its log ended.
NOTED = "EXISTS (SELECT 1 FROM tournament_deletedevent WHERE number = OLD.event_id)"
# Of a row of the log words and actor may change where somebody is made nameless: it shows.
SAME = ("id", "event_id", "number", "action", "at", "previous", "digest", "seal")
LOOSENED = "NEW.salt = '' AND NEW.account IS NULL AND NEW.redacted"
HISTORY, LOG, DELETED = "historyentry", "auditentry", "deletedevent"


def _sqlite(table, deed, when, text):
    name = f"tournament_{table}_{deed.lower()}"
    return f"""
        CREATE TRIGGER {name} BEFORE {deed} ON tournament_{table} {when}
        BEGIN SELECT RAISE(ABORT, '{text}'); END
        """


def _on_sqlite():
    same = " AND ".join(f"NEW.{name} IS OLD.{name}" for name in SAME)
    return [
        _sqlite(HISTORY, "DELETE", f"WHEN NOT {NOTED}", KEPT),
        _sqlite(LOG, "DELETE", f"WHEN NOT {NOTED}", KEPT),
        _sqlite(LOG, "UPDATE", f"WHEN NOT ({same} AND {LOOSENED})", KEPT),
        _sqlite(DELETED, "DELETE", "", NEVER),
        _sqlite(DELETED, "UPDATE", "", NEVER),
    ]


def _function(name, text, unless, answer):
    return f"""
        CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF {unless} THEN RETURN {answer}; END IF; RAISE EXCEPTION '{text}'; END $$
        """


def _postgresql(table, deed, function):
    name = f"tournament_{table}_{deed.lower()}"
    return f"""
        CREATE TRIGGER {name} BEFORE {deed} ON tournament_{table}
        FOR EACH ROW EXECUTE FUNCTION {function}()
        """


def _on_postgresql():
    same = " AND ".join(f"NEW.{name} IS NOT DISTINCT FROM OLD.{name}" for name in SAME)
    return [
        _function("tournament_rows_stay", KEPT, NOTED, "OLD"),
        _function("tournament_log_is_kept", KEPT, f"{same} AND {LOOSENED}", "NEW"),
        _function("tournament_deletions_stay", NEVER, "FALSE", "OLD"),
        _postgresql(HISTORY, "DELETE", "tournament_rows_stay"),
        _postgresql(LOG, "DELETE", "tournament_rows_stay"),
        _postgresql(LOG, "UPDATE", "tournament_log_is_kept"),
        _postgresql(DELETED, "DELETE", "tournament_deletions_stay"),
        _postgresql(DELETED, "UPDATE", "tournament_deletions_stay"),
    ]


MADE = {"sqlite": _on_sqlite, "postgresql": _on_postgresql}
TRIGGERS = [(HISTORY, "delete"), (LOG, "delete"), (LOG, "update"), (DELETED, "delete"), (DELETED, "update")]
FUNCTIONS = ["tournament_rows_stay", "tournament_log_is_kept", "tournament_deletions_stay"]


def guard(apps, editor):
    for statement in MADE[editor.connection.vendor]():
        editor.execute(statement, params=None)


def leave_unguarded(apps, editor):
    postgresql = editor.connection.vendor == "postgresql"
    for table, deed in TRIGGERS:
        on = f" ON tournament_{table}" if postgresql else ""
        editor.execute(f"DROP TRIGGER tournament_{table}_{deed}{on}")
    for name in FUNCTIONS if postgresql else []:
        editor.execute(f"DROP FUNCTION {name}")


def _filled(name, field):
    return migrations.AlterField(model_name="auditentry", name=name, field=field)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0029_logs_in_a_chain")]

    operations = [
        _filled("number", models.PositiveIntegerField(editable=False)),
        _filled("previous", models.CharField(editable=False, max_length=64)),
        _filled("digest", models.CharField(editable=False, max_length=64)),
        _filled("seal", models.CharField(editable=False, max_length=64)),
        _filled("salt", models.CharField(blank=True, editable=False, max_length=32)),
        migrations.AddConstraint(
            model_name="auditentry",
            constraint=models.UniqueConstraint(
                fields=("event", "number"), name="one_log_entry_per_number"
            ),
        ),
        # Whoever makes SQLite build one of these tables anew makes its triggers again.
        migrations.RunPython(guard, leave_unguarded),
    ]
