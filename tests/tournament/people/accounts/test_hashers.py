"""Tests of the password hasher, which also accepts older hashes."""

import pytest
from django.contrib.auth.hashers import check_password, make_password
from pytest_django import Settings

from tournament.settings import PASSWORD_HASHERS

PASSWORD = "seven-lucky-cards"
# Two hashes of `PASSWORD`. Django made the first at its default cost. An earlier release of the
# site made the second with libsodium.
DJANGO_HASH = (
    "argon2$argon2id$v=19$m=102400,t=2,p=8$VmszbUxxVHpQMGFZeFc4dUNlUjVkTg"
    "$nUhPvP8Hy8NLw4qjQWmqJN1HFh0xHi2FrHkzS/yyGTY"
)
LIBSODIUM_HASH = (
    "argon2$argon2id$v=19$m=19456,t=2,p=1$nqOLvFiXeYhJ8A+9sS0A4Q"
    "$mVTkr/pqf7B6iWAR59v/kbEmtQDsK6+B90+cV+NL1mQ"
)


@pytest.fixture(autouse=True)
def use_production_hashers(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = PASSWORD_HASHERS


def test_password_hash_has_the_cost_recommended_by_owasp() -> None:
    assert make_password(PASSWORD).startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")


@pytest.mark.parametrize("before", [DJANGO_HASH, LIBSODIUM_HASH])
def test_old_password_hash_works_and_is_upgraded(before: str) -> None:
    anew: list[str] = []
    assert check_password(PASSWORD, before, setter=anew.append) is True
    assert anew == [PASSWORD]
    assert check_password("wrong-wrong-wrong", before, setter=anew.append) is False
    assert anew == [PASSWORD]


def test_current_password_hash_is_not_upgraded() -> None:
    encoded, anew = make_password(PASSWORD), list[str]()
    assert check_password(PASSWORD, encoded, setter=anew.append) is True
    assert check_password("wrong-wrong-wrong", encoded, setter=anew.append) is False
    assert anew == []
