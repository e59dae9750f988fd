"""Django's PostgreSQL backend, which does not wait for an unavailable server."""

from time import monotonic
from typing import Any

from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

# Maximum seconds that a page waits for a free connection under heavy load.
LONGEST_WAIT = 10.0


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL backend that retries a short pool timeout as long as the server responds.

    With a single long timeout, pages would wait just as long if the server is unavailable.
    """

    def get_new_connection(self, conn_params: Any) -> Any:
        """Return a connection from the pool.

        Raises PoolTimeout soon after an attempt to connect has failed.
        """
        deadline, failures = monotonic() + LONGEST_WAIT, self._count_failures()
        while True:
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                if monotonic() >= deadline or self._count_failures() > failures:
                    raise

    def _count_failures(self) -> int:
        """Return the number of failed connection attempts by this process's pool."""
        return self.pool.get_stats().get("connections_errors", 0) if self.pool else 0
