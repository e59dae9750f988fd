"""A whole site with a database and a folder of its own, known from outside alone."""

import atexit
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from django.conf import settings

from games.live.client import Visitor
from tests.services import Service, answers, free_port

ADDRESS, PASSWORD = "p@college.example", "only for this test"
MAKE_USER = f"""
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
user = get_user_model().objects.create_user("p", {ADDRESS!r}, {PASSWORD!r})
EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
"""
CHOSEN_HERE = ("DATABASE_URL", "REDIS_URL", "EMAIL_HOST", "ALLOWED_HOSTS", "HTTPS")


def environment(folder: Path, database_url: str = "") -> dict[str, str]:
    """Of a site in this folder alone."""
    others = {name: value for name, value in os.environ.items() if name not in CHOSEN_HERE}
    own = {
        "DJANGO_SETTINGS_MODULE": "tournament.settings",
        "SECRET_KEY": "for this test alone, " * 3,
        "LASTCARD_VAR": str(folder),
    }
    return others | own | ({"DATABASE_URL": database_url} if database_url else {})


def manage(environment: dict[str, str], *arguments: str) -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    subprocess.run(command, env=environment, check=True)


@cache
def prepared(*arguments: str) -> Path:
    """A folder with what this command makes, as every site begins: made once, then copied."""
    folder = Path(tempfile.mkdtemp(prefix="lc-"))
    atexit.register(shutil.rmtree, folder)
    manage(environment(folder), *arguments)
    return folder


def fill(folder: Path, *others: Path) -> None:
    """Put in the static files, and what these folders have."""
    for one in (prepared("collectstatic", "--noinput", "-v0"), *others):
        shutil.copytree(one, folder, dirs_exist_ok=True)


class OwnSite(Service):
    """`manage.py serve` on SQLite in its folder, or on the PostgreSQL of `database_url`.

    `migrated` names where its database stands: an app and a migration, else the newest.
    """

    def __init__(self, database_url: str = "", migrated: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = environment(self.folder, database_url)
        if database_url:
            self.manage("migrate", "-v0", *migrated)
        fill(self.folder, *([] if database_url else [prepared("migrate", "-v0", *migrated)]))

    def manage(self, *arguments: str) -> None:
        manage(self.environment, *arguments)

    def make_user(self) -> None:
        self.manage("shell", "-v0", "-c", MAKE_USER)

    def command(self) -> list[str]:
        manage = str(settings.BASE_DIR / "manage.py")
        return [sys.executable, manage, "serve", "--port", str(self.port)]

    def popen_options(self) -> dict[str, Any]:
        return {"env": self.environment}

    def ready(self) -> bool:
        return answers(("127.0.0.1", self.port))

    def full_disk(self, full: bool) -> None:
        """Let the running site write to no file, or again to all."""
        assert self.process is not None
        _soft, hard = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        limits = (0 if full else hard, hard)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, limits)

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Status and text of a page."""
        return opened(Request(self.url + path, headers=headers))

    def sign_in(self) -> int:
        """The status that signing in is answered with."""
        visitor = Visitor(self.url)
        try:
            visitor.sign_in(ADDRESS, PASSWORD)
        except HTTPError as error:
            with error:
                return error.code
        return 200


def opened(request: Request) -> tuple[int, str]:
    """Status and text of the answer, whatever it is."""
    try:
        with urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()
