"""Tests of the cache of built files, which are rebuilt only if their sources change."""

from pathlib import Path

import pytest

from tests import cached_data


class CountingMaker:
    """Builder that records how often it was called."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, path: Path) -> None:
        self.count += 1
        path.mkdir()
        (path / "count").write_text(str(self.count))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a project folder with one source file and its own cache folder."""
    monkeypatch.setattr(cached_data, "ROOT", tmp_path)
    monkeypatch.setattr(cached_data, "CACHE_FOLDER", tmp_path / "cache")
    (tmp_path / "source.txt").write_text("one")
    return tmp_path


def build_and_read_count(make: CountingMaker) -> str:
    return (cached_data.make_cached("thing", ["*.txt"], make) / "count").read_text()


def test_artifact_is_built_once(folder: Path) -> None:
    make = CountingMaker()
    assert [build_and_read_count(make), build_and_read_count(make)] == ["1", "1"]


def test_changed_source_rebuilds_and_removes_the_old_artifact(folder: Path) -> None:
    make = CountingMaker()
    before = cached_data.make_cached("thing", ["*.txt"], make)
    (folder / "source.txt").write_text("two")
    assert build_and_read_count(make) == "2"
    assert not before.exists()


def test_added_source_triggers_a_rebuild(folder: Path) -> None:
    make = CountingMaker()
    build_and_read_count(make)
    (folder / "other.txt").write_text("")
    assert build_and_read_count(make) == "2"


def test_unfinished_build_is_ignored(folder: Path) -> None:
    def fail_to_make(path: Path) -> None:
        CountingMaker()(path)
        raise RuntimeError("no room")

    with pytest.raises(RuntimeError, match="no room"):
        cached_data.make_cached("thing", ["*.txt"], fail_to_make)
    make = CountingMaker()
    assert [build_and_read_count(make), build_and_read_count(make)] == ["1", "1"]


def test_two_artifacts_can_coexist(folder: Path) -> None:
    one, other = (
        cached_data.make_cached(name, ["*.txt"], CountingMaker()) for name in ("one", "other")
    )
    assert one.exists()
    assert other.exists()


def test_single_file_can_be_cached(folder: Path) -> None:
    def write(path: Path) -> None:
        path.write_text("here")

    before = cached_data.make_cached("file", ["*.txt"], write)
    (folder / "source.txt").write_text("two")
    assert cached_data.make_cached("file", ["*.txt"], write).read_text() == "here"
    assert not before.exists()
