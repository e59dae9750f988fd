"""Test of `deploy/setup` in bare Debian roots.

The site is set up, played on, updated, rolled back and moved to a domain name. Without systemd, the
script itself starts the processes. The test is part of `make nightly`.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple, Self
from unittest.mock import patch

from games.client.player import Stats, Visitor
from tests import fresh
from tests.services import accepts_connections, wait_for

README = (fresh.ROOT / "README.md").read_text()
ADDRESS, NAME, ORGANIZER = "127.0.0.1", "cards.lastcard.test", "organizer@college.example"
# Ports that the site and the certificate issuer use.
PORTS = (80, 443, 5432, 6379, 8001, 8002, 14000, 15000)
SETUP_COMMAND = f"deploy/setup {ADDRESS} {ORGANIZER}"
ISSUER = {
    "listenAddress": "127.0.0.1:14000",
    "managementListenAddress": "127.0.0.1:15000",
    "certificate": "/issuer.pem",
    "privateKey": "/issuer.key",
    "httpPort": 80,
    "tlsPort": 443,
}


# Sets the site up, waits for the guest, and then updates to a newer version with other retention
# times. Invalid settings change nothing, and a version that cannot start does not take over.
UPDATE_SCRIPT = f"""
set -e
{SETUP_COMMAND}
echo "== PLAY"
until [ -e /played ]; do sleep 1; done
echo "# newer" >> manage.py
printf 'KEEP_LOG_DAYS=30\\nKEEP_BACKUP_DAYS=3\\nBACKUP_FOLDER=/srv/backups\\n' >> /etc/lastcard.env
{SETUP_COMMAND}
for days in 2 4; do
    runuser -u lastcard -- touch -d "$days days ago" "/srv/backups/$days.backup"
done
sed -n 's/^ExecStart[Post]*=//p' /etc/systemd/system/lastcard-backup.service |
    sed 's/%%/%/g; s/[$][$]/$/g' > /nightly.sh
(set -a; . /etc/lastcard.env; cd /srv/lastcard/site; runuser -u lastcard -- sh -e /nightly.sh)
cp /etc/lastcard.env /right.env
printf 'EMAIL_PORT=abc\\nTIME_ZONE=Asia/Kolkatta\\n' >> /etc/lastcard.env
if {SETUP_COMMAND}; then exit 1; fi
cp /right.env /etc/lastcard.env
cp tournament/asgi.py /asgi.py
echo "raise SystemExit(3)" >> tournament/asgi.py
if READY_SECONDS=20 {SETUP_COMMAND}; then exit 1; fi
cp /asgi.py tournament/asgi.py
"""
# Moves the site from an IP address to a domain name, which setup refuses until the settings list
# it. Without an issuer, the certificate is self-signed. With one, it is issued, renewed and
# immediately served.
CERTIFICATE_SCRIPT = f"""
if deploy/setup {NAME}; then exit 1; fi
sed -i 's/^ALLOWED_HOSTS=.*/ALLOWED_HOSTS={NAME}/' /etc/lastcard.env
echo "127.0.0.1 {NAME}" >> /etc/hosts
mkdir -p /etc/letsencrypt
echo 'server = https://localhost:14000/dir' > /etc/letsencrypt/cli.ini
deploy/setup {NAME}
apt-get install -y -qq --no-install-recommends pebble >/dev/null
openssl req -x509 -newkey rsa:2048 -nodes -keyout /issuer.key -out /issuer.pem \\
    -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
export REQUESTS_CA_BUNDLE=/issuer.pem
echo '{json.dumps({"pebble": ISSUER})}' > /issuer.json
PEBBLE_VA_NOSLEEP=1 PEBBLE_WFE_NONCEREJECT=0 pebble -config /issuer.json > /issuer.log 2>&1 &
until curl -fsSk https://localhost:15000/roots/0 > /root.pem; do sleep 1; done
cat /root.pem >> /etc/ssl/certs/ca-certificates.crt
deploy/setup {NAME}
served() {{ openssl s_client -connect {NAME}:443 -verify_return_error </dev/null 2>/dev/null |
    openssl x509 -noout -serial; }}
first=$(served)
certbot renew --quiet --force-renewal --no-random-sleep-on-renew
until [ "$(served)" != "$first" ]; do sleep 1; done
echo "== RENEWED $first $(served)"
"""
LIFE_SCRIPT = f"""{UPDATE_SCRIPT}{CERTIFICATE_SCRIPT}
echo "THE WHOLE LIFE"
exec sleep infinity
"""


class Mirror(NamedTuple):
    """A Debian release and its apt source line."""

    release: str
    line: str


def list_mirrors() -> list[Mirror]:
    """Return Debian 12 and 13, each with this machine's package mirror."""
    text = "\n".join(Path(path).read_text() for path in fresh.list_apt_sources())
    found = re.search(r"^[^#\n]*?(https?://\S+/debian)/?\s", text, re.MULTILINE)
    address = found[1] if found else "http://deb.debian.org/debian"
    return [Mirror(each, f"deb {address} {each} main") for each in ("bookworm", "trixie")]


def find_obstacle() -> str:
    """Return the reason why no server can be set up here, or an empty string.

    The ports must be free, because the roots share this machine's network.
    """
    if why := fresh.find_obstacle():
        return why
    taken = [str(port) for port in PORTS if accepts_connections(("127.0.0.1", port))]
    return f"somebody listens at port {', '.join(taken)}" if taken else ""


def get_package_command() -> str:
    """Return the README's package command, without the clone that follows it."""
    found = re.search(r"^(apt install git) && git clone .*\nlastcard/deploy/setup ", README, re.M)
    if not found:
        raise fresh.BrokenPromiseError("README.md no longer has the two commands to a site.")
    return found[1]


class Server(fresh.RootService):
    """A root in which LIFE_SCRIPT runs."""

    patience = 1800

    def __init__(self, root: Path) -> None:
        super().__init__(fresh.build_process_options(root, LIFE_SCRIPT))
        self.root = root
        self.url = f"https://{ADDRESS}"
        self.certificate = root / "etc/lastcard/tls/fullchain.pem"
        self.reached = "== PLAY"

    def start(self) -> Self:
        with fresh.timed_step(SETUP_COMMAND):
            return super().start()

    def ready(self) -> bool:
        return self.reached in self.log.read_text()

    def run_to_end(self) -> None:
        """Continue the script after the guest has played, and wait for its end.

        Raises RuntimeError if the script fails, and TimeoutError if it takes too long.
        """
        self.reached = "THE WHOLE LIFE"
        (self.root / "played").touch()
        wait_for(self._check_ready, "deploy/setup", self.patience)

    def check(self) -> None:
        text = self.log.read_text()
        for result, times in {
            f"== Done: {self.url}/": 2,
            f"== Done: https://{NAME}/": 2,
            f"as {ORGANIZER} with the password": 1,
            "EMAIL_PORT='abc': write a whole number.": 1,
            "TIME_ZONE='Asia/Kolkatta': no such time zone: did you mean Asia/Kolkata?": 1,
            "NOT DONE: the settings in /etc/lastcard.env": 1,
            "the one before serves again": 1,
            f"ALLOWED_HOSTS in /etc/lastcard.env does not name {NAME}": 1,
            "The certificate is self-signed": 1,
            "== RENEWED": 1,
        }.items():
            if text.count(result) != times:
                raise fresh.BrokenPromiseError(
                    f"deploy/setup tells {result!r} otherwise than {times} times."
                )
        self._check_days()

    def _check_days(self) -> None:
        """Check that logs and backups are kept for the configured number of days."""
        journal = (self.root / "etc/systemd/journald.conf.d/lastcard.conf").read_text()
        if "\nMaxRetentionSec=30day\n" not in journal:
            raise fresh.BrokenPromiseError(
                f"The journal is kept otherwise than for KEEP_LOG_DAYS: {journal}"
            )
        kept = {path.name for path in (self.root / "srv/backups").glob("*.backup")}
        if "4.backup" in kept or "2.backup" not in kept or len(kept) < 2:
            raise fresh.BrokenPromiseError(
                f"Backups are kept otherwise than for KEEP_BACKUP_DAYS: {kept}"
            )


def play_as_guest(url: str) -> str:
    """Play as a guest over HTTPS and WSS, and return the card that the server accepted."""
    visitor = Visitor(url)
    match = visitor.practice("uno-500", 4)
    player = fresh.OneCardPlayer(url, match, visitor.cookies, Stats(), delay=0.05)
    asyncio.run(asyncio.wait_for(player.play(), fresh.MAX_PLAY_SECONDS))
    if not player.played:
        raise fresh.BrokenPromiseError(f"No card could be played: {dict(player.stats.errors)}")
    return player.played


def check_setup(folder: Path) -> None:
    for mirror in list_mirrors():
        root = folder / mirror.release
        with fresh.timed_step(f"a minimal {mirror.release}, as a server"):
            fresh.make_root(root, mirror.release, [mirror.line])
        subprocess.run(
            **fresh.build_process_options(root, f"{get_package_command()} >/dev/null"), check=True
        )
        with Server(root) as server:
            trusted = {"SSL_CERT_FILE": str(server.certificate)}
            with (
                fresh.timed_step("a guest plays a card over https"),
                patch.dict(os.environ, trusted),
            ):
                print(f"The server has taken {play_as_guest(server.url)}.")
            with fresh.timed_step("updates, settings, a name and its certificate"):
                server.run_to_end()
                server.check()


def main(arguments: list[str]) -> int:
    """Run the test on bare systems and return the exit status.

    With --where-possible, the exit status is 0 on a machine that cannot create such roots.
    """
    if why := find_obstacle():
        print(f"left out: deploy/setup on bare systems: {why}")
        return 0 if "--where-possible" in arguments else 1
    folder = Path(tempfile.mkdtemp(prefix="lastcard-server-"))
    try:
        check_setup(folder)
    except (
        fresh.BrokenPromiseError,
        RuntimeError,
        TimeoutError,
        subprocess.CalledProcessError,
    ) as error:
        print(f"--- FAILED: {error}")
        return 1
    finally:
        shutil.rmtree(folder)
    print("deploy/setup does what it says on bare systems.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
