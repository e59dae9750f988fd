"""F79: var/ becomes read-only, as after a disk failure.

The site reports the problem, still serves pages, and recovers once var/ is writable again.
"""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.own_site import OwnSite

pytestmark = pytest.mark.slow

OWN_MOUNTS = ["unshare", "--mount"]


class MountedSite(OwnSite):
    """Site in its own mount namespace, in which its folder can be made read-only."""

    def __init__(self) -> None:
        super().__init__()
        self.first = "true"

    def command(self) -> list[str]:
        return [*OWN_MOUNTS, "sh", "-c", f'{self.first}; exec "$@"', "sh", *super().command()]

    @property
    def mount(self) -> str:
        return f"mount --bind {self.folder} {self.folder}; mount -o remount,bind,ro {self.folder}"

    def set_read_only(self, on: bool) -> None:
        """Make the folder read-only or writable. Files that are already open are not affected."""
        assert self.process is not None
        what = self.mount if on else f"umount --lazy {self.folder}"
        inside = ["nsenter", "-t", str(self.process.pid), "--mount", "sh", "-ec", what]
        subprocess.run(inside, check=True)
        time.sleep(2.1)  # health is checked at most every two seconds

    def list_problem_codes(self) -> list[str]:
        """Return the codes of the problems that /readyz reports, and check its status."""
        status, text = self.get("/readyz")
        wrong = json.loads(text)["wrong"]
        assert status == (503 if wrong else 200)
        return [each["code"] for each in wrong]


@pytest.fixture
def site() -> Iterator[MountedSite]:
    try_mount = [*OWN_MOUNTS, "mount", "-t", "tmpfs", "none", "/mnt"]
    if os.geteuid() != 0 or subprocess.run(try_mount, check=False).returncode:
        pytest.skip("needs root, and a machine that permits namespaces")
    site = MountedSite()
    site.make_user()
    yield site
    site.remove()


def test_running_site_reports_a_read_only_folder_and_recovers(site: MountedSite) -> None:
    site.start()
    site.set_read_only(True)
    assert site.list_problem_codes() == ["disk"]
    assert site.get("/livez")[0] == 200
    assert (site.get("/")[0], sign_in_together(site)) == (200, {503})
    site.set_read_only(False)
    assert (site.list_problem_codes(), sign_in_together(site)) == ([], {200})


def sign_in_together(site: MountedSite) -> set[int]:
    """Sign in several visitors at the same time, and return the statuses of the responses.

    This uses the database connections of several threads.
    """
    with ThreadPoolExecutor(6) as visitors:
        return {*visitors.map(lambda _visitor: site.sign_in(), range(6))}


def test_site_starts_with_a_read_only_folder_reports_it_and_recovers(site: MountedSite) -> None:
    site.first = site.mount
    site.start()
    assert "disk" in site.list_problem_codes()
    assert (site.get("/rules/")[0], site.sign_in()) == (200, 503)
    said = site.log.read_text()
    assert "NOT READY (disk): var/ is not writable." in said
    site.set_read_only(False)
    assert (site.list_problem_codes(), site.sign_in()) == ([], 200)
