"""F42: forged Host and proxy headers."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.own_site import OwnSite
from tests.services import wait_for

pytestmark = pytest.mark.slow
FORGED_HOSTS = ["evil.example", "localhost.evil.example", "evil.example:80", "192.0.2.7", "*"]
MAKEFILE = (Path(__file__).resolve().parent.parent.parent / "Makefile").read_text()


class MakeRunSite(OwnSite):
    """Site started by the command of `make run` in the Makefile."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        super().__init__()
        self.host = host

    def command(self) -> list[str]:
        [line] = re.findall(r"^\t@exec \$\(BIN\)/python (manage.py demo .*)$", MAKEFILE, re.M)
        words = line.replace("$(HOST)", self.host).replace("$(PORT)", str(self.port)).split()
        [python, manage, *_] = super().command()
        return [python, manage, *words[1:]]


@pytest.fixture(scope="module")
def demo() -> Iterator[MakeRunSite]:
    with MakeRunSite() as demo:
        yield demo


def get_own_address() -> str:
    """Return this machine's network address, or skip the test if there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine is in no network")
        return str(probe.getsockname()[0])


def test_make_run_binds_to_localhost_by_default() -> None:
    assert re.search(r"^HOST \?= 127\.0\.0\.1$", MAKEFILE, re.M)
    assert "ALLOWED_HOSTS" not in MAKEFILE


def test_demo_is_unreachable_from_the_network(demo: MakeRunSite) -> None:
    with socket.socket() as line:
        line.settimeout(5)
        assert line.connect_ex((get_own_address(), demo.port)) != 0


@pytest.mark.parametrize("host", FORGED_HOSTS)
def test_request_with_a_forged_host_is_refused(demo: MakeRunSite, host: str) -> None:
    assert demo.get("/accounts/signup/", Host=host)[0] == 400


def test_demo_answers_to_its_own_host_names(demo: MakeRunSite) -> None:
    for host in (f"localhost:{demo.port}", f"127.0.0.1:{demo.port}", f"[::1]:{demo.port}"):
        assert demo.get("/accounts/login/", Host=host)[0] == 200


def test_forwarded_host_is_ignored(demo: MakeRunSite) -> None:
    forged = {"X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"}
    status, text = demo.get("/accounts/signup/", **forged)
    assert status == 200
    assert "evil.example" not in text


def test_network_demo_accepts_machine_addresses_and_warns_about_plain_http() -> None:
    address = get_own_address()
    with MakeRunSite("0.0.0.0") as demo:
        wait_for(lambda: "Serving on" in demo.log.read_text(), "the demo's words")
        said = demo.log.read_text()
        assert f"http://{address}:{demo.port}/" in said
        assert "This is plain HTTP" in said
        assert demo.get("/accounts/login/", Host=f"{address}:{demo.port}")[0] == 200
        for host in FORGED_HOSTS:
            assert demo.get("/accounts/login/", Host=host)[0] == 400


class ProxiedSite(OwnSite):
    """Site with HTTPS=1 that trusts only a proxy on another machine."""

    def popen_options(self) -> dict[str, Any]:
        elsewhere = {"HTTPS": "1", "ALLOWED_HOSTS": "localhost", "FORWARDED_ALLOW_IPS": "192.0.2.9"}
        return {"env": {**self.environment, **elsewhere}}


def test_only_the_proxy_may_mark_a_request_as_https() -> None:
    with ProxiedSite() as site:
        asked = "GET /rules/ HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n"
        with socket.create_connection(("127.0.0.1", site.port), timeout=20) as line:
            line.sendall(f"{asked}Connection: close\r\n\r\n".encode())
            heard = line.makefile().read()
    assert heard.startswith("HTTP/1.1 301 ")
    assert "location: https://localhost/rules/" in heard.lower()
