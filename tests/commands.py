"""Management commands for a site with its own folder and database."""

import os
import subprocess
import sys
from pathlib import Path

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"
REPLACED_VARIABLES = (
    "DATABASE_URL",
    "REDIS_URL",
    "EMAIL_HOST",
    "ALLOWED_HOSTS",
    "HTTPS",
    "SITE_ADDRESS",
)


def make_environment(folder: Path, database_url: str = "") -> dict[str, str]:
    """Return the environment variables of a site that writes only to this folder."""
    others = {name: value for name, value in os.environ.items() if name not in REPLACED_VARIABLES}
    own = {
        "DJANGO_SETTINGS_MODULE": "tournament.settings",
        "SECRET_KEY": "for this test alone, " * 3,
        "LASTCARD_VAR": str(folder),
    }
    return others | own | ({"DATABASE_URL": database_url} if database_url else {})


def manage(environment: dict[str, str], *arguments: str) -> None:
    command = [sys.executable, str(MANAGE), *arguments]
    subprocess.run(command, env=environment, check=True)
