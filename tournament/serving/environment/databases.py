"""Django's database settings, derived from the site's environment variables."""

from pathlib import Path

import dj_database_url

from tournament.serving.environment.variables import Variables

# Commands that need a direct connection. A pooler that shares connections supports neither their
# options nor the long transaction of a dump.
NEEDS_DIRECT = {"migrate", "backup", "restore"}


def make_database_settings(
    environment: Variables, folder: Path, command: list[str]
) -> dj_database_url.DBConfig:
    """Return settings for PostgreSQL with a connection pool, or for SQLite in `folder`.

    PostgreSQL is used if DATABASE_URL is set. `command` is a list with the name of the running
    management command, or an empty list.
    """
    direct = environment.DATABASE_URL_DIRECT if NEEDS_DIRECT.intersection(command) else ""
    url = direct or environment.DATABASE_URL or f"sqlite:///{folder / 'lastcard.sqlite3'}"
    settings = dj_database_url.parse(url)
    options = settings.setdefault("OPTIONS", {})
    if settings["ENGINE"].endswith("sqlite3"):
        settings["ENGINE"] = "tournament.site.sqlite"
        # WAL lets readers continue during a write. IMMEDIATE makes writers wait instead of fail.
        options |= {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        }
        # The few page threads keep their connections, because opening one takes longer than most
        # queries.
        settings["CONN_MAX_AGE"] = None
    else:
        settings["ENGINE"] = "tournament.site.postgres"
        # Affects only the few statements of an action, because Django's own cursor prepares none.
        options["prepare_threshold"] = 2 if environment.DATABASE_PREPARES else None
        # A pooler may change the connection after a transaction, so no cursor may outlive it.
        settings["DISABLE_SERVER_SIDE_CURSORS"] = not environment.DATABASE_PREPARES
        options["pool"] = {
            "min_size": 2,
            "max_size": environment.DATABASE_POOL,
            # Seconds that a request waits for an unavailable database. Under heavy load it waits
            # longer (tournament/site/postgres). The pool retries often, so that tables resume
            # within seconds.
            "timeout": 2,
            "reconnect_timeout": 4,
        }
        settings["CONN_HEALTH_CHECKS"] = True
    return settings
