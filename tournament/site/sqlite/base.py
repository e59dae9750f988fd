"""Django's SQLite backend, which recovers after its file was read-only."""

import os
from typing import Any

from django.db.backends.sqlite3 import base


class ReopeningSqliteWrapper(base.DatabaseWrapper):
    """SQLite backend that reopens a connection once its file is writable again.

    SQLite continues to refuse writes on a connection that was opened while the file was read-only.
    """

    _is_read_only = False

    def get_new_connection(self, conn_params: Any) -> Any:
        """Open a connection, and note whether its file is writable."""
        self._is_read_only = not self.is_in_memory_db() and not self._is_writable()
        return super().get_new_connection(conn_params)

    def close_if_unusable_or_obsolete(self) -> None:
        """Close the connection as Django does, and also if its file is writable again.

        Django calls this before and after each request, and the table threads before each task.
        """
        if self._is_read_only and self.connection is not None and self._is_writable():
            self.close()
        super().close_if_unusable_or_obsolete()

    def _is_writable(self) -> bool:
        return os.access(self.settings_dict["NAME"], os.W_OK)


# Django requires this name.
DatabaseWrapper = ReopeningSqliteWrapper
