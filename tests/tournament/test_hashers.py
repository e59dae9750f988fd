"""Passwords are hashed a few at a time: a class that signs in together fits into memory."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock

import pytest
from django.contrib.auth.hashers import check_password, identify_hasher, make_password
from nacl.pwhash import argon2id
from pytest_django import Settings

from tournament.settings import PASSWORD_HASHERS

PASSWORD = "seven-lucky-cards"
CORES = os.cpu_count() or 1
# Django's own of this password, and ours of argon2-cffi with a salt of 22 letters.
DJANGOS = (
    "argon2$argon2id$v=19$m=102400,t=2,p=8$VmszbUxxVHpQMGFZeFc4dUNlUjVkTg"
    "$nUhPvP8Hy8NLw4qjQWmqJN1HFh0xHi2FrHkzS/yyGTY"
)
LONG_SALT = (
    "argon2$argon2id$v=19$m=19456,t=2,p=1$YWJjZGVmZ2hpamtsbW5vcHFyc3R1dg"
    "$w380DYFdffEGm2M78X84Rth9sWfAhWEYqSNOIcu9B8w"
)


@pytest.fixture(autouse=True)
def as_in_production(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = PASSWORD_HASHERS


class Watched:
    """Stands in for Argon2: lets calls go on when one for each core has come, and counts them."""

    def __init__(self, answer: object) -> None:
        self.answer, self.running, self.most, self.calls = answer, 0, 0, 0
        self.lock, self.together = Lock(), Barrier(CORES, timeout=20)

    def __call__(self, *_args: object, **_options: object) -> object:
        with self.lock:
            self.calls += 1
            self.running += 1
            self.most = max(self.most, self.running)
        self.together.wait()
        with self.lock:
            self.running -= 1
        return self.answer


def rush(call: Callable[[], object]) -> None:
    with ThreadPoolExecutor(8 * CORES) as people:
        for done in [people.submit(call) for _ in range(8 * CORES)]:
            done.result()


def test_no_more_hashes_are_made_at_once_than_there_are_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched = Watched(b"$argon2id$made")
    monkeypatch.setattr(argon2id, "str", watched)
    rush(lambda: make_password(PASSWORD))
    assert (watched.calls, watched.most) == (8 * CORES, CORES)


def test_no_more_passwords_are_checked_at_once_than_there_are_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoded = make_password(PASSWORD)
    watched = Watched(True)
    monkeypatch.setattr(argon2id, "verify", watched)
    rush(lambda: check_password(PASSWORD, encoded))
    assert (watched.calls, watched.most) == (8 * CORES, CORES)


def test_a_hash_costs_what_owasp_recommends() -> None:
    assert make_password(PASSWORD).startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_password_from_before_still_lets_in_and_is_hashed_anew() -> None:
    anew: list[str] = []
    assert check_password(PASSWORD, DJANGOS, setter=anew.append) is True
    assert anew == [PASSWORD]
    assert check_password("wrong-wrong-wrong", DJANGOS, setter=anew.append) is False
    assert anew == [PASSWORD]


@pytest.mark.parametrize("made_by", ["libsodium", "argon2-cffi"])
def test_a_password_of_today_is_not_hashed_again(made_by: str) -> None:
    encoded = LONG_SALT if made_by == "argon2-cffi" else make_password(PASSWORD)
    anew: list[str] = []
    assert check_password(PASSWORD, encoded, setter=anew.append) is True
    assert check_password("wrong-wrong-wrong", encoded, setter=anew.append) is False
    assert anew == []


def test_the_same_password_is_never_hashed_to_the_same() -> None:
    assert make_password(PASSWORD) != make_password(PASSWORD)


def test_whoever_looks_at_an_account_sees_how_its_password_is_hashed_and_not_the_hash() -> None:
    summary = identify_hasher(DJANGOS).safe_summary(DJANGOS)
    assert {str(name): value for name, value in summary.items()} == {
        "algorithm": "argon2",
        "variety": "argon2id",
        "version": 19,
        "memory cost": 102400,
        "time cost": 2,
        "parallelism": 8,
        "salt": "VmszbU" + "*" * 24,
        "hash": "nUhPvP" + "*" * 37,
    }
