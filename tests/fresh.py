"""`make fresh`: check that the README's instructions work on a bare system.

mmdebstrap creates a minimal root of this machine's Debian release. The README's commands run in it
unchanged, and a player plays a card at the demo over a real socket. The root uses this machine's
package mirrors, indexes and proxies, and is removed at the end.

The tests run in the root only if their inputs have changed since they last passed there. The
committed file `.ci/tried` contains the digest of the inputs at that time. Git's history could not
replace it, because a clone may contain a single commit.
"""

import asyncio
import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.error import URLError
from urllib.request import urlopen

from games.client.player import ClientPlayer, Stats, Visitor
from games.protocol.messages import AckMessage, RefusedMessage
from tests.services import Service, find_free_port

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
CHECKOUT = "/lastcard"
TRIED_FILE = ROOT / ".ci" / "tried"
INSTALLATION_PATTERNS = [
    ".ci/run",
    ".npmrc",
    "Makefile",
    "package*.json",
    "requirements*",
    "tests/fresh.py",
]
MAX_PLAY_SECONDS = 120  # until the server accepts a card
CONFIGURATION_FILES = [
    "/etc/hosts",
    "/etc/resolv.conf",
    "/etc/pip.conf",
    "/etc/uv/uv.toml",
    "/etc/npmrc",
    "/root/.npmrc",
    "/root/.config/pip/pip.conf",
    "/root/.config/uv/uv.toml",
    "/etc/ssl/certs/ca-certificates.crt",
]
FORWARDED_VARIABLES = re.compile(
    r"(PIP|UV|NPM_CONFIG)_\w+|(http|https|no|all)_proxy|SSL_CERT_\w+", re.IGNORECASE
)
# A line in which `make test` reports a missing component.
MISSING_COMPONENT = re.compile(r"^left out: .*(?:has no| is missing).*$", re.MULTILINE)
APT_OPTIONS = re.compile(r"^Acquire::(?:https?::|Check-).*;$", re.MULTILINE)
# Enters the root with the machine's devices, its configuration files and the package folders that
# these name. The files are copied again, because a package may have replaced them.
ENTER_SCRIPT = """
mount --rbind /dev "$0/dev"
mount -t proc proc "$0/proc"
for folder in $FOLDERS; do mkdir -p "$0$folder"; mount --bind "$folder" "$0$folder"; done
for file in $FILES; do mkdir -p "$0${file%/*}"; cp "$file" "$0$file"; done
unset FOLDERS FILES
exec chroot "$0" sh -c "$1"
"""


class BrokenPromiseError(Exception):
    """Raised when a promise of the README is not kept. The message states the promise."""


class ReadmeCommands(NamedTuple):
    """Commands from the README.

    apt: installs the packages for a site
    run: starts the demo
    tools: installs the packages for the tests
    test: runs the tests
    """

    apt: str
    run: str
    tools: str
    test: str


def read_readme_commands() -> ReadmeCommands:
    patterns = (
        r"`(apt install python3[^`]+)`",
        r"^(make run)$",
        r"`(apt install [^`]*nodejs[^`]*)`",
        r"`(make test FAST=1)`",
    )
    found = [re.search(pattern, README, re.MULTILINE) for pattern in patterns]
    if None in found:
        raise BrokenPromiseError("README.md no longer has the lines that this check runs.")
    return ReadmeCommands(*(match[1] for match in found if match))


def compute_digest() -> str:
    """Return a digest of the files and commands that set up the tests in a bare root."""
    found = hashlib.sha256("\n".join(read_readme_commands()).encode())
    for path in sorted(path for pattern in INSTALLATION_PATTERNS for path in ROOT.glob(pattern)):
        found.update(f"\n{path.name}\n".encode() + path.read_bytes())
    return found.hexdigest()


def has_already_passed() -> bool:
    """Return whether the tests have passed in a bare root with the current inputs."""
    return TRIED_FILE.exists() and TRIED_FILE.read_text().strip() == compute_digest()


def find_obstacle() -> str:
    """Return the reason why this machine cannot make a bare root, or an empty string."""
    if os.geteuid() != 0:
        return "it needs root"
    if not shutil.which("mmdebstrap"):
        return "mmdebstrap is missing (apt install mmdebstrap)"
    if not list_apt_sources():
        return "apt names no mirror of this release"
    namespaces = ["unshare", "--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "none", "/mnt"]
    if subprocess.run(namespaces, check=False, capture_output=True).returncode:
        return "this machine permits no namespaces"
    update = ["apt-get", "update", "-qq", "--error-on=any"]
    if subprocess.run(update, check=False, capture_output=True).returncode:
        return "apt's mirror does not answer"
    return ""


def read_debian_release() -> str:
    found = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.MULTILINE)
    return found[1] if found else ""


def list_apt_sources() -> list[str]:
    """Return the files in which apt configures mirrors of this machine's release."""
    folder = Path("/etc/apt/sources.list.d")
    files = [Path("/etc/apt/sources.list"), *folder.glob("*.list"), *folder.glob("*.sources")]
    main = re.compile(rf"^[^#]*\b{read_debian_release()}\s.*\bmain\b", re.MULTILINE | re.DOTALL)
    return [str(path) for path in files if path.exists() and main.search(path.read_text())]


def make_root(folder: Path, suite: str = "", mirrors: list[str] | None = None) -> None:
    """Make a minimal system with apt's lists, this machine's settings and the project's files."""
    dump = subprocess.run(["apt-config", "dump"], check=True, capture_output=True, text=True)
    options = ['APT::Get::Assume-Yes "true";', *APT_OPTIONS.findall(dump.stdout)]
    subprocess.run(
        [
            *["mmdebstrap", "--quiet", "--variant=minbase", "--skip=cleanup/apt"],
            *(f"--aptopt={option}" for option in options),
            *[suite or read_debian_release(), str(folder), *(mirrors or list_apt_sources())],
        ],
        check=True,
    )
    for path in list_project_files():
        target = folder / CHECKOUT[1:] / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, target)


def list_project_files() -> list[str]:
    """Return the files that Git tracks, and the new files that it does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for path in listed.split("\0") if (ROOT / path).is_file()]


def list_package_folders() -> str:
    """Return the folders that this machine's pip configuration names, separated by spaces."""
    pip = [sys.executable, "-m", "pip", "config", "list"]
    result = subprocess.run(pip, check=True, capture_output=True, text=True).stdout
    found = re.findall(r"(?:file://|(?<=[\s'=]))(/[^\s'/]+/[^\s']*)", result)
    return " ".join(sorted({path for path in found if Path(path).is_dir()}))


def build_process_options(root: Path, command: str, **environment: str) -> dict[str, Any]:
    """Return `args` and `env` for a process that runs a shell command in the root.

    When this process ends, its descendants are killed.
    """
    passed_on = {
        name: value for name, value in os.environ.items() if FORWARDED_VARIABLES.fullmatch(name)
    }
    return {
        "args": [
            *["unshare", "--mount", "--pid", "--fork", "--kill-child"],
            *["sh", "-euc", ENTER_SCRIPT, str(root), f"cd {CHECKOUT} && {command}"],
        ],
        "env": {
            **passed_on,
            **environment,
            "FOLDERS": list_package_folders(),
            "FILES": " ".join(filter(os.path.exists, CONFIGURATION_FILES)),
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LANG": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
        },
    }


class RootService(Service):
    """Service that runs in a root, with the process options `options`."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__()
        self.options = options

    def command(self) -> list[str]:
        args: list[str] = self.options["args"]
        return args

    def popen_options(self) -> dict[str, Any]:
        return {"env": self.options["env"]}

    def stop(self, signal_number: int = signal.SIGKILL) -> None:
        """Stop the service and all processes in its root.

        The default is SIGKILL, because a waiting unshare ignores other signals.
        """
        super().stop(signal_number)


class Demo(RootService):
    """The demo, started in the root on a free port by the README's command."""

    patience = 300

    def __init__(self, root: Path, line: str) -> None:
        self.line = line
        self.port = find_free_port()
        self.url = f"http://localhost:{self.port}"
        super().__init__(build_process_options(root, line, PORT=str(self.port)))

    def start(self) -> Self:
        with timed_step(f"{self.line}, until its page answers"):
            return super().start()

    def ready(self) -> bool:
        with contextlib.suppress(URLError, ConnectionError), urlopen(self.url) as page:
            return bool(page.status == 200)
        return False

    def read_login(self) -> tuple[str, str]:
        """Return the student's address and password from the demo's output.

        Raises BrokenPromiseError if the output does not contain them.
        """
        found = re.search(r"^\s*Student\s+(\S+@\S+)\s+(\S+)$", self.log.read_text(), re.MULTILINE)
        if not found:
            raise BrokenPromiseError(
                f"make run prints no student's login:\n{self.log.read_text()[-2000:]}"
            )
        return found[1], found[2]


class OneCardPlayer(ClientPlayer):
    """Player that stops after its first acknowledged card."""

    played = ""

    @property
    def over(self) -> bool:
        return bool(self.played) or super().over

    def _handle_answer(self, message: AckMessage | RefusedMessage) -> None:
        if message["type"] == "ack" and self._pending is not None:
            self.played = str(self._pending[0]["action"].get("play", ""))
        super()._handle_answer(message)


def play_one_card(url: str, address: str, password: str) -> str:
    """Sign in, start a practice match, and return the first card that the server accepts.

    Raises BrokenPromiseError if no card could be played.
    """
    visitor = Visitor(url)
    visitor.sign_in(address, password)
    match = visitor.practice("uno-500", 4)
    player = OneCardPlayer(url, match, visitor.cookies, Stats(), delay=0.05)
    asyncio.run(asyncio.wait_for(player.play(), MAX_PLAY_SECONDS))
    if not player.played:
        raise BrokenPromiseError(f"No card could be played: {dict(player.stats.errors)}")
    return player.played


@contextlib.contextmanager
def timed_step(title: str) -> Iterator[None]:
    print(f"\n=== {title}", flush=True)
    start = time.monotonic()
    yield
    print(f"--- ok, {time.monotonic() - start:.0f} s", flush=True)


def install_and_play(root: Path) -> None:
    lines = read_readme_commands()
    with timed_step(f"a minimal {read_debian_release()}"):
        make_root(root)
    with timed_step(lines.apt):
        subprocess.run(**build_process_options(root, f"{lines.apt} >/dev/null"), check=True)
    with (
        Demo(root, lines.run) as demo,
        timed_step("signing in with the printed login, playing a card"),
    ):
        print(f"The server has taken {play_one_card(demo.url, *demo.read_login())}.")


def run_tests_in_root(root: Path) -> None:
    """Install the test tools in the root, and run the tests there.

    Raises BrokenPromiseError if tests report a missing component.
    """
    lines = read_readme_commands()
    with timed_step(lines.tools):
        subprocess.run(**build_process_options(root, f"{lines.tools} >/dev/null"), check=True)
    with timed_step(lines.test):
        done = subprocess.run(
            **build_process_options(root, lines.test),
            check=False,
            stdout=subprocess.PIPE,
            text=True,
        )
        print(done.stdout)
        done.check_returncode()
    if missing := MISSING_COMPONENT.findall(done.stdout):
        raise BrokenPromiseError("\n".join(missing))


def check_installation(root: Path, *, whole: bool) -> None:
    begun = compute_digest()  # computed first, because the root lacks changes made during the run
    install_and_play(root)
    if whole or not has_already_passed():
        run_tests_in_root(root)
        TRIED_FILE.write_text(f"{begun}\n")
    else:
        print(f"The tests have passed there with these lines ({TRIED_FILE.relative_to(ROOT)}).")


def main(arguments: list[str]) -> int:
    """Run the README's commands on a bare system, and return the exit code.

    With --where-possible, the exit code is 0 on a machine that cannot create a root. With --whole,
    the tests always run in the root.
    """
    if why := find_obstacle():
        print(f"left out: the README's lines on a bare system: {why}")
        return 0 if "--where-possible" in arguments else 1
    folder = Path(tempfile.mkdtemp(prefix="lastcard-fresh-"))
    try:
        check_installation(folder / "root", whole="--whole" in arguments)
    except (BrokenPromiseError, RuntimeError, TimeoutError, subprocess.CalledProcessError) as error:
        print(f"--- FAILED: {error}")
        return 1
    finally:
        shutil.rmtree(folder)
    print("The README's lines do what it says on a bare system.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
