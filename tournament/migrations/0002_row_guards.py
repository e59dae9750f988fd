"""Database triggers that refuse to change or delete rows of the history and the activity log.

Code that makes SQLite rebuild one of these tables must create its triggers again.
"""

from django.db import migrations

CHANGED = "A row of the history is never changed."
DELETED = "A deletion that was noted stays noted."
# Rows may go with their whole event, once the deletion notes where history and log ended.
EVENT_DELETED = "EXISTS (SELECT 1 FROM tournament_deletedevent WHERE number = OLD.event_id)"
# A reason may be erased together with its salt. Nothing else in a row of the history changes.
HISTORY_COLUMNS = (
    *("id", "event_id", "number", "action", "role", "facts", "at"),
    *("previous", "digest", "version", "seal"),
)
REASON_ERASED = "NEW.reason = '' AND NEW.salt = '' AND NEW.redacted"
# Anonymizing a person may change a log entry's words and actor, which marks it as redacted.
LOG_COLUMNS = ("id", "event_id", "number", "action", "at", "previous", "digest", "seal")
ACTOR_ERASED = "NEW.salt = '' AND NEW.account IS NULL AND NEW.redacted"


def unchanged(columns, operator):
    return " AND ".join(f"NEW.{name} {operator} OLD.{name}" for name in columns)


def sqlite_triggers():
    same = lambda columns: unchanged(columns, "IS")  # noqa: E731
    history = f"WHEN NOT ({same(HISTORY_COLUMNS)} AND {REASON_ERASED})"
    log = f"WHEN NOT ({same(LOG_COLUMNS)} AND {ACTOR_ERASED})"
    with_event = f"WHEN NOT {EVENT_DELETED}"
    return [
        sqlite_trigger("tournament_history_is_kept", "historyentry", "UPDATE", history, CHANGED),
        sqlite_trigger("tournament_historyentry_delete", "historyentry", "DELETE", with_event, CHANGED),
        sqlite_trigger("tournament_auditentry_delete", "auditentry", "DELETE", with_event, CHANGED),
        sqlite_trigger("tournament_auditentry_update", "auditentry", "UPDATE", log, CHANGED),
        sqlite_trigger("tournament_deletedevent_delete", "deletedevent", "DELETE", "", DELETED),
        sqlite_trigger("tournament_deletedevent_update", "deletedevent", "UPDATE", "", DELETED),
    ]


def sqlite_trigger(name, table, operation, when, message):
    return f"""
        CREATE TRIGGER {name} BEFORE {operation} ON tournament_{table} {when}
        BEGIN SELECT RAISE(ABORT, '{message}'); END
        """


def postgresql_triggers():
    same = lambda columns: unchanged(columns, "IS NOT DISTINCT FROM")  # noqa: E731
    history = f"WHEN (NOT ({same(HISTORY_COLUMNS)} AND {REASON_ERASED}))"
    log_unless = f"{same(LOG_COLUMNS)} AND {ACTOR_ERASED}"
    return [
        f"""
        CREATE FUNCTION tournament_history_is_kept() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '{CHANGED}'; END $$
        """,
        f"""
        CREATE TRIGGER tournament_history_is_kept BEFORE UPDATE ON tournament_historyentry
        FOR EACH ROW {history} EXECUTE FUNCTION tournament_history_is_kept()
        """,
        postgresql_function("tournament_rows_stay", EVENT_DELETED, "OLD", CHANGED),
        postgresql_function("tournament_log_is_kept", log_unless, "NEW", CHANGED),
        postgresql_function("tournament_deletions_stay", "FALSE", "OLD", DELETED),
        postgresql_trigger("historyentry", "DELETE", "tournament_rows_stay"),
        postgresql_trigger("auditentry", "DELETE", "tournament_rows_stay"),
        postgresql_trigger("auditentry", "UPDATE", "tournament_log_is_kept"),
        postgresql_trigger("deletedevent", "DELETE", "tournament_deletions_stay"),
        postgresql_trigger("deletedevent", "UPDATE", "tournament_deletions_stay"),
    ]


def postgresql_function(name, unless, row, message):
    return f"""
        CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF {unless} THEN RETURN {row}; END IF; RAISE EXCEPTION '{message}'; END $$
        """


def postgresql_trigger(table, operation, function):
    return f"""
        CREATE TRIGGER tournament_{table}_{operation.lower()}
        BEFORE {operation} ON tournament_{table}
        FOR EACH ROW EXECUTE FUNCTION {function}()
        """


TRIGGERS = {"sqlite": sqlite_triggers, "postgresql": postgresql_triggers}


def create_triggers(apps, schema_editor):
    for statement in TRIGGERS[schema_editor.connection.vendor]():
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    replaces = [("tournament", "0030_rows_that_stay")]
    dependencies = [("tournament", "0001_release_0_1")]
    operations = [migrations.RunPython(create_triggers)]
