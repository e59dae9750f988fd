"""Private servers for tests, each in a temporary folder, and functions that find programs."""

import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote


class MissingServiceError(Exception):
    """Raised for a missing program. The message names the program and its package."""


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(ready: Callable[[], bool], event: str, seconds: float = 60) -> None:
    """Poll `ready` until it returns True.

    Raises TimeoutError, which names `event`, after `seconds` seconds.
    """
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"{event}: not ready after {seconds:g} s")
        time.sleep(0.02)


def accepts_connections(address: str | tuple[str, int]) -> bool:
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    with socket.socket(family) as probe:
        probe.settimeout(1)
        return probe.connect_ex(address) == 0


def make_popen_arguments() -> dict[str, Any]:
    """Return Popen arguments that keep a process from running as root, as PostgreSQL requires."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Service:
    """A program with its own temporary folder, which runs during the `with` block."""

    patience = 180.0  # seconds until the program is ready

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="lc-"))
        self.log = self.folder / "log"
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def ready(self) -> bool:
        raise NotImplementedError

    def popen_options(self) -> dict[str, Any]:
        return {}

    def start(self) -> Self:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                **self.popen_options(),
            )
        wait_for(self._check_ready, type(self).__name__, self.patience)
        return self

    def _check_ready(self) -> bool:
        if self.process is not None and self.process.poll() is not None:
            raise RuntimeError(f"{type(self).__name__} ended:\n{self.log.read_text()[-3000:]}")
        return self.ready()

    def stop(self, signal_number: int = signal.SIGINT) -> None:
        """Send a signal, such as SIGKILL to simulate a crash, and wait for the process to end."""
        if self.process is not None:
            self.process.send_signal(signal_number)
            self.process.wait(timeout=60)
            self.process = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self.remove()
            raise

    def __exit__(self, *_exc: object) -> None:
        self.remove()


def find_postgres_binaries() -> Path:
    """Return the folder of PostgreSQL's programs, which Debian leaves off the PATH."""
    folders = [Path(path) for path in glob.glob("/usr/lib/postgresql/*/bin")]
    folders.sort(key=lambda folder: float(folder.parent.name))
    if found := shutil.which("initdb"):
        folders.insert(0, Path(found).resolve().parent)
    for folder in reversed(folders):
        if (folder / "postgres").exists() and (folder / "pg_isready").exists():
            return folder
    raise MissingServiceError("PostgreSQL (apt install postgresql)")


class Postgres(Service):
    """A PostgreSQL server on a Unix socket.

    durable: whether it flushes to disk, as in production
    like: data folder of a cluster to copy; by default, the cluster is new
    """

    def __init__(self, *, durable: bool = True, like: Path | None = None) -> None:
        self.binaries, self.durable = find_postgres_binaries(), durable
        super().__init__()
        self.data = self.folder / "data"
        self.log.touch()
        if owner := self.popen_options():
            os.chown(self.folder, owner["user"], owner["group"])
        if like:
            subprocess.run(["cp", "-a", str(like), str(self.data)], check=True)
        else:
            how = ["-U", "lastcard", "--auth=trust", "-E", "UTF8"]
            self._run("initdb", "-D", str(self.data), *how)

    @property
    def url(self) -> str:
        return self.database_url("postgres")

    def database_url(self, name: str) -> str:
        return f"postgres://lastcard@{quote(str(self.folder), safe='')}/{name}"

    def create_database(self, name: str) -> str:
        """Create a database and return its URL."""
        self._run("createdb", "-h", str(self.folder), "-U", "lastcard", name)
        return self.database_url(name)

    def sql(self, statement: str) -> None:
        """Execute one statement as the database's owner."""
        self._run(
            "psql", "-q", "-h", str(self.folder), "-U", "lastcard", "postgres", "-c", statement
        )

    def command(self) -> list[str]:
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "max_connections": "200",
            "fsync": "on" if self.durable else "off",
        }
        settings = [part for key, value in options.items() for part in ("-c", f"{key}={value}")]
        return [str(self.binaries / "postgres"), "-D", str(self.data), *settings]

    def ready(self) -> bool:
        check = [str(self.binaries / "pg_isready"), "-q", "-h", str(self.folder)]
        return subprocess.run(check, check=False).returncode == 0

    def popen_options(self) -> dict[str, Any]:
        return make_popen_arguments()

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(self.binaries / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            **self.popen_options(),
        )


class Redis(Service):
    """A Redis server without persistence, on its own port."""

    def __init__(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            raise MissingServiceError("Redis (apt install redis-server)")
        self.program = program
        super().__init__()
        self.port = find_free_port()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        options = ["--save", "", "--appendonly", "no", "--bind", "127.0.0.1"]
        return [self.program, "--port", str(self.port), *options]

    def ready(self) -> bool:
        return accepts_connections(("127.0.0.1", self.port))


def find_chromium() -> str:
    """Return the path of Chromium or Chrome.

    A headless browser is preferred, since it takes half the time.
    """
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise MissingServiceError("Chromium (apt install chromium-headless-shell)")


def find_firefox() -> str:
    """Return the path of Firefox."""
    for name in ("firefox-esr", "firefox"):
        if found := shutil.which(name):
            return found
    raise MissingServiceError("Firefox (apt install firefox-esr)")


def find_webkit() -> tuple[str, str]:
    """Return the paths of WebKit's driver, which finds its browser itself, and of Xvfb."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    if not driver or not screen:
        raise MissingServiceError("WebKit and Xvfb (apt install webkit2gtk-driver xvfb)")
    return driver, screen


# Marks of tests that need a browser, each with the function that finds the browser.
BROWSERS: dict[str, Callable[[], object]] = {
    "browser": find_chromium,
    "firefox": find_firefox,
    "webkit": find_webkit,
}


def find_nginx() -> tuple[str, str]:
    """Return the paths of nginx and openssl.

    nginx is often installed in a folder that is only on root's PATH.
    """
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    openssl = shutil.which("openssl")
    if not found or not openssl:
        raise MissingServiceError("nginx and openssl (apt install nginx openssl)")
    return found, openssl


def find_promtool() -> str:
    """Return the path of promtool, which tests Prometheus alert rules."""
    if found := shutil.which("promtool"):
        return found
    raise MissingServiceError("promtool (apt install prometheus)")


def find_gettext() -> str:
    """Return the path of xgettext, whose package contains all gettext programs."""
    if found := shutil.which("xgettext"):
        return found
    raise MissingServiceError("gettext (apt install gettext)")


def find_git() -> str:
    """Return the path of git, which deploy/setup needs to merge an operator's changes."""
    if found := shutil.which("git"):
        return found
    raise MissingServiceError("git (apt install git)")
