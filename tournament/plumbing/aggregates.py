"""What Django's ORM has for one database alone."""

from typing import Any

from django.db.models import Aggregate, JSONField


class Together(Aggregate):
    """A column of many rows as a list in one row; None or an empty list where there is none.

    SQLite gives up the interpreter at each row, and whoever waits for it comes in between: three
    hundred names are read while the event is locked.
    """

    function = "JSONB_AGG"
    output_field = JSONField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="JSON_GROUP_ARRAY", **context)
