"""Passwords are hashed a few at a time: a class that signs in together fits into memory."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock

import argon2
import pytest
from django.contrib.auth.hashers import (
    Argon2PasswordHasher,
    check_password,
    get_hasher,
    make_password,
)
from pytest_django import Settings

from tournament.settings import PASSWORD_HASHERS

PASSWORD = "seven-lucky-cards"
CORES = os.cpu_count() or 1


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
    monkeypatch.setattr(argon2.low_level, "hash_secret", watched)
    rush(lambda: make_password(PASSWORD))
    assert (watched.calls, watched.most) == (8 * CORES, CORES)


def test_no_more_passwords_are_checked_at_once_than_there_are_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoded = make_password(PASSWORD)
    watched = Watched(True)
    monkeypatch.setattr(argon2.PasswordHasher, "verify", watched)
    rush(lambda: check_password(PASSWORD, encoded))
    assert (watched.calls, watched.most) == (8 * CORES, CORES)


def test_a_hash_costs_what_owasp_recommends() -> None:
    assert make_password(PASSWORD).startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_password_from_before_still_lets_in_and_is_hashed_anew() -> None:
    before = Argon2PasswordHasher().encode(PASSWORD, get_hasher().salt())
    anew: list[str] = []
    assert check_password(PASSWORD, before, setter=anew.append) is True
    assert anew == [PASSWORD]
    assert check_password("wrong-wrong-wrong", before, setter=anew.append) is False
    assert anew == [PASSWORD]


def test_a_password_of_today_is_not_hashed_again() -> None:
    anew: list[str] = []
    assert check_password(PASSWORD, make_password(PASSWORD), setter=anew.append) is True
    assert anew == []
