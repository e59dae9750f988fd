"""F79: var/ can only be read, as a broken disk leaves it: said, read on, and then all is well."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.own_site import OwnSite

pytestmark = pytest.mark.slow

ASIDE = ["unshare", "--mount"]


class Mounted(OwnSite):
    """A site that sees its folder through a mount of its own, which may refuse to be written to."""

    def __init__(self) -> None:
        super().__init__()
        self.first = "true"

    def command(self) -> list[str]:
        return [*ASIDE, "sh", "-c", f'{self.first}; exec "$@"', "sh", *super().command()]

    @property
    def mount(self) -> str:
        return f"mount --bind {self.folder} {self.folder}; mount -o remount,bind,ro {self.folder}"

    def read_only(self, on: bool) -> None:
        """From now on, for every file that is opened."""
        assert self.process is not None
        what = self.mount if on else f"umount --lazy {self.folder}"
        inside = ["nsenter", "-t", str(self.process.pid), "--mount", "sh", "-ec", what]
        subprocess.run(inside, check=True)
        time.sleep(2.1)  # health is looked at every two seconds at most

    def codes(self) -> list[str]:
        """Return the codes that /readyz reports, and check that the status agrees."""
        status, text = self.get("/readyz")
        wrong = json.loads(text)["wrong"]
        assert status == (503 if wrong else 200)
        return [each["code"] for each in wrong]


@pytest.fixture
def site() -> Iterator[Mounted]:
    try_mount = [*ASIDE, "mount", "-t", "tmpfs", "none", "/mnt"]
    if os.geteuid() != 0 or subprocess.run(try_mount, check=False).returncode:
        pytest.skip("needs root, and a machine that permits namespaces")
    site = Mounted()
    site.make_user()
    yield site
    site.remove()


def test_running_site_reports_a_read_only_folder_and_recovers(site: Mounted) -> None:
    site.start()
    site.read_only(True)
    assert site.codes() == ["disk"]
    assert site.get("/livez")[0] == 200
    assert (site.get("/")[0], crowd(site)) == (200, {503})
    site.read_only(False)
    assert (site.codes(), crowd(site)) == ([], {200})


def crowd(site: Mounted) -> set[int]:
    """Sign in several visitors at the same time, and return the statuses that they get.

    Each thread that serves pages has a database connection of its own.
    """
    with ThreadPoolExecutor(6) as visitors:
        return {*visitors.map(lambda _visitor: site.sign_in(), range(6))}


def test_site_starts_with_a_read_only_folder_reports_it_and_recovers(site: Mounted) -> None:
    site.first = site.mount
    site.start()
    assert "disk" in site.codes()
    assert (site.get("/rules/")[0], site.sign_in()) == (200, 503)
    said = site.log.read_text()
    assert "NOT READY (disk): var/ is not writable." in said
    site.read_only(False)
    assert (site.codes(), site.sign_in()) == ([], 200)
