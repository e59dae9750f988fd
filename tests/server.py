"""`deploy/setup` in a bare root of a Debian release: set up, played on, updated, and back again.

Without systemd the script itself starts what systemd would. It is a part of `make nightly`.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple, Self

from games.client.player import Stats, Visitor
from tests import fresh
from tests.services import answers

README = (fresh.ROOT / "README.md").read_text()
NAME, ORGANIZER = "127.0.0.1", "organizer@college.example"
PORTS = (80, 443, 5432, 6379, 8001, 8002)
SET_UP = f"deploy/setup {NAME} {ORGANIZER}"
# A newer version takes over; one that cannot start does not.
LIFE = f"""
{SET_UP}
echo "# newer" >> manage.py
{SET_UP}
echo "raise SystemExit(3)" >> tournament/asgi.py
if READY_SECONDS=20 {SET_UP}; then exit 1; fi
echo "THE WHOLE LIFE"
exec sleep infinity
"""


class Mirror(NamedTuple):
    """A release of Debian, and the line by which apt finds it."""

    release: str
    line: str


def mirrors() -> list[Mirror]:
    """Debian 12 and 13 where this machine's own packages come from."""
    text = "\n".join(Path(path).read_text() for path in fresh.sources())
    found = re.search(r"^[^#\n]*?(https?://\S+/debian)/?\s", text, re.MULTILINE)
    address = found[1] if found else "http://deb.debian.org/debian"
    return [Mirror(each, f"deb {address} {each} main") for each in ("bookworm", "trixie")]


def hindrance() -> str:
    """Why no server can be set up here, or an empty string: roots share this machine's network."""
    if why := fresh.hindrance():
        return why
    taken = [str(port) for port in PORTS if answers(("127.0.0.1", port))]
    return f"somebody listens at port {', '.join(taken)}" if taken else ""


def packages() -> str:
    """The README's line up to the clone, which is in the root already."""
    found = re.search(r"^(apt install git) && git clone .*\nlastcard/deploy/setup ", README, re.M)
    if not found:
        raise fresh.Broken("README.md no longer has the two commands to a site.")
    return found[1]


class Server(fresh.InRoot):
    """A root in which a site is set up, renewed, and saved from a version that cannot start."""

    patience = 1200

    def __init__(self, root: Path) -> None:
        super().__init__(fresh.inside(root, LIFE))
        self.url = f"https://{NAME}"
        self.certificate = root / "etc/lastcard/tls/fullchain.pem"

    def start(self) -> Self:
        with fresh.step(f"{SET_UP}, an update, an update that fails"):
            return super().start()

    def ready(self) -> bool:
        return "THE WHOLE LIFE" in self.log.read_text()

    def check_log(self) -> None:
        text = self.log.read_text()
        for told, times in {
            f"== Done: {self.url}/": 2,
            f"as {ORGANIZER} with the password": 1,
            "the one before serves again": 1,
        }.items():
            if text.count(told) != times:
                raise fresh.Broken(f"deploy/setup tells {told!r} otherwise than {times} times.")


def play_as_guest(url: str) -> str:
    """The card that the server has taken, over https and wss."""
    visitor = Visitor(url)
    match = visitor.practice("uno-500", 4)
    player = fresh.OneCard(url, match, visitor.cookies, Stats(), delay=0.05)
    asyncio.run(asyncio.wait_for(player.play(), fresh.LONGEST_PLAY))
    if not player.played:
        raise fresh.Broken(f"No card could be played: {dict(player.stats.errors)}")
    return player.played


def keep_the_promise(folder: Path) -> None:
    for mirror in mirrors():
        root = folder / mirror.release
        with fresh.step(f"a minimal {mirror.release}, as a server"):
            fresh.make_root(root, mirror.release, [mirror.line])
        subprocess.run(**fresh.inside(root, f"{packages()} >/dev/null"), check=True)
        with Server(root) as server, fresh.step("a guest plays a card over https"):
            server.check_log()
            os.environ["SSL_CERT_FILE"] = str(server.certificate)
            print(f"The server has taken {play_as_guest(server.url)}.")


def main(arguments: list[str]) -> int:
    """With --where-possible a machine that cannot make such roots is no failure."""
    if why := hindrance():
        print(f"left out: deploy/setup on bare systems: {why}")
        return 0 if "--where-possible" in arguments else 1
    folder = Path(tempfile.mkdtemp(prefix="lastcard-server-"))
    try:
        keep_the_promise(folder)
    except (fresh.Broken, RuntimeError, TimeoutError, subprocess.CalledProcessError) as error:
        print(f"--- FAILED: {error}")
        return 1
    finally:
        shutil.rmtree(folder)
    print("deploy/setup does what it says on bare systems.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
