"""Test of the container image: build it, run a site from it, and play a few cards.

mmdebstrap makes the base image, so no registry is needed. PostgreSQL and Redis are private
instances
on this machine, whose network the containers share. The test is part of `make nightly`.
"""

import asyncio
import contextlib
import json
import os
import resource
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from games.client.player import ClientPlayer, Stats, Visitor
from tests import fresh
from tests.services import Postgres, Redis, find_free_port, wait_for

BASE, IMAGE = "localhost/lastcard-base", "localhost/lastcard"
MACHINE_FILES = {"/etc/hosts", "/etc/resolv.conf", "/etc/npmrc", "/root/.npmrc"}
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
CARDS = 5
STOP_SECONDS = 15
CONTENT = {
    "/srv/lastcard/var": ["static", "web-fonts"],
    "/srv/lastcard/site": [
        *(".venv", "deploy", "docs", "games", "locale", "manage.py", "requirements.txt"),
        *("static", "templates", "tournament"),
    ],
    "/srv/lastcard/site/deploy": ["container"],
}
# Exit codes of a process that ends on SIGTERM. The code 137 would mean that it had to be killed.
NORMAL_EXIT_CODES = (0, 143)


def find_obstacle() -> str:
    """Return the reason why this machine cannot build and run an image, or an empty string."""
    if not shutil.which("podman"):
        return "podman is missing (apt install podman runc)"
    return fresh.find_obstacle()


def list_limit_options() -> list[str]:
    """Return the podman options that keep resource limits within those of this machine."""
    options = []
    for name, number, limit in (
        ("nofile", resource.RLIMIT_NOFILE, 65536),
        ("nproc", resource.RLIMIT_NPROC, 32768),
    ):
        hard = resource.getrlimit(number)[1]
        most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        options.append(f"--ulimit={name}={most}:{most}")
    return options


def list_package_folders() -> set[Path]:
    """Return the folders that pip's configuration names, including the files of a local index."""
    paths = map(Path, fresh.list_package_folders().split())
    return {path.parent if path.name == "simple" else path for path in paths}


class FewCardsPlayer(ClientPlayer):
    """Player that stops after a few acknowledged actions."""

    @property
    def over(self) -> bool:
        return len(self.stats.latencies) >= CARDS or super().over


class Podman:
    """Podman with its own storage and without systemd."""

    def __init__(self, folder: Path) -> None:
        runtime = ["--runtime", "runc"] if shutil.which("runc") else []
        places = ["--root", str(folder / "images"), "--runroot", str(folder / "run")]
        places += ["--storage-driver", "overlay"]  # the default copies every layer
        self.program = ["podman", *places, "--cgroup-manager", "cgroupfs", *runtime]

    def run(self, *arguments: str) -> str:
        """Run a podman command and return its output.

        Raises BrokenPromiseError, with the command's output, if the command fails.
        """
        command = [*self.program, *arguments]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            text = f"{done.stdout}{done.stderr}"[-3000:]
            raise fresh.BrokenPromiseError(f"podman {' '.join(arguments)}:\n{text}")
        return done.stdout.strip()

    def import_base(self, folder: Path) -> None:
        """Make an image of a minimal system that uses this machine's package mirrors."""
        root = folder / "root"
        fresh.make_root(root)
        for path in {*fresh.CONFIGURATION_FILES} - MACHINE_FILES:
            if os.path.exists(path):
                _copy_file(path, root / path[1:])
        if os.path.exists(BUNDLE):
            _copy_file(BUNDLE, root / "usr/local/share/ca-certificates/machine.crt")
        tar, excluded = folder / "base.tar", f"--exclude=.{fresh.CHECKOUT}"
        subprocess.run(["tar", "-C", str(root), excluded, "-cf", str(tar), "."], check=True)
        shutil.rmtree(root)
        self.run("import", "--quiet", str(tar), BASE)
        tar.unlink()

    def build(self) -> None:
        folders = [f"--volume={path}:{path}:ro" for path in list_package_folders()]
        how = ["--isolation", "chroot", "--network", "host", "--format", "docker", *folders]
        files = ["--build-arg", f"BASE={BASE}", "--file", "deploy/Containerfile"]
        self.run("build", "--quiet", *how, *files, "--tag", IMAGE, str(fresh.ROOT))

    def size(self) -> float:
        """Return the size of the image in megabytes."""
        return int(self.run("image", "inspect", "--format", "{{.Size}}", IMAGE)) / 1e6


class Site:
    """The containers of one site, which share a volume and this machine's network."""

    def __init__(self, podman: Podman, postgres: Postgres, redis: Redis) -> None:
        self.podman, self.port = podman, find_free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        os.chmod(postgres.folder, 0o711)  # the containers' user needs access to the socket
        self.options = [
            "--network",
            "host",
            *list_limit_options(),
            "--volume",
            "var:/srv/lastcard/var",
        ]
        self.options += ["--volume", f"{postgres.folder}:{postgres.folder}"]
        for setting in (
            f"DATABASE_URL={postgres.url}",
            f"REDIS_URL={redis.url}",
            f"SECRET_KEY={secrets.token_urlsafe(60)}",
            "ALLOWED_HOSTS=127.0.0.1",
            f"PORT={self.port}",
        ):
            self.options += ["--env", setting]

    def run(self, *arguments: str) -> str:
        """Run a container until it exits, and return its output."""
        return self.podman.run("run", "--rm", *self.options, IMAGE, *arguments)

    @contextlib.contextmanager
    def keep_running(self, kind: str) -> Iterator[None]:
        """Keep a container of this kind running during the `with` block.

        Raises BrokenPromiseError if the container does not stop on SIGTERM.
        """
        self.podman.run("run", "--detach", "--name", kind, *self.options, IMAGE, kind)
        try:
            yield
        except BaseException:
            print(self.podman.run("logs", kind)[-3000:])
            self.podman.run("rm", "--force", kind)
            raise
        self.podman.run("stop", "--time", str(STOP_SECONDS), kind)
        code = int(self.podman.run("inspect", "--format", "{{.State.ExitCode}}", kind))
        if code not in NORMAL_EXIT_CODES:
            raise fresh.BrokenPromiseError(f"The container {kind} ended with {code}.")
        self.podman.run("rm", kind)

    def is_healthy(self) -> bool:
        """Return whether the site is ready and reports no warning, such as a missing worker."""
        with contextlib.suppress(URLError, ConnectionError), urlopen(f"{self.url}/readyz") as page:
            return not json.load(page).get("warnings")
        return False

    def play(self) -> Stats:
        """Play a few cards at a practice table and return the player's statistics.

        Raises BrokenPromiseError if the site does not accept the cards.
        """
        visitor, stats = Visitor(self.url), Stats()
        match = visitor.practice("uno-500", 4)
        player = FewCardsPlayer(self.url, match, visitor.cookies, stats, delay=0.05)
        asyncio.run(asyncio.wait_for(player.play(), fresh.MAX_PLAY_SECONDS))
        if stats.errors or len(stats.latencies) < CARDS:
            raise fresh.BrokenPromiseError(f"The table could not be played: {dict(stats.errors)}")
        return stats


def _copy_file(source: str, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def check_content(podman: Podman) -> None:
    """Check that the image contains the code and the static files, but no key or database.

    Raises BrokenPromiseError if it does not.
    """
    look = [
        "run",
        "--rm",
        "--network",
        "host",
        *list_limit_options(),
        "--entrypoint",
        "ls",
        IMAGE,
        "-A",
    ]
    for folder, expected in CONTENT.items():
        found = sorted(podman.run(*look, folder).split())
        if found != sorted(expected):
            raise fresh.BrokenPromiseError(f"{folder} in the image has {found}.")


def check_site(podman: Podman) -> None:
    with Postgres() as postgres, Redis() as redis:
        site = Site(podman, postgres, redis)
        with fresh.timed_step("migrate"):
            site.run("migrate")
        with contextlib.ExitStack() as containers:
            with fresh.timed_step("web and worker, until the site is ready"):
                for kind in ("worker", "web"):
                    containers.enter_context(site.keep_running(kind))
                wait_for(site.is_healthy, "the site", 180)
            with fresh.timed_step(f"a guest plays {CARDS} cards"):
                site.play()
            with fresh.timed_step("its health, a backup, and the end of both"):
                podman.run("healthcheck", "run", "web")
                site.run("backup")
                containers.close()


def main() -> int:
    """Build the image, run the site from it, and return the exit code."""
    if why := find_obstacle():
        print(f"left out: the container image: {why}")
        return 1
    folder = Path(tempfile.mkdtemp(prefix="lastcard-container-"))
    podman = Podman(folder)
    try:
        with fresh.timed_step(f"a minimal {fresh.read_debian_release()} as the base image"):
            podman.import_base(folder)
        with fresh.timed_step("deploy/Containerfile"):
            podman.build()
        print(f"The image has {podman.size():.0f} MB.")
        check_content(podman)
        check_site(podman)
    except (fresh.BrokenPromiseError, TimeoutError, subprocess.CalledProcessError) as error:
        print(f"--- FAILED: {error}")
        return 1
    finally:
        with contextlib.suppress(fresh.BrokenPromiseError):
            # A reset would also delete the state of containers outside this test's storage.
            podman.run("rm", "--all", "--force")
            podman.run("rmi", "--all", "--force")
        shutil.rmtree(folder, ignore_errors=True)
    print("The site runs in containers.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
