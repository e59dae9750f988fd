"""Django's PostgreSQL backend, without waiting for a server that is away."""

from time import monotonic
from typing import Any

from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

# In a rush a page waits so long for its turn, in seconds.
LONGEST_WAIT = 10.0


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL backend with a short pool timeout that is retried while the server responds.

    With a single long timeout, a page would wait as long for a server that is away as for a free
    connection in a rush.
    """

    def get_new_connection(self, conn_params: Any) -> Any:
        """Return a connection from the pool.

        Raises PoolTimeout soon after an attempt to connect has failed.
        """
        until, failed = monotonic() + LONGEST_WAIT, self._count_failures()
        while True:
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                if monotonic() >= until or self._count_failures() > failed:
                    raise

    def _count_failures(self) -> int:
        """Return how many of the pool's attempts to connect have failed in this process."""
        return self.pool.get_stats().get("connections_errors", 0) if self.pool else 0
