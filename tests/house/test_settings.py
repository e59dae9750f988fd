"""Tests of the settings, which come from environment variables."""

import json
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tournament.serving.environment.page import render_page
from tournament.serving.environment.reading import InvalidVariablesError, find_misspellings, read

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "SECRET_KEY": "only-for-this-test-" * 4,
    "DATABASE_URL": "postgres://lastcard:secret@db.example.edu/lastcard",
    "REDIS_URL": "redis://cache.example.edu/0",
    "ALLOWED_HOSTS": "lastcard.example.edu, www.lastcard.example.edu",
    "HTTPS": "1",
    "EMAIL_HOST": "mail.example.edu",
    "DEFAULT_FROM_EMAIL": "cards@example.edu",
}
ISSUER = {
    "OIDC_ISSUER": "https://id.example.edu/realms/college",
    "OIDC_CLIENT_ID": "lastcard",
    "OIDC_CLIENT_SECRET": "secret",
}
PRINT_SETTING = "import json; from tournament import settings; print(json.dumps({}))"


def run_python(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project with these environment variables."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={"LASTCARD_VAR": str(folder), "PATH": "/usr/bin:/bin", **env},
        capture_output=True,
        text=True,
        check=False,
    )


def get_setting(folder: Path, expression: str, **env: str) -> Any:
    done = run_python(folder, "-c", PRINT_SETTING.replace("{}", f"settings.{expression}"), **env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def get_refusal(folder: Path, **env: str) -> str:
    """Return the last complaint that is printed when the settings fail to load."""
    return list_refusals(folder, "-c", "import tournament.settings", **env)[-1]


def list_refusals(folder: Path, *command: str, **env: str) -> list[str]:
    """Return the complaints about variables that are printed when this command fails."""
    done = run_python(folder, *command, **env)
    assert done.returncode == 2
    head, *lines = done.stderr.splitlines()
    assert head == "The settings are wrong (docs/settings.md):"
    return [line.strip() for line in lines]


def test_default_settings_fit_a_single_machine(tmp_path: Path) -> None:
    name = get_setting(tmp_path, "DATABASES['default']['NAME']")
    assert name == str(tmp_path / "lastcard.sqlite3")
    assert get_setting(tmp_path, "CHANNEL_LAYERS") == {}
    assert get_setting(tmp_path, "DEBUG") is False
    assert get_setting(tmp_path, "MAILERS['default']['BACKEND']").endswith("console.EmailBackend")


def test_secret_key_is_stored_and_readable_only_by_its_owner(tmp_path: Path) -> None:
    first = get_setting(tmp_path, "SECRET_KEY")
    assert get_setting(tmp_path, "SECRET_KEY") == first
    assert len(first) >= 50
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


@pytest.mark.parametrize("env", [{}, {"SECRET_KEY": PRODUCTION["SECRET_KEY"]}, PRODUCTION])
def test_database_folder_is_accessible_only_to_its_owner(
    tmp_path: Path, env: dict[str, str]
) -> None:
    """Check the folder, which contains password hashes and session keys."""
    get_setting(tmp_path / "site" / "var", "DEBUG", **env)
    assert stat.S_IMODE((tmp_path / "site" / "var").stat().st_mode) == 0o700


def test_configured_urls_select_postgresql_and_redis(tmp_path: Path) -> None:
    assert get_setting(tmp_path, "DATABASES['default']['HOST']", **PRODUCTION) == "db.example.edu"
    layer = get_setting(tmp_path, "CHANNEL_LAYERS['default']", **PRODUCTION)
    assert layer["CONFIG"]["hosts"] == ["redis://cache.example.edu/0"]


def test_sites_with_a_shared_redis_use_different_prefixes(tmp_path: Path) -> None:
    """Check that two sites use different prefixes, because both may have a match 17."""
    other = PRODUCTION | {"SECRET_KEY": "of-another-site-" * 4}
    names = ("CHANNEL_LAYERS['default']['CONFIG']['prefix']", "CACHES['default']['KEY_PREFIX']")
    ours, theirs = (
        {get_setting(tmp_path, name, **env) for name in names} for env in (PRODUCTION, other)
    )
    assert (len(ours), len(theirs), ours & theirs) == (1, 1, set())


def test_no_cursor_outlives_its_transaction_behind_a_pooler(tmp_path: Path) -> None:
    disabled = "DATABASES['default']['DISABLE_SERVER_SIDE_CURSORS']"
    assert get_setting(tmp_path, disabled, **PRODUCTION) is False
    assert get_setting(tmp_path, disabled, **PRODUCTION, DATABASE_PREPARES="0") is True


def test_no_statement_is_prepared_behind_a_pooler(tmp_path: Path) -> None:
    options = "DATABASES['default']['OPTIONS']['prepare_threshold']"
    assert get_setting(tmp_path, options, **PRODUCTION) == 2
    assert get_setting(tmp_path, options, **PRODUCTION, DATABASE_PREPARES="0") is None


@pytest.mark.parametrize(
    ("env", "required"),
    [
        ({}, False),
        ({"STAFF_SECOND_FACTOR": "1"}, True),
        (PRODUCTION, True),
        (PRODUCTION | {"STAFF_SECOND_FACTOR": "0"}, False),
    ],
    ids=["one machine", "one machine, asked for", "a real site", "a real site, not asked for"],
)
def test_production_requires_a_second_factor_for_staff(
    tmp_path: Path, env: dict[str, str], required: bool
) -> None:
    assert get_setting(tmp_path, "STAFF_SECOND_FACTOR", **env) is required


def test_https_enables_host_cookies_and_a_year_of_hsts(tmp_path: Path) -> None:
    assert get_setting(tmp_path, "SESSION_COOKIE_NAME", **PRODUCTION) == "__Host-sessionid"
    assert get_setting(tmp_path, "DEVICE_COOKIE_NAME", **PRODUCTION) == "__Host-device"
    assert get_setting(tmp_path, "MESSAGES_COOKIE_NAME", **PRODUCTION) == "__Host-messages"
    assert get_setting(tmp_path, "LANGUAGE_COOKIE_NAME", **PRODUCTION) == "__Host-language"
    assert get_setting(tmp_path, "CSRF_COOKIE_NAME", **PRODUCTION) == "__Host-csrftoken"
    assert get_setting(tmp_path, "CSRF_COOKIE_SECURE", **PRODUCTION) is True
    assert get_setting(tmp_path, "SECURE_HSTS_SECONDS", **PRODUCTION) == 365 * 24 * 60 * 60


@pytest.mark.parametrize(
    ("env", "address"),
    [
        (PRODUCTION, "https://lastcard.example.edu/"),
        (PRODUCTION | {"SITE_ADDRESS": "https://www.example.edu"}, "https://www.example.edu/"),
        ({"SITE_ADDRESS": "http://10.0.0.7:8000/"}, "http://10.0.0.7:8000/"),
        ({"ALLOWED_HOSTS": "cards.lan"}, ""),
    ],
)
def test_command_emails_link_to_the_first_tls_host_or_the_configured_url(
    tmp_path: Path, env: dict[str, str], address: str
) -> None:
    assert get_setting(tmp_path, "SITE_ADDRESS", **env) == address


def test_site_url_without_http_is_refused(tmp_path: Path) -> None:
    message = get_refusal(tmp_path, SITE_ADDRESS="cards.example.edu")
    assert message.endswith("SITE_ADDRESS='cards.example.edu': start with https:// or http://.")


WRONG_VALUES = {
    "ALLOWED_HOSTS": "https://cards.example.edu",
    "ANONYMOUS_SOCKETS": "-1",
    "DATABASE_POOL": "3",
    "DATABASE_URL": "postgres://lastcard:hidden@db.example.edu:99999/x",
    "DEFAULT_FROM_EMAIL": "nonsense",
    "EMAIL_PORT": "abc",
    "FORWARDED_ALLOW_IPS": "proxy",
    "HSTS_PRELOAD": "1",
    "LOG_LEVEL": "chatty",
    "REDIS_URL": "127.0.0.1:6379",
    "TIME_ZONE": "Asia/Kolkatta",
}
COMPLAINTS = [
    "ALLOWED_HOSTS='https://cards.example.edu': 'https://cards.example.edu' is not a host name: "
    "leave out https://, port and path, and separate names with commas.",
    "ANONYMOUS_SOCKETS='-1': write at least 0.",
    "DATABASE_POOL='3': write at least 11.",
    "DATABASE_URL: the port is not a number from 0 to 65535; in a password, write / # ? @ % as "
    "%2F %23 %3F %40 %25.",
    "DEFAULT_FROM_EMAIL='nonsense': write an address, or \"Name <address>\".",
    "EMAIL_PORT='abc': write a whole number.",
    "FORWARDED_ALLOW_IPS='proxy': 'proxy' is not an IP address; separate addresses with commas.",
    "HSTS_PRELOAD requires HTTPS=1.",
    "HSTS_PRELOAD=1 requires HSTS_SUBDOMAINS=1: browsers' lists only accept both together.",
    "LOG_LEVEL='chatty': write one of DEBUG, INFO, WARNING, ERROR, CRITICAL.",
    "REDIS_URL: start with redis:// (with TLS: rediss://).",
    "Set SECRET_KEY: all processes of the site need the same one.",
    "TIME_ZONE='Asia/Kolkatta': no such time zone: did you mean Asia/Kolkata?",
]


@pytest.mark.parametrize("command", ["check", "serve"])
def test_all_errors_are_listed_together_without_a_traceback(tmp_path: Path, command: str) -> None:
    assert list_refusals(tmp_path, "manage.py", command, **WRONG_VALUES) == COMPLAINTS


RANDOM_KEY_ADVICE = ': write at least 50 random characters: python3 -c "import secrets; '
DATABASE_NAME_MISSING = "the name of the database is missing: postgres://user:password@host/name."


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("SECRET_KEY", "...", RANDOM_KEY_ADVICE),
        ("SECRET_KEY", "x" * 60, RANDOM_KEY_ADVICE),
        ("DATABASE_URL", "postgres://lastcard:secret@db", f": {DATABASE_NAME_MISSING}"),
        ("DATABASE_URL", "postgres://", f": {DATABASE_NAME_MISSING}"),
        ("DATABASE_URL", "sqlite:///", f": {DATABASE_NAME_MISSING}"),
        ("REDIS_URL", "redis://", ": the host is missing: redis://host:6379/0."),
        (
            "REDIS_URL",
            "redis://cache/x",
            ": the part after the host must be a number: redis://host:6379/0.",
        ),
        (
            "EMAIL_HOST",
            "smtp://mail.example.edu:587",
            "='smtp://mail.example.edu:587': write only the host name, without smtp:// and port.",
        ),
        ("BACKUP_FOLDER", "backups", "='backups': write the full path, starting with /."),
        (
            "OIDC_ISSUER",
            "https://login.microsoftonline.com/common/v2.0",
            "='https://login.microsoftonline.com/common/v2.0': use the tenant's own "
            "“Directory (tenant) ID”, followed by /v2.0.",
        ),
        (
            "OIDC_ISSUER",
            "https://login.microsoftonline.com/5f3c2f0e-0d4b-4f57-9a0e-2b8a3f6f8f11",
            "='https://login.microsoftonline.com/5f3c2f0e-0d4b-4f57-9a0e-2b8a3f6f8f11': use the "
            "tenant's own “Directory (tenant) ID”, followed by /v2.0.",
        ),
    ],
)
def test_settings_that_would_fail_later_are_reported_at_startup(
    name: str, value: str, expected: str
) -> None:
    given = {"SECRET_KEY": PRODUCTION["SECRET_KEY"], **ISSUER, name: value}
    with pytest.raises(InvalidVariablesError) as wrong:
        read(given)
    [line] = wrong.value.lines
    assert line.startswith(name + expected)


def test_valid_settings_are_accepted() -> None:
    entra = "https://login.microsoftonline.com/5f3c2f0e-0d4b-4f57-9a0e-2b8a3f6f8f11/v2.0"
    given = {
        "SECRET_KEY": PRODUCTION["SECRET_KEY"],
        "DATABASE_URL": "postgres:///?service=lastcard",
        "REDIS_URL": "unix:///run/redis.sock",
        "EMAIL_HOST": "mail",
        "BACKUP_FOLDER": "/mnt/backups",
    }
    taken = read(given | ISSUER | {"OIDC_ISSUER": entra}).model_dump()
    assert {name: taken[name] for name in given} == given
    assert taken["OIDC_ISSUER"] == entra


@pytest.mark.slow
def test_missing_sender_address_causes_a_warning(tmp_path: Path) -> None:
    expected = "lastcard.W002) DEFAULT_FROM_EMAIL"
    alone = run_python(tmp_path, "manage.py", "check", EMAIL_HOST="mail.example.edu")
    assert expected in alone.stderr
    given = {"EMAIL_HOST": "mail.example.edu", "DEFAULT_FROM_EMAIL": "cards@example.edu"}
    assert expected not in run_python(tmp_path, "manage.py", "check", **given).stderr


@pytest.mark.slow
def test_unreachable_database_is_reported_in_one_line(tmp_path: Path) -> None:
    away = "postgres://lastcard:hidden@127.0.0.1:1/x"
    given = {"SECRET_KEY": PRODUCTION["SECRET_KEY"], "DATABASE_URL": away}
    done = run_python(tmp_path, "manage.py", "migrate", **given)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "hidden" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("The database (DATABASE_URL) does not answer: ")


@pytest.mark.slow
@pytest.mark.parametrize("port", ["0", "80000", "http"])
def test_invalid_port_is_refused(tmp_path: Path, port: str) -> None:
    done = run_python(tmp_path, "manage.py", "serve", "--port", port)
    assert done.returncode == 2
    assert "write a number from 1 to 65535" in done.stderr


def test_empty_variable_counts_as_unset(tmp_path: Path) -> None:
    assert get_setting(tmp_path, "MAILERS['default']['BACKEND']", EMAIL_HOST="").endswith(
        "console.EmailBackend"
    )
    assert get_setting(tmp_path, "ALLOWED_HOSTS", ALLOWED_HOSTS="")[0] == "localhost"


def test_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    message = get_refusal(tmp_path, LASTCARD_VAR=str(file / "var"))
    assert message == f"LASTCARD_VAR='{file}/var': the folder cannot be created (Not a directory)."


@pytest.mark.slow
def test_unknown_setting_name_causes_a_warning(tmp_path: Path) -> None:
    done = run_python(tmp_path, "manage.py", "check", ALOWED_HOSTS="cards.example.edu")
    assert done.returncode == 0
    assert "ALOWED_HOSTS: did you mean ALLOWED_HOSTS? ALOWED_HOSTS is not a setting." in done.stderr


@pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "TZ", "HOST", "LASTCARD_TEST_SEED"])
def test_variables_of_other_programs_are_ignored(name: str) -> None:
    assert find_misspellings({name: ""}) == {}


@pytest.mark.parametrize(
    ("name", "ours"),
    [("TIMEZONE", "TIME_ZONE"), ("EMAIL_USER", "EMAIL_HOST_USER"), ("redis_url", "REDIS_URL")],
)
def test_misspelt_setting_name_is_detected(name: str, ours: str) -> None:
    assert find_misspellings({name: ""}) == {name: ours}


def test_hsts_subdomains_and_preload_are_opt_in(tmp_path: Path) -> None:
    both = "SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD"
    default = get_setting(tmp_path, f"SECURE_HSTS_SECONDS and [settings.{both}]", **PRODUCTION)
    assert default == [False, False]
    asked = PRODUCTION | {"HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}
    found = get_setting(tmp_path, f"SECURE_HSTS_SECONDS and [settings.{both}]", **asked)
    assert found == [True, True]


def test_settings_page_matches_the_declaration() -> None:
    assert (ROOT / "docs" / "settings.md").read_text() == render_page(), "manage.py settings_page"


def test_environment_is_read_only_through_the_declaration() -> None:
    readers = {
        path.relative_to(ROOT).as_posix()
        for app in ("games", "tournament")
        for path in (ROOT / app).rglob("*.py")
        if re.search(r"(?<!\*\*)os\.environ\b(?!\.setdefault)|getenv", path.read_text())
    }
    home = "tournament/serving/environment"
    assert readers == {f"{home}/checks.py", f"{home}/reading.py"}


def test_lists_are_split_at_commas(tmp_path: Path) -> None:
    hosts = get_setting(tmp_path, "ALLOWED_HOSTS", **PRODUCTION)
    assert hosts == ["lastcard.example.edu", "www.lastcard.example.edu"]


def test_unknown_choice_is_refused(tmp_path: Path) -> None:
    assert get_setting(tmp_path, "GUEST_BOTS", GUEST_BOTS=" Plain ") == "plain"
    message = get_refusal(tmp_path, GUEST_BOTS="clever")
    assert message.endswith("GUEST_BOTS='clever': write one of idle, plain, any.")


@pytest.mark.parametrize("value", ["maybe", "2", "ja"])
def test_flag_that_is_neither_yes_nor_no_is_refused(tmp_path: Path, value: str) -> None:
    assert get_refusal(tmp_path, DEBUG=value).endswith(f"DEBUG={value!r}: write 1 or 0.")


def test_shared_database_needs_a_secret_key(tmp_path: Path) -> None:
    assert get_refusal(tmp_path, DATABASE_URL=PRODUCTION["DATABASE_URL"]).endswith(
        "Set SECRET_KEY: all processes of the site need the same one."
    )


@pytest.mark.slow
def test_deployment_check_passes_in_production_and_complains_without_https(
    tmp_path: Path,
) -> None:
    check = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    good = run_python(tmp_path, *check, **PRODUCTION)
    assert good.returncode == 0, good.stderr
    bad = run_python(tmp_path, *check, **{**PRODUCTION, "HTTPS": "0"})
    assert "security.W012" in bad.stderr


def test_issuer_is_an_allowed_form_target(tmp_path: Path) -> None:
    directives = "CONTENT_SECURITY_POLICY['DIRECTIVES']['form-action']"
    assert get_setting(tmp_path, directives) == ["'self'"]
    assert get_setting(tmp_path, directives, **ISSUER) == ["'self'", "https://id.example.edu"]
    assert get_setting(tmp_path, "SOCIALACCOUNT_PROVIDERS") == {}


def test_missing_issuer_settings_are_listed(tmp_path: Path) -> None:
    alone = {"OIDC_ISSUER": ISSUER["OIDC_ISSUER"], "OIDC_SECOND_FACTOR": "mfa"}
    assert list_refusals(tmp_path, "-c", "import tournament.settings", **alone) == [
        "OIDC_ISSUER requires OIDC_CLIENT_ID, which you get from the provider.",
        "OIDC_ISSUER requires OIDC_CLIENT_SECRET, which you get from the provider.",
        "OIDC_SECOND_FACTOR='mfa': 'mfa': write amr: or acr: and the value, such as amr:mfa.",
    ]


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        (
            ISSUER | {"OIDC_ISSUER": "http://id.example.edu"},
            "OIDC_ISSUER='http://id.example.edu': start with https://.",
        ),
        (
            ISSUER | {"OIDC_PROVED_DOMAINS": "@example.edu"},
            "OIDC_PROVED_DOMAINS='@example.edu': '@example.edu' is not a domain: "
            "write the part after the @.",
        ),
        (
            {"PASSWORD_SIGN_UP": "0"},
            "PASSWORD_SIGN_UP=0 requires OIDC_ISSUER: otherwise no one could create an account.",
        ),
    ],
)
def test_invalid_issuer_is_reported(tmp_path: Path, env: dict[str, str], expected: str) -> None:
    assert get_refusal(tmp_path, **env) == expected
