"""Tests that the container files agree with each other, the settings and nginx's configuration."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.house.test_deploy import read_assignments
from tests.nginx import DEPLOY
from tournament.serving.environment.reading import read

WEB_SERVICES = ["web1", "web2"]


def load_services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return found


def get_address(service: str) -> str:
    return str(load_services()[service]["networks"]["default"]["ipv4_address"])


def test_site_accepts_the_settings_of_compose(tmp_path: Path) -> None:
    variables = read_assignments() | load_services()["web1"]["environment"]
    variables |= {"SECRET_KEY": "only-for-this-test-" * 4, "LASTCARD_VAR": str(tmp_path)}
    variables["DATABASE_URL"] = re.sub(r"\$\{.*?\}", "5ec2e7", variables["DATABASE_URL"])
    assert read(variables).DATABASE_URL == "postgres://lastcard:5ec2e7@database/lastcard"


def test_site_trusts_only_the_proxy() -> None:
    assert load_services()["web1"]["environment"]["FORWARDED_ALLOW_IPS"] == get_address("nginx")


def test_nginx_forwards_requests_to_each_web_container(tmp_path: Path) -> None:
    script = load_services()["nginx"]["command"][-1].replace("$$", "$").partition("sed -i")[0]
    script = script.replace("/lastcard.conf", str(DEPLOY / "nginx.conf"))
    script = script.replace("/etc/nginx/conf.d/default.conf", str(tmp_path / "site"))
    subprocess.run(["sh", "-ec", script], env={"SITE": "a.example.edu"}, check=True)
    site = (tmp_path / "site").read_text()
    servers = re.findall(r"^ +server (\S+) ", site, re.MULTILINE)
    assert servers == [f"{get_address(name)}:8000" for name in WEB_SERVICES] * 3
    assert set(re.findall(r"server_name (\S+);", site)) == {"a.example.edu"}


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ([], "serve --host 0.0.0.0 --port 8000"),
        (["web"], "serve --host 0.0.0.0 --port 8000"),
        (["worker"], "work --slot container"),
        (["migrate"], "migrate\ncollectstatic --noinput --verbosity 0"),
        (["backup", "/b/now.backup"], "backup /b/now.backup"),
        (["find_person", "a name"], "find_person a name"),
    ],
)
def test_container_argument_selects_its_process(
    tmp_path: Path, arguments: list[str], command: str
) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nshift\necho "$@"\n')
    python.chmod(0o755)
    done = subprocess.run(
        [str(DEPLOY / "container"), *arguments],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "PORT": "8000", "LASTCARD_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{command}\n"
