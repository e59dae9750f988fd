"""Facts for verifying a backup: row counts, last actions of matches, and event histories."""

from typing import TypedDict

from django.db import connections
from django.db.models import Max

from games.models import LoggedAction
from tournament.models import Event
from tournament.oversight.chains import HISTORY


class BackupFacts(TypedDict):
    """Facts about a database.

    * `rows`: the number of rows in each table.
    * `actions`: the number of the last action in each match.
    * `histories`: the digest of the last history row of each event.
    * `migrations`: the applied migrations, such as games.0001_initial.
    """

    rows: dict[str, int]
    actions: dict[str, int]
    histories: dict[str, str]
    migrations: list[str]


class BackupError(Exception):
    """Raised if a backup cannot be made, read or restored.

    The message is shown to the user of the command.
    """


class DifferentDataError(BackupError):
    """Raised if the restored database does not match the facts in the backup."""


def collect_facts(using: str) -> BackupFacts:
    """Collect the facts about the database with this alias.

    Raises BackupError if an event history is broken.
    """
    return {
        "rows": _count_rows(using),
        "actions": _find_last_actions(using),
        "histories": {
            str(event.pk): _find_last_digest(event) for event in Event.objects.using(using)
        },
        "migrations": _list_migrations(using),
    }


def _count_rows(using: str) -> dict[str, int]:
    connection = connections[using]
    with connection.cursor() as cursor:
        names = sorted(connection.introspection.table_names(cursor))
        counts = {}
        for name in names:
            quoted = connection.ops.quote_name(name)
            cursor.execute(f"SELECT count(*) FROM {quoted}")  # noqa: S608 - a table's own name
            counts[name] = int(cursor.fetchone()[0])
    return counts


def _find_last_actions(using: str) -> dict[str, int]:
    rows = LoggedAction.objects.using(using).values_list("hand__match").order_by()
    return {str(match): last for match, last in rows.annotate(last=Max("version"))}


def _find_last_digest(event: Event) -> str:
    entries = list(event.history.order_by("number"))
    broken = HISTORY.find_broken_row(entries)
    if broken is not None:
        raise BackupError(f"{event.slug}: row {broken} of its history or one before was changed.")
    return entries[-1].digest if entries else ""


def _list_migrations(using: str) -> list[str]:
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
        return [f"{app}.{name}" for app, name in cursor.fetchall()]


def list_differences(recorded: BackupFacts, restored: BackupFacts) -> list[str]:
    """List the differences between two databases' facts, such as `rows of games_match`."""
    return [
        f"{part} of {key}"
        for part in ("rows", "actions", "histories")
        for key in sorted({*recorded[part], *restored[part]})
        if recorded[part].get(key) != restored[part].get(key)
    ]


def describe_facts(facts: BackupFacts) -> str:
    return (
        f"{sum(facts['rows'].values())} rows of {len(facts['rows'])} tables,"
        f" {len(facts['actions'])} matches, {len(facts['histories'])} intact histories"
    )
