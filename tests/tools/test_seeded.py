"""Tests of seeded randomness, which is reproducible for each test but random within it."""

import secrets
from random import SystemRandom

import pytest

from games.models.play import new_public_id
from games.process import Process
from games.rules.fair.commitments import new_secret
from tests import seeded
from tests.seeded import stream


def draw_values(name: str) -> list[object]:
    """Return values that the site draws from the stream of this name."""
    with stream.use_named(name):
        return [new_secret(), new_public_id(), SystemRandom().random(), secrets.choice(range(999))]


@pytest.fixture(scope="module")
def shared_secret() -> bytes:
    return new_secret()


def test_stream_is_determined_by_its_name() -> None:
    one, other = draw_values("one"), draw_values("other")
    assert draw_values("one") == one
    assert [a for a, b in zip(one, other, strict=True) if a == b] == []


def test_stream_depends_on_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = draw_values("one")
    monkeypatch.setattr(seeded, "SEED", "another")
    assert [a for a, b in zip(before, draw_values("one"), strict=True) if a == b] == []


def test_secrets_from_one_stream_differ() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert len({new_public_id() for _ in range(100)}) == 100


def test_each_test_starts_with_the_stream_named_after_it(
    process: Process, request: pytest.FixtureRequest
) -> None:
    with stream.use_named(request.node.nodeid):
        assert Process().key == process.key


def test_shared_fixtures_have_their_own_stream(
    shared_secret: bytes, request: pytest.FixtureRequest
) -> None:
    with stream.use_named(f"{request.node.parent.nodeid} shared_secret"):
        assert new_secret() == shared_secret


def test_stream_resumes_after_an_interruption() -> None:
    with stream.use_named("whole"):
        expected = [new_secret(), new_secret()]
    with stream.use_named("whole"):
        first = new_secret()
        draw_values("other")
        assert [first, new_secret()] == expected
