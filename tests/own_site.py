"""A site with its own folder and database, which a test can only use from outside."""

import resource
import shutil
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from games.client.player import Visitor
from tests import collected
from tests.commands import make_environment, manage
from tests.migrated import get_sqlite_file
from tests.served import ServedSite

ADDRESS, PASSWORD = "p@college.example", "only for this test"
MAKE_USER = f"""
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
user = get_user_model().objects.create_user("p", {ADDRESS!r}, {PASSWORD!r})
EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
"""


class OwnSite(ServedSite):
    """Site with its own SQLite database, or with the migrated database at `database_url`.

    `migrated` names an app and the migration up to which the SQLite database is migrated. By
    default, all migrations are applied.
    """

    def __init__(self, database_url: str = "", migrated: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.environment = make_environment(self.folder, database_url)
        collected.copy_static_files(self.folder / "static")
        if migrated:
            self.manage("migrate", "-v0", *migrated)
        elif not database_url:
            shutil.copyfile(get_sqlite_file(), self.folder / "lastcard.sqlite3")

    def manage(self, *arguments: str) -> None:
        manage(self.environment, *arguments)

    def make_user(self) -> None:
        self.manage("shell", "-v0", "-c", MAKE_USER)

    def popen_options(self) -> dict[str, Any]:
        return {"env": self.environment}

    def set_disk_full(self, full: bool) -> None:
        """Make all file writes of the running site fail, or succeed again."""
        assert self.process is not None
        _soft, hard = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        limits = (0 if full else hard, hard)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, limits)

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Return the status and the text of the response for a path."""
        return fetch_response(Request(self.url + path, headers=headers))

    def sign_in(self) -> int:
        """Sign in and return the status of the response."""
        visitor = Visitor(self.url)
        try:
            visitor.sign_in(ADDRESS, PASSWORD)
        except HTTPError as error:
            with error:
                return error.code
        return 200


def fetch_response(request: Request) -> tuple[int, str]:
    """Return the status and text of the response, even if it is an error."""
    try:
        with urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()
