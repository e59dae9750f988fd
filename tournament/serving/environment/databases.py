"""The database that the settings name, in Django's format."""

from pathlib import Path

import dj_database_url

from tournament.serving.environment.variables import Variables

# A pooler that shares connections passes on neither their options nor a dump's long transaction.
NEEDS_DIRECT = {"migrate", "backup", "restore"}


def database_settings(
    environment: Variables, folder: Path, command: list[str]
) -> dj_database_url.DBConfig:
    """Return PostgreSQL from DATABASE_URL with a connection pool, otherwise SQLite in `folder`.

    `command`: the name of the running management command, if any.
    """
    direct = environment.DATABASE_URL_DIRECT if NEEDS_DIRECT.intersection(command) else ""
    url = direct or environment.DATABASE_URL or f"sqlite:///{folder / 'lastcard.sqlite3'}"
    settings = dj_database_url.parse(url)
    options = settings.setdefault("OPTIONS", {})
    if settings["ENGINE"].endswith("sqlite3"):
        settings["ENGINE"] = "tournament.site.sqlite"
        # WAL lets readers continue during a write; IMMEDIATE makes writers queue, not fail.
        options |= {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        }
        # The few threads that make pages keep theirs: to open one takes longer than most questions.
        settings["CONN_MAX_AGE"] = None
    else:
        settings["ENGINE"] = "tournament.site.postgres"
        # For the few statements of an action alone: Django's own cursor prepares none.
        options["prepare_threshold"] = 2 if environment.DATABASE_PREPARES else None
        # A cursor that outlives its transaction is another connection's behind a pooler.
        settings["DISABLE_SERVER_SIDE_CURSORS"] = not environment.DATABASE_PREPARES
        options["pool"] = {
            "min_size": 2,
            "max_size": environment.DATABASE_POOL,
            # With the database away, a request waits no longer than this (in a rush it does, see
            # the engine). The pool retries before its pauses grow long, so tables resume within
            # seconds.
            "timeout": 2,
            "reconnect_timeout": 4,
        }
        settings["CONN_HEALTH_CHECKS"] = True
    return settings
