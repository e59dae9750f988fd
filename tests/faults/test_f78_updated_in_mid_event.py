"""F78: an update to a new version during play. No turns or data are lost.

The test follows the steps of deploy/setup. It installs the new version next to the old one, and
applies migrations and static files while the old version still runs. Then it replaces the processes
behind nginx one by one.
"""

import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from django.conf import settings

from games.models import LoggedAction, Match
from tests.commands import make_environment
from tests.faults.cases import TryCounter
from tests.faults.logs import check_log
from tests.faults.test_f51_killed_in_mid_match import begin_long_match, has_reached
from tests.hall import Hall
from tests.live import SiteProcess, get_test_database_url, make_session_cookie
from tests.nginx import Nginx
from tests.services import wait_for
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]
pytestmark += [pytest.mark.postgres, pytest.mark.redis]

CODE_FOLDERS = ["games", "tournament", "templates", "static", "locale", "docs", "manage.py"]
MAX_RECOVERY_SECONDS = 5.0
# A hundred tables connect to one process at the same time, on a machine that other tests may use.
CROWD_SECONDS = 15.0
FEW, MANY = 12, 100
NEWER_MIGRATION = """
from django.db import migrations, models
from games.models.online import AddIndexOnline

class Migration(migrations.Migration):
    atomic = False
    dependencies = [("games", {before!r})]
    operations = [
        migrations.AddField("loggedaction", "newer", models.IntegerField(db_default=7)),
        AddIndexOnline("loggedaction", models.Index(fields=["newer"], name="action_newer")),
    ]
"""


def list_seats(matches: list[Match]) -> list[tuple[str, str]]:
    cookies = {
        seat.pk: make_session_cookie(sure(seat.user))
        for match in matches
        for seat in match.seats.all()
    }
    return [
        (match.public_id, f"{cookies[seat.pk]['name']}={cookies[seat.pk]['value']}")
        for match in matches
        for seat in match.seats.all()
    ]


class RepeatingVisitor:
    """Visitor who requests pages repeatedly.

    `wrong` lists every response with a status other than 200.
    """

    def __init__(self, url: str, paths: list[str]) -> None:
        self.url, self.paths = url, paths
        self.wrong: list[str] = []
        self.answers = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="visits")

    def _run(self) -> None:
        while not self._ended.wait(0.05):
            links = find_linked_assets(fetch_page(self.url + "/")[1])
            # nginx alternates between the two processes, so each gets one of the two requests.
            for path in [each for each in {*self.paths, *links} for _ in range(2)]:
                status, _text = fetch_page(self.url + path)
                self.answers += 1
                if status != 200:
                    self.wrong.append(f"{path}: {status}")

    def wait_for_both_processes(self) -> None:
        """Wait until each process has served pages and their files."""
        goal = self.answers + 60
        wait_for(lambda: self.answers >= goal, "visits")

    def __enter__(self) -> "RepeatingVisitor":
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._ended.set()
        self._thread.join(timeout=60)


def fetch_page(address: str) -> tuple[int, str]:
    try:
        with urlopen(address, timeout=20) as answer:
            return answer.status, answer.read().decode(errors="replace")
    except HTTPError as error:
        with error:
            return error.code, ""


def find_linked_assets(page: str) -> list[str]:
    return re.findall(r'"(/static/[^"]+\.(?:css|js))"', page)


class VersionedSite(SiteProcess):
    """Process that runs the version of the site in the folder `code`."""

    code = Path(settings.BASE_DIR)

    def command(self) -> list[str]:
        return [sys.executable, str(self.code / "manage.py"), *super().command()[2:]]

    def popen_options(self) -> dict[str, Any]:
        options = super().popen_options()
        return {**options, "env": options["env"] | {"ALLOWED_HOSTS": "127.0.0.1"}}

    def ready(self) -> bool:
        return super().ready() and fetch_page(f"{self.url}/readyz")[0] == 200

    def switch_to_version(self, code: Path) -> None:
        self.stop(signal.SIGTERM)
        self.code = code
        self.start()


def get_last_migration() -> str:
    migrations = Path(settings.BASE_DIR) / "games" / "migrations"
    return max(path.stem for path in migrations.glob("0*.py"))


def make_newer_version(folder: Path) -> Path:
    """Copy the code to `folder`, and add a migration and a change to a style sheet."""
    for name in CODE_FOLDERS:
        source = Path(settings.BASE_DIR) / name
        copy: Any = shutil.copytree if source.is_dir() else shutil.copy2
        copy(source, folder / name)
    migration = folder / "games" / "migrations" / "9999_newer.py"
    migration.write_text(NEWER_MIGRATION.format(before=get_last_migration()))
    with (folder / "static" / "css" / "tokens.css").open("a") as sheet:
        sheet.write("\n.newer { color: inherit; }\n")
    return folder


@pytest.fixture
def processes(collected_static: Path, tmp_path: Path) -> Iterator[list[VersionedSite]]:
    var = tmp_path / "var" / "static"
    shutil.copytree(collected_static, var)
    with ExitStack() as stack:
        yield [stack.enter_context(VersionedSite(var)) for _ in range(2)]


@pytest.fixture
def newer_version(processes: list[VersionedSite], tmp_path: Path) -> Iterator[Path]:
    """Provide the folder of the newer version, and undo its migration afterwards."""
    code = make_newer_version(tmp_path / "new")
    yield code
    run_manage(code, processes[0].var, "migrate", "games", get_last_migration(), "-v0")


def run_manage(code: Path, var: Path, *command: str) -> None:
    env = make_environment(var, get_test_database_url())
    subprocess.run([sys.executable, str(code / "manage.py"), *command], env=env, check=True)


@pytest.fixture
def nginx(processes: list[VersionedSite], monkeypatch: pytest.MonkeyPatch) -> Iterator[Nginx]:
    nginx = Nginx(*(each.port for each in processes))
    monkeypatch.setenv("SSL_CERT_FILE", str(nginx.certificate))
    with nginx:
        yield nginx


def test_no_turn_is_lost_during_an_update(
    processes: list[VersionedSite], nginx: Nginx, tries: TryCounter, newer_version: Path
) -> None:
    url = f"https://127.0.0.1:{nginx.tls}"
    matches = [begin_long_match(people=2) for _ in tries(FEW, MANY)]
    old_links = find_linked_assets(fetch_page(url + "/")[1])
    with Hall(url, list_seats(matches)) as hall, RepeatingVisitor(url, old_links) as visits:
        for match in matches:
            wait_for(partial(has_reached, match, 4), "play")
        run_manage(newer_version, processes[0].var, "migrate", "-v0")
        run_manage(newer_version, processes[0].var, "collectstatic", "--noinput", "-v0")
        for process in processes:
            process.switch_to_version(newer_version)
            visits.wait_for_both_processes()
        versions = dict(Match.objects.values_list("pk", "version"))
        for match in matches:
            wait_for(partial(has_reached, match, versions[match.pk] + 3), "play goes on")
        new_links = find_linked_assets(fetch_page(url + "/")[1])
    assert set(new_links) - set(old_links), "pages are those of the new version"
    assert visits.wrong == []
    assert hall.stats.errors == {}
    without = sorted(seconds for player in hall.players for seconds in player.interruptions)
    assert len(without) >= len(matches)
    assert without[len(without) // 2] < MAX_RECOVERY_SECONDS
    assert without[-1] < (MAX_RECOVERY_SECONDS if len(matches) == FEW else CROWD_SECONDS)
    rows = LoggedAction.objects.exclude(client_id="").values_list("client_id", "version")
    assert hall.acked.items() <= dict(rows).items()
    assert len(hall.acked) >= 4 * len(matches)
    acted_for = LoggedAction.objects.exclude(auto="")
    assert list(acted_for.values_list("hand__match", "auto")) == []
    for match in matches[:FEW]:
        check_log(match)
