"""Tests of the files in deploy/ with systemd, nginx and shells."""

import re
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from tests import services
from tests.nginx import DEPLOY, Nginx
from tests.typed import sure

ROOT = DEPLOY.parent


def read_example_settings() -> str:
    """Return the example settings with all optional variables enabled, including mail."""
    text = (DEPLOY / "lastcard.env").read_text()
    return re.sub(r"^#(?=[A-Z_]+=)", "", text, flags=re.MULTILINE)


def read_assignments() -> dict[str, str]:
    """Return the example settings as systemd reads an EnvironmentFile.

    Only whole lines are comments, and quotes around a value are removed.
    """
    lines = [
        line for line in read_example_settings().splitlines() if line and not line.startswith("#")
    ]
    pairs = [line.split("=", 1) for line in lines]
    return {name: value.strip("\"'") for name, value in pairs}


def test_settings_file_reads_the_same_in_a_shell_and_in_systemd(tmp_path: Path) -> None:
    file = tmp_path / "lastcard.env"
    file.write_text(read_example_settings())
    script = f"set -ea; . {file}; env"
    done = subprocess.run(
        ["/bin/sh", "-c", script], env={}, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    shell = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert {name: shell.get(name) for name in read_assignments()} == read_assignments()


def test_comments_do_not_become_part_of_a_setting() -> None:
    assert [value for value in read_assignments().values() if "#" in value] == []


def read_nginx_configuration() -> str:
    return (DEPLOY / "nginx.conf").read_text()


@pytest.mark.parametrize("name", ["client_header_timeout", "client_body_timeout", "send_timeout"])
def test_nginx_waits_ten_seconds_for_a_slow_client(name: str) -> None:
    assert f"    {name} 10s;\n" in read_nginx_configuration()


def test_nginx_allows_only_modern_tls() -> None:
    assert re.findall(r"^ +ssl_protocols (.+);$", read_nginx_configuration(), re.M) == [
        "TLSv1.2 TLSv1.3"
    ]
    [ciphers] = re.findall(r"^ +ssl_ciphers (.+);$", read_nginx_configuration(), re.M)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers(ciphers)
    names = [str(cipher["name"]) for cipher in context.get_ciphers()]
    strong = re.compile(r"TLS_|ECDHE-(ECDSA|RSA)-(AES(128|256)-GCM|CHACHA20)")
    assert [name for name in names if not strong.match(name)] == []


UNITS = ["lastcard@.service", "lastcard-backup.service"]


@pytest.mark.parametrize("unit", UNITS)
def test_service_has_few_unnecessary_permissions(unit: str) -> None:
    if not (program := shutil.which("systemd-analyze")):
        pytest.skip("needs systemd-analyze (apt install systemd)")
    command = [program, "security", "--offline=yes", "--no-pager", str(DEPLOY / unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = sure(re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout))
    assert float(found[1]) <= 3


def test_service_cannot_read_the_git_directory() -> None:
    unit = (DEPLOY / "lastcard@.service").read_text()
    assert "\nInaccessiblePaths=-/srv/lastcard/site/.git\n" in unit


def test_setup_script_is_valid_bash() -> None:
    script = DEPLOY / "setup"
    assert script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(script)], check=True)


def run_settings_check(tmp_path: Path, settings: str, name: str = "cards.example.edu") -> str:
    """Return the complaint of deploy/setup about these settings, or "" if there is none."""
    file = tmp_path / "lastcard.env"
    file.write_text(settings)
    script = 'source "$1" "$2"; SETTINGS=$3; check_settings'
    command = ["bash", "-c", script, "bash", str(DEPLOY / "setup"), name, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, bool(done.stderr)) in [(0, False), (1, True)]
    return done.stderr.strip().replace(str(file), "FILE")


def test_setup_script_accepts_the_example_settings(tmp_path: Path) -> None:
    assert run_settings_check(tmp_path, read_example_settings()) == ""
    assert run_settings_check(tmp_path, "ALLOWED_HOSTS='other.edu, cards.example.edu'\n") == ""
    assert run_settings_check(tmp_path, "ALLOWED_HOSTS=.example.edu\n") == ""
    assert run_settings_check(tmp_path, "ALLOWED_HOSTS=[2001:db8::7]\n", "2001:db8::7") == ""


def test_ambiguous_settings_lines_are_reported_without_secrets(
    tmp_path: Path,
) -> None:
    wrong = [
        "INSTITUTION=Presidency College",
        "EMAIL_HOST_PASSWORD=a$b",
        'METRICS_TOKEN="a$b"',
        "DEBUG=0 # never",
        "export HTTPS=1",
        "REDIS_URL = redis://127.0.0.1",
        "TIME_ZONE=UTC\r",
        "OIDC_LABEL='St. Mary's'",
    ]
    names = [f"{n}:{line.partition('=')[0]}" for n, line in enumerate(wrong, 2)]
    message = run_settings_check(
        tmp_path, "\n".join(["ALLOWED_HOSTS=cards.example.edu", *wrong]) + "\n"
    )
    assert message.splitlines() == [
        "NOT DONE: these lines of FILE are not NAME=value, or their value needs single quotes:",
        *names,
    ]


def test_host_name_missing_from_the_settings_is_reported_early(tmp_path: Path) -> None:
    """Set up a site for a host name with the settings of a trial at an IP address."""
    message = run_settings_check(tmp_path, "ALLOWED_HOSTS=192.0.2.7\n")
    assert message.startswith("NOT DONE: ALLOWED_HOSTS in FILE does not name cards.example.edu")


def test_deployment_page_names_each_server_file() -> None:
    page = (ROOT / "docs" / "deploy.md").read_text()
    files = {path.name for path in DEPLOY.iterdir()} - {"lastcard-backup.service"}
    assert [name for name in sorted(files) if f"deploy/{name}" not in page] == []


def test_nginx_accepts_the_configuration() -> None:
    nginx = Nginx()
    try:
        command = [*nginx.command(), "-t"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        nginx.remove()
    assert "test is successful" in done.stderr, done.stderr


def test_nginx_limits_fit_a_hall_behind_one_address() -> None:
    """Check the limits for 2,000 phones that reload a page with a socket at the same time."""
    site = read_nginx_configuration()
    found = {
        name: int(sure(re.search(pattern, site))[1])
        for name, pattern in {
            "lines": r"limit_conn lines (\d+);",
            "burst": r"limit_req zone=pages burst=(\d+) nodelay;",
        }.items()
    }
    assert found["lines"] >= 2 * settings.ANONYMOUS_SOCKETS
    assert found["burst"] >= 2 * settings.ANONYMOUS_SOCKETS


def run_in_setup(folder: Path, code: str) -> str:
    """Run shell code that uses functions of deploy/setup, and return its output."""
    script = 'source "$1" cards.example.edu; ETC=$2 SETTINGS=$2/lastcard.env; ' + code
    command = ["bash", "-c", script, "bash", str(DEPLOY / "setup"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("cores", "chosen", "ports"),
    [(1, "", "8001 8002"), (3, "", "8001 8002 8003"), (64, "", 6), (2, "PROCESSES=1\n", "8001")],
)
def test_number_of_processes_is_the_core_count_or_as_configured(
    tmp_path: Path, cores: int, chosen: str, ports: str | int
) -> None:
    (tmp_path / "lastcard.env").write_text(chosen)
    found = run_in_setup(tmp_path, f"nproc() {{ echo {cores}; }}; ports").split()
    assert found == (ports.split() if isinstance(ports, str) else [f"800{n}" for n in range(1, 7)])


OLD_CONFIGURATION = "limit_conn lines 5000;\n# a\n# b\n# c\nallow 127.0.0.1;\n"


@pytest.mark.parametrize(
    ("edited", "newer", "result", "expected"),
    [
        (
            OLD_CONFIGURATION,
            OLD_CONFIGURATION + "http2 on;\n",
            OLD_CONFIGURATION + "http2 on;\n",
            "",
        ),
        (
            OLD_CONFIGURATION.replace("5000", "9000"),
            OLD_CONFIGURATION + "http2 on;\n",
            OLD_CONFIGURATION.replace("5000", "9000") + "http2 on;\n",
            "",
        ),
        (
            OLD_CONFIGURATION.replace("5000", "9000"),
            OLD_CONFIGURATION.replace("5000", "6000"),
            OLD_CONFIGURATION.replace("5000", "6000"),
            "Your changes of SITE did not fit this version: they are in FOLDER/nginx.yours.",
        ),
    ],
)
def test_update_keeps_operator_changes_to_nginx(
    tmp_path: Path, edited: str, newer: str, result: str, expected: str
) -> None:
    services.find_git()
    site = tmp_path / "site"
    (tmp_path / "nginx.new").write_text(OLD_CONFIGURATION)
    run_in_setup(tmp_path, f"keep_edits {site}")
    site.write_text(edited)
    (tmp_path / "nginx.new").write_text(newer)
    said = run_in_setup(tmp_path, f'keep_edits {site}; echo "${{NEXT[*]}}"')
    assert site.read_text() == result
    said = said.replace(str(site), "SITE").replace(str(tmp_path), "FOLDER")
    assert said.partition(" Make them")[0].strip() == expected
    assert (tmp_path / "nginx.written").read_text() == newer
    if expected:
        assert (tmp_path / "nginx.yours").read_text() == edited


def test_failing_command_is_named_at_the_end(tmp_path: Path) -> None:
    script = 'source "$1" cards.example.edu; trap tell_failure EXIT; say "Packages"; false'
    done = subprocess.run(
        ["bash", "-c", script, "bash", str(DEPLOY / "setup")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.strip().startswith('NOT DONE: "Packages" ended with error 1; the lines')
