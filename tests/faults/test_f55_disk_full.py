"""F55: on a full disk, writes are refused and reads still work. The site recovers by itself."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import MANAGE
from tests.own_site import OwnSite
from tests.services import wait_for

pytestmark = pytest.mark.slow
OWN_MOUNTS = ["unshare", "--mount"]


class FullDiskSite(OwnSite):
    """Site that records whether its disk is full."""

    is_full = False

    def set_disk_full(self, full: bool) -> None:
        super().set_disk_full(full)
        self.is_full = full


@pytest.fixture(scope="module")
def site() -> Iterator[FullDiskSite]:
    site = FullDiskSite()
    site.make_user()
    with site:
        yield site
        site.set_disk_full(False)


@pytest.fixture
def full_site(site: FullDiskSite) -> FullDiskSite:
    if not site.is_full:
        site.set_disk_full(True)
        wait_for(lambda: site.get("/readyz")[0] == 503, "a look at the disk")
    return site


def test_sign_in_on_a_full_disk_returns_503(full_site: FullDiskSite) -> None:
    assert full_site.sign_in() == 503


@pytest.mark.parametrize("path", ["/", "/rules/", "/rules/uno-500/", "/accounts/login/"])
def test_pages_can_be_read_on_a_full_disk(full_site: FullDiskSite, path: str) -> None:
    assert full_site.get(path)[0] == 200


def test_process_with_a_full_disk_is_live_but_not_ready(full_site: FullDiskSite) -> None:
    assert full_site.get("/livez")[0] == 200
    status, text = full_site.get("/readyz")
    assert status == 503
    assert [wrong["code"] for wrong in json.loads(text)["wrong"]] == ["database-write"]


def test_site_recovers_immediately_once_space_is_free(site: FullDiskSite) -> None:
    site.set_disk_full(True)
    assert site.sign_in() == 503
    site.set_disk_full(False)
    assert site.sign_in() == 200
    wait_for(lambda: site.get("/readyz") == (200, '{"wrong": []}\n'), "all is well")


def test_failed_backup_reports_the_error_and_leaves_no_file(
    site: FullDiskSite, tmp_path: Path
) -> None:
    mount = f"mount -t tmpfs -o size=100k none {tmp_path}"
    if (
        os.geteuid() != 0
        or subprocess.run([*OWN_MOUNTS, "sh", "-c", mount], check=False).returncode
    ):
        pytest.skip("needs root, and a machine that permits namespaces")
    backup = [sys.executable, str(MANAGE), "backup", str(tmp_path / "night.backup")]
    script = f'{mount}; "$@" || ls -A {tmp_path}'
    done = subprocess.run(
        [*OWN_MOUNTS, "sh", "-ec", script, "sh", *backup],
        env=site.environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == ""
    assert done.stderr.startswith(
        f"CommandError: NOT BACKED UP: No backup could be written into {tmp_path}: "
    )
    assert done.stderr.count("\n") == 1
