"""Trial with two hosts, one of which is disconnected from the network during play.

    python -m tests.two_hosts [--tables 20]

Each host runs two processes of the site. A third host runs PostgreSQL, PgBouncer and Redis. HAProxy
and nginx balance the load. Each host is a network namespace, so the trial needs root.

The trial passes if interrupted players are connected to the other host within 5 seconds, every
acknowledged action is in the database, and the site acted for no player. With --nginx-alone,
HAProxy does not check the hosts, and the time is only reported.
"""

import argparse
import contextlib
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import psycopg

from bench import live
from tests.check import prepare_environment
from tests.commands import make_environment
from tests.hall import Hall
from tests.nginx import Nginx
from tests.services import Postgres, Redis, Service, accepts_connections, find_free_port

BRIDGE, NETWORK = "lcbr0", "10.87.0"
FRONT, DATA = f"{NETWORK}.1", f"{NETWORK}.2"
HOSTS = {"lchost1": f"{NETWORK}.11", "lchost2": f"{NETWORK}.12"}
PORTS = (8001, 8002)
MAX_RECOVERY_SECONDS = 5.0
# Actions within this time may have been sent before the connection failed.
SETTLING_SECONDS = 0.3
# The locks of a disconnected host remain until PostgreSQL drops its connections.
TIMEOUT_OPTIONS = {
    "tcp_keepalives_idle": 2,
    "tcp_keepalives_interval": 1,
    "tcp_keepalives_count": 2,
}
TIMEOUT_OPTIONS |= {"tcp_user_timeout": 4000}  # milliseconds
BOUNCER_CONFIGURATION = f"""
[databases]
postgres = host={DATA} port=5432 user=lastcard
[pgbouncer]
listen_addr = {DATA}
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = 30
max_client_conn = 500
tcp_keepidle = 2
tcp_keepintvl = 1
tcp_keepcnt = 2
tcp_user_timeout = 4000
unix_socket_dir =
"""
HAPROXY_CONFIGURATION = """
global
    maxconn 4000
defaults
    mode http
    timeout connect 1s
    timeout client 65s
    timeout server 65s
    timeout tunnel 65s
    option redispatch
    default-server check inter 500ms fall 3 rise 2 on-marked-down shutdown-sessions
frontend site
    bind 127.0.0.1:{port}
    use_backend tables if {{ path_beg /ws/match/ }}
    use_backend polls if {{ path_beg /ws/ }} METH_POST
    default_backend pages
backend pages
    balance leastconn
{servers}
backend tables
    balance uri
    hash-type consistent
{servers}
backend polls
    balance hdr(X-Forwarded-For)
    hash-type consistent
{servers}
"""


def run_ip(line: str) -> None:
    subprocess.run(["ip", *line.split()], check=True)


def build_namespace_command(place: str, *command: str) -> list[str]:
    return ["ip", "netns", "exec", place, *command]


@contextlib.contextmanager
def host_network() -> Iterator[None]:
    """Set up a bridge at FRONT and a network namespace at each other address.

    Remove them on exit.
    """
    places = {"lcdata": DATA, **HOSTS}
    run_ip(f"link add {BRIDGE} type bridge")
    try:
        run_ip(f"addr add {FRONT}/24 dev {BRIDGE}")
        run_ip(f"link set {BRIDGE} up")
        for place, address in places.items():
            run_ip(f"netns add {place}")
            run_ip(f"link add v-{place} type veth peer name eth0 netns {place}")
            run_ip(f"link set v-{place} master {BRIDGE} up")
            run_ip(f"-n {place} addr add {address}/24 dev eth0")
            run_ip(f"-n {place} link set eth0 up")
            run_ip(f"-n {place} link set lo up")
        yield
    finally:
        for place in places:
            # Deleting a namespace would remove its link too late for an immediate next run.
            for what in (f"link del v-{place}", f"netns del {place}"):
                subprocess.run(["ip", *what.split()], check=False, stderr=subprocess.DEVNULL)
        run_ip(f"link del {BRIDGE}")


class RemotePostgres(Postgres):
    """PostgreSQL on the third host. This machine can also use its Unix socket."""

    made = False

    def __init__(self) -> None:
        super().__init__()
        self.made = True
        with (self.data / "pg_hba.conf").open("a") as file:
            file.write(f"host all all {NETWORK}.0/24 trust\n")

    def command(self) -> list[str]:
        options = [
            part for key, value in TIMEOUT_OPTIONS.items() for part in ("-c", f"{key}={value}")
        ]
        user = pwd.getpwnam("postgres")
        who = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        listening = ["-c", f"listen_addresses={DATA}"]
        return build_namespace_command("lcdata", *who, *super().command(), *options, *listening)

    def popen_options(self) -> dict[str, Any]:
        """Return the options for initdb, and after that for the server.

        initdb must run as the folder's owner, but only root may enter a namespace.
        """
        return {} if self.made else super().popen_options()


class RemoteRedis(Redis):
    def command(self) -> list[str]:
        own = super().command()
        own[own.index("--bind") + 1] = DATA
        return build_namespace_command("lcdata", *own, "--protected-mode", "no")

    def ready(self) -> bool:
        return accepts_connections((DATA, self.port))

    @property
    def url(self) -> str:
        return f"redis://{DATA}:{self.port}/0"


class Bouncer(Service):
    """PgBouncer on the third host, in transaction pooling mode."""

    def command(self) -> list[str]:
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        file = self.folder / "pgbouncer.ini"
        file.write_text(BOUNCER_CONFIGURATION)
        self.folder.chmod(0o755)
        return build_namespace_command("lcdata", program, "-u", "postgres", str(file))

    def ready(self) -> bool:
        return accepts_connections((DATA, 6432))


class HostProcess(Service):
    """A process of `manage.py serve` on one of the hosts."""

    def __init__(self, place: str, port: int, environment: dict[str, str]) -> None:
        super().__init__()
        self.place, self.port, self.environment = place, port, environment

    def command(self) -> list[str]:
        where = ["--host", HOSTS[self.place], "--port", str(self.port)]
        return build_namespace_command(
            self.place, sys.executable, str(live.ROOT / "manage.py"), "serve", *where
        )

    def popen_options(self) -> dict[str, Any]:
        return {"env": self.environment}

    def ready(self) -> bool:
        address = f"http://{HOSTS[self.place]}:{self.port}/readyz"
        with contextlib.suppress(URLError, OSError), urlopen(address, timeout=5) as page:
            return bool(page.status == 200)
        return False


class CheckingProxy(Service):
    """HAProxy, which checks each process twice a second and drops connections to failed ones."""

    def __init__(self) -> None:
        super().__init__()
        self.port = find_free_port()

    def command(self) -> list[str]:
        servers = [f"{HOSTS[place]}:{port}" for place in HOSTS for port in PORTS]
        lines = "\n".join(f"    server s{n} {where}" for n, where in enumerate(servers))
        file = self.folder / "haproxy.cfg"
        file.write_text(HAPROXY_CONFIGURATION.format(port=self.port, servers=lines))
        return [shutil.which("haproxy") or "/usr/sbin/haproxy", "-db", "-f", str(file)]

    def ready(self) -> bool:
        return accepts_connections(("127.0.0.1", self.port))


class PassiveNginx(Nginx):
    """nginx that detects a failed process only by failed requests, as on a single machine."""

    def __init__(self) -> None:
        super().__init__(*PORTS)
        file = self.folder / "nginx.conf"
        local = "".join(f"    server 127.0.0.1:{port} max_fails=0;\n" for port in PORTS)
        servers = [f"{HOSTS[place]}:{port}" for place in HOSTS for port in PORTS]
        far = "".join(f"    server {where} max_fails=1 fail_timeout=5s;\n" for where in servers)
        soon = "proxy_connect_timeout 1s;\n    proxy_http_version"
        text = file.read_text().replace(local, far)
        file.write_text(text.replace("proxy_http_version", soon, 1))


def find_obstacle() -> str:
    """Return the reason why this machine cannot run the trial, or an empty string."""
    if os.geteuid() != 0:
        return "it needs root"
    wanted = ("ip", "setpriv", "pgbouncer", "haproxy", "nginx")
    missing = ", ".join(name for name in wanted if not _find_program(name))
    return f"{missing} missing (iproute2, util-linux, pgbouncer, haproxy, nginx)" if missing else ""


def _find_program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin")


def run_trial(options: argparse.Namespace) -> list[str]:
    """Run the trial and return the problems found."""
    with contextlib.ExitStack() as stack:
        enter = stack.enter_context
        folder = Path(enter(tempfile.TemporaryDirectory(prefix="lc-hosts-")))
        enter(host_network())
        database, redis = enter(RemotePostgres()), enter(RemoteRedis())
        enter(Bouncer())
        env = make_environment(folder, f"postgres://lastcard@{DATA}:6432/postgres") | {
            "REDIS_URL": redis.url,
            "DATABASE_PREPARES": "0",
            "FORWARDED_ALLOW_IPS": FRONT,
            "ALLOWED_HOSTS": f"127.0.0.1,{','.join(HOSTS.values())}",
        }
        os.environ |= env | {"DATABASE_URL": database.url}
        live.run_manage_command("migrate", "-v0")
        live.run_manage_command("collectstatic", "--noinput", "-v0")
        seats = live.make_tables(options.tables, "")
        for place in HOSTS:
            for port in PORTS:
                enter(HostProcess(place, port, env))
        nginx = enter(PassiveNginx() if options.nginx_alone else Nginx(enter(CheckingProxy()).port))
        os.environ["SSL_CERT_FILE"] = str(nginx.certificate)
        hall = enter(Hall(f"https://127.0.0.1:{nginx.tls}", seats))
        return cut_off_host(hall, database.url, options)


def cut_off_host(hall: Hall, database: str, options: argparse.Namespace) -> list[str]:
    time.sleep(options.seconds)
    at = time.monotonic()
    run_ip("link set v-lchost1 down")
    time.sleep(max(12, options.seconds))
    lost = {one.match for one in hall.players if one.reconnected_at}
    away = max((moment - at for one in hall.players for moment in one.reconnected_at), default=0.0)
    went_on = {match: _find_next_action(at + SETTLING_SECONDS, match, hall) - at for match in lost}
    print(
        f"{len(hall.acked)} actions; {len(lost)} of {options.tables} tables were cut off; without"
        f" a line for {away:.1f} s at most,"
        f" without a move for {max(went_on.values(), default=0):.1f} s"
    )
    run_ip("link set v-lchost1 up")
    time.sleep(5)
    found = find_problems(hall, database)
    if not lost or max(went_on.values()) == float("inf"):
        found.append("no table was cut off, or one did not go on")
    if away > MAX_RECOVERY_SECONDS and not options.nginx_alone:
        found.append(f"somebody had no line for {away:.1f} s")
    return found


def _find_next_action(moment: float, match: str, hall: Hall) -> float:
    """Return the time of the match's first acknowledged action after `moment`, or infinity."""
    at_table = [one.acked_at for one in hall.players if one.match == match]
    return min((at for each in at_table for at in each if at > moment), default=float("inf"))


def find_problems(hall: Hall, database: str) -> list[str]:
    """Return the problems found after the trial.

    Problems are missing acknowledged actions, actions that the site took for a player, and errors.
    """
    found, acked = [], hall.acked  # read first, because play continues
    with psycopg.connect(database) as server:
        log = server.execute("SELECT client_id, version, auto FROM games_loggedaction").fetchall()
    if not acked.items() <= {key: version for key, version, _auto in log}.items():
        found.append("acknowledged actions are missing")
    if acted_for := [auto for _key, _version, auto in log if auto]:
        found.append(f"{len(acted_for)} times somebody was acted for")
    if hall.stats.errors:
        found.append(f"errors: {dict(hall.stats.errors)}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--nginx-alone", action="store_true")
    options = parser.parse_args()
    prepare_environment()
    if why := find_obstacle():
        print(f"left out: one of two hosts is cut off: {why}")
        return 0
    found = run_trial(options)
    for line in found:
        print(f"--- FAILED: {line}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
