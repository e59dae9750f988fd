#!/usr/bin/env python
"""Django's command line for Lastcard."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, connection

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        if connection.connection is not None:
            raise
        sys.exit(f"The database (DATABASE_URL) does not answer: {error}")


if __name__ == "__main__":
    main()
