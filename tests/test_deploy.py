"""What docs/deploy.md says to write into files is what their readers understand."""

import re
import subprocess
from pathlib import Path

import pytest

from tests import services

DEPLOY = (Path(__file__).resolve().parent.parent / "docs" / "deploy.md").read_text()


def block(language: str, beginning: str) -> str:
    """The example in this language that begins so."""
    [found] = re.findall(rf"^```{language}\n({re.escape(beginning)}.*?)^```", DEPLOY, re.M | re.S)
    return str(found)


def environment() -> str:
    return block("sh", "# python3 -c")


def assignments() -> dict[str, str]:
    """As systemd reads an EnvironmentFile: whole lines are comments, quotes around a value go."""
    lines = [line for line in environment().splitlines() if line and not line.startswith("#")]
    pairs = [line.split("=", 1) for line in lines]
    return {name: value.strip("\"'") for name, value in pairs}


def test_the_settings_are_the_same_to_a_shell_and_to_systemd(tmp_path: Path) -> None:
    file = tmp_path / "lastcard.env"
    file.write_text(environment())
    script = f"set -ea; . {file}; env"
    done = subprocess.run(
        ["/bin/sh", "-c", script], env={}, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    shell = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert {name: shell.get(name) for name in assignments()} == assignments()


def test_no_comment_becomes_part_of_a_setting() -> None:
    assert [value for value in assignments().values() if "#" in value] == []


def nginx_configuration() -> str:
    return block("nginx", "map $http_upgrade")


@pytest.mark.parametrize("name", ["client_header_timeout", "client_body_timeout", "send_timeout"])
def test_nginx_waits_ten_seconds_for_a_slow_client(name: str) -> None:
    assert f"    {name} 10s;\n" in nginx_configuration()


def test_nginx_takes_the_configuration(tmp_path: Path) -> None:
    try:
        nginx, openssl = services.nginx()
    except services.ServiceMissing as missing:
        pytest.skip(f"needs {missing}")
    site = nginx_configuration().replace("/etc/letsencrypt/live/cards.example.edu", str(tmp_path))
    site = re.sub(r"listen \d+", lambda _: f"listen 127.0.0.1:{services.free_port()}", site)
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test"]
    files = ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    subprocess.run([*command, *files], check=True, capture_output=True)
    main = f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off;\n{site}}}\n"
    (tmp_path / "nginx.conf").write_text(main)
    done = subprocess.run(
        [nginx, "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "test is successful" in done.stderr, done.stderr
