"""F55: PostgreSQL's disk is full. All clocks stop, and no acknowledged action is lost.

Small writes, such as heartbeats, still fit into existing database pages.
"""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.faults.outage_checks import (
    TOLERANCE_SECONDS,
    read_time_left,
    read_until_outage_notice,
    request_time_left,
)
from tests.faults.test_f53_postgres_restarted import open_practice, wait_for_turn
from tests.games.windows import Window
from tests.migrated import get_cluster_folder
from tests.own_site import OwnSite
from tests.services import Postgres, make_popen_arguments, wait_for

pytestmark = pytest.mark.slow

OWN_MOUNTS = ["unshare", "--mount"]
# Mounts a small disk as the folder of the tables, in the server's own mount namespace.
SMALL_DISK_SCRIPT = """
mv {base} {base}.before
mkdir {base}
mount -t tmpfs -o size={size}k,mode=700,uid={user},gid={group} none {base}
cp -a {base}.before/. {base}
exec setpriv --reuid {user} --regid {group} --clear-groups "$@"
"""
FREE_KILOBYTES = 4_000


class SmallDisk(Postgres):
    """Migrated PostgreSQL server whose tables are on a small disk."""

    def __init__(self) -> None:
        super().__init__(like=get_cluster_folder())
        self.base, owner = self.data / "base", make_popen_arguments()
        os.chown(self.folder, owner["user"], owner["group"])
        used = sum(file.stat().st_size for file in self.base.rglob("*")) // 1024
        self.first = SMALL_DISK_SCRIPT.format(base=self.base, size=used + FREE_KILOBYTES, **owner)

    def command(self) -> list[str]:
        return [*OWN_MOUNTS, "sh", "-ec", self.first, "sh", *super().command()]

    def popen_options(self) -> dict[str, Any]:
        return {}  # only root can mount the disk

    def fill_disk(self) -> None:
        """Fill the disk, so that no database page can be added."""
        self._run_in_mount_namespace("cat /dev/zero > ballast || test -s ballast")

    def free_space(self) -> None:
        self._run_in_mount_namespace("rm ballast")

    def _run_in_mount_namespace(self, script: str) -> None:
        assert self.process is not None
        enter = ["nsenter", "-t", str(self.process.pid), "--mount"]
        script = f"cd {self.base}; {script}"
        subprocess.run([*enter, "sh", "-c", script], check=True, stderr=subprocess.DEVNULL)


@pytest.fixture
def database() -> Iterator[SmallDisk]:
    try_mount = [*OWN_MOUNTS, "mount", "-t", "tmpfs", "none", "/mnt"]
    if os.geteuid() != 0 or subprocess.run(try_mount, check=False).returncode:
        pytest.skip("needs root, and a machine that permits namespaces")
    with SmallDisk() as server:
        yield server


def test_full_postgres_disk_stops_the_clocks_until_play_can_resume(
    database: SmallDisk,
) -> None:
    site = OwnSite(database.url)
    site.make_user()
    with site, open_practice(site) as window:
        acked = play_until_disk_full(window, database)
        before = read_time_left(window).get_seconds_left()
        time.sleep(4)
        assert list_problem_codes(site) == ["database-write"]
        assert site.get("/rules/")[0] == 200
        database.free_space()
        read_until_outage_notice(window)
        assert request_time_left(window).seconds == pytest.approx(before, abs=TOLERANCE_SECONDS)
        assert list_stored_ids(database) == acked
        acked.append(play_next_turn(window)["id"])
        assert list_stored_ids(database) == acked
        wait_for(lambda: list_problem_codes(site) == [], "all is well", 10)


def play_until_disk_full(window: Window, database: SmallDisk) -> list[str]:
    """Fill the disk during each of this window's turns until an action cannot be saved.

    Return the ids of the acknowledged actions. The bot plays its turns with free space.
    """
    acked: list[str] = []
    for _turn in range(40):
        wait_for_turn(window)
        database.fill_disk()
        answer = play_next_turn(window)
        if answer["type"] == "notice":
            assert answer["code"] == "unavailable"
            return acked
        acked.append(answer["id"])
        database.free_space()
    pytest.fail("every action fits into the pages that there are")


def play_next_turn(window: Window) -> dict[str, Any]:
    """Wait for this window's turn, act, and return the acknowledgement or the notice."""
    action = wait_for_turn(window)
    name = f"mine-{window.version}"
    window.send({"type": "action", "id": name, "version": window.version, "action": action})
    answer = window.read()
    while answer["type"] not in ("ack", "notice"):
        answer = window.read()
    if answer["type"] == "ack":
        window.catch_up(answer["version"])
    return answer


def list_problem_codes(site: OwnSite) -> list[str]:
    """Return the codes of the problems that /readyz reports."""
    return [wrong["code"] for wrong in json.loads(site.get("/readyz")[1])["wrong"]]


def list_stored_ids(database: Postgres) -> list[str]:
    """Return the ids of this window's stored actions."""
    mine = "SELECT client_id FROM games_loggedaction WHERE client_id LIKE 'mine-%' ORDER BY version"
    with psycopg.connect(database.url) as connection:
        return [client_id for (client_id,) in connection.execute(mine)]
