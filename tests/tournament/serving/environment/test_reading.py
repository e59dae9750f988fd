"""Environment variables: invalid values, contradictions, and settings derived from others."""

from pathlib import Path

import pytest

from tests.house.test_settings import PRODUCTION, get_setting
from tournament.serving.environment.databases import make_database_settings
from tournament.serving.environment.reading import InvalidVariablesError, read

CONTRADICTIONS: list[tuple[dict[str, str], str]] = [
    (
        {"ALLOWED_HOSTS": ""},
        "HTTPS=1 requires ALLOWED_HOSTS: the names under which people reach the site.",
    ),
    (
        {"ALLOWED_HOSTS": ".example.edu"},
        "Set SITE_ADDRESS: links in emails need one name, and ALLOWED_HOSTS begins with a pattern.",
    ),
    (
        {"DATABASE_URL": "", "DATABASE_URL_DIRECT": "postgres:///lastcard"},
        "DATABASE_URL_DIRECT requires DATABASE_URL.",
    ),
    ({"DEBUG": "1"}, "HTTPS=1 and DEBUG=1 exclude each other: DEBUG shows settings to visitors."),
    ({"EMAIL_HOST": "", "EMAIL_HOST_USER": "cards"}, "EMAIL_HOST_USER requires EMAIL_HOST."),
    (
        {"EMAIL_USE_SSL": "1", "EMAIL_USE_TLS": "1"},
        "EMAIL_USE_SSL=1 and EMAIL_USE_TLS=1 exclude each other: port 465 uses SSL, port 587 TLS.",
    ),
    (
        {
            "FORWARDED_ALLOW_IPS": "*",
            "ALLOWED_HOSTS": "*",
            "SITE_ADDRESS": "https://cards.example.edu",
        },
        "FORWARDED_ALLOW_IPS=* and ALLOWED_HOSTS=* exclude each other: anyone could claim any "
        "address and any name.",
    ),
    ({"HTTPS": "0", "HSTS_SUBDOMAINS": "1"}, "HSTS_SUBDOMAINS requires HTTPS=1."),
    ({"OIDC_PROVED_DOMAINS": "example.edu"}, "OIDC_PROVED_DOMAINS requires OIDC_ISSUER."),
    (
        {"SITE_ADDRESS": "http://cards.example.edu"},
        "SITE_ADDRESS must start with https:// because HTTPS is 1.",
    ),
]


@pytest.mark.parametrize(("changed", "expected"), CONTRADICTIONS)
def test_contradictory_settings_are_refused(changed: dict[str, str], expected: str) -> None:
    with pytest.raises(InvalidVariablesError) as wrong:
        read(PRODUCTION | changed)
    assert wrong.value.lines == [expected]


@pytest.mark.parametrize(
    ("address", "advice"),
    [
        ("https://example.edu/cards", "write only https:// and the host name, without a path"),
        ("https://me:you@example.edu", "write only https:// and the host name, without a path"),
        ("https://cards .example.edu", "write only https:// and the host name, without a path"),
        ("https://cards.example.edu:port", "the port is not a number from 0 to 65535"),
    ],
)
@pytest.mark.parametrize("name", ["SITE_ADDRESS", "CSRF_TRUSTED_ORIGINS"])
def test_site_address_with_a_path_is_refused(name: str, address: str, advice: str) -> None:
    with pytest.raises(InvalidVariablesError) as wrong:
        read(PRODUCTION | {name: address})
    assert wrong.value.lines == [f"{name}={address!r}: {advice}."]


def test_site_addresses_may_have_ports_and_patterns() -> None:
    origins = "https://*.example.edu,http://[::1]:8000,https://cards.example.edu:8443"
    found = read(PRODUCTION | {"CSRF_TRUSTED_ORIGINS": origins})
    assert [*found.CSRF_TRUSTED_ORIGINS] == origins.split(",")


@pytest.mark.parametrize(
    ("changed", "use_tls", "use_ssl"),
    [
        ({}, True, False),
        ({"EMAIL_PORT": "465"}, False, True),
        ({"EMAIL_PORT": "2465", "EMAIL_USE_SSL": "1"}, False, True),
        ({"EMAIL_PORT": "25", "EMAIL_USE_TLS": "0"}, False, False),
    ],
)
def test_port_465_uses_implicit_tls(
    tmp_path: Path, changed: dict[str, str], use_tls: bool, use_ssl: bool
) -> None:
    options = get_setting(tmp_path, "MAILERS['default']['OPTIONS']", **PRODUCTION | changed)
    assert (options["use_tls"], options["use_ssl"]) == (use_tls, use_ssl)


@pytest.mark.parametrize(
    ("command", "name"), [("migrate", "direct"), ("backup", "direct"), ("serve", "pooled")]
)
def test_migrations_and_backups_bypass_the_pooler(tmp_path: Path, command: str, name: str) -> None:
    variables = {"DATABASE_URL": "postgres:///pooled", "DATABASE_URL_DIRECT": "postgres:///direct"}
    found = make_database_settings(read(PRODUCTION | variables), tmp_path, [command])
    assert found["NAME"] == name


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        (
            "TIME_ZONE",
            "IST",
            "TIME_ZONE='IST': no such time zone: write a place, such as Asia/Kolkata.",
        ),
        ("METRICS_TOKEN", "a", "METRICS_TOKEN: write at least 16 random characters."),
        ("DATABASE_POOL", "5000", "DATABASE_POOL='5000': write at most 1000."),
        (
            "REDIS_URL",
            "redis://:pa#ss@127.0.0.1:6379/0",
            "REDIS_URL: the port is not a number from 0 to 65535; in a password, write / # ? @ % "
            "as %2F %23 %3F %40 %25.",
        ),
        (
            "PUSH_SERVICES",
            "https://push.example.edu",
            "PUSH_SERVICES='https://push.example.edu': 'https://push.example.edu' is not a host "
            "name: leave out https:// and the path, and separate names with commas.",
        ),
        *[
            (
                "VAPID_PRIVATE_KEY",
                key,
                "VAPID_PRIVATE_KEY: write the private key as 43 characters of base64url.",
            )
            for key in (
                "short",
                "A" * 43,
                "_" * 43,
                "!" * 43,
                "+/" * 21 + "A",
                "-----BEGIN PRIVATE KEY-----",
            )
        ],
    ],
)
def test_invalid_value_is_refused(name: str, value: str, expected: str) -> None:
    with pytest.raises(InvalidVariablesError) as wrong:
        read(PRODUCTION | {name: value})
    assert wrong.value.lines == [expected]


def test_push_services_and_key_are_read() -> None:
    key = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    environment = {"PUSH_SERVICES": "push.example.edu:8443, b.example", "VAPID_PRIVATE_KEY": key}
    variables = read(PRODUCTION | environment)
    read_back = (variables.PUSH_SERVICES, variables.VAPID_PRIVATE_KEY)
    assert read_back == (["push.example.edu:8443", "b.example"], key)


def test_former_time_zone_name_is_replaced_by_the_current_one() -> None:
    assert read({"TIME_ZONE": "Asia/Calcutta"}).TIME_ZONE == "Asia/Kolkata"
