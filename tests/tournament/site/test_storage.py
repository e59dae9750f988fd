"""Static files while `collectstatic` runs beside processes that serve them."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import FileSystemStorage
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from tournament.site.storage import StaticFiles, StaticStorage

SHEET = "page.css"


class Watched(StaticStorage):
    """Storage that checks before each write that the needed files are there."""

    needed: tuple[Path, ...] = ()

    def _save(self, name: str, content: Any) -> str:
        assert [path for path in self.needed if not path.exists()] == []
        return super()._save(name, content)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "colors.css").write_text(":root { --paper: white; }\n" * 40)
    (folder / SHEET).write_text('@import "colors.css";\n' + "body { margin: 0; }\n" * 40)
    return folder


@pytest.fixture
def root(tmp_path: Path, settings: Settings) -> Path:
    settings.STATIC_ROOT = tmp_path / "var" / "static"
    settings.STATIC_ROOT.mkdir(parents=True)
    return tmp_path / "var" / "static"


@pytest.fixture
def collect(source: Path, root: Path) -> Callable[..., dict[str, str]]:
    def collect_files(storage: StaticStorage | None = None) -> dict[str, str]:
        for _file in process(storage or StaticStorage(), source):
            pass
        return read_manifest(root)

    return collect_files


def process(storage: StaticStorage, source: Path) -> Iterator[tuple[str, str, bool]]:
    shutil.copytree(source, storage.path(""), dirs_exist_ok=True)
    files = FileSystemStorage(source)
    names = [str(path.relative_to(source)) for path in source.rglob("*.*")]
    return storage.post_process({name: (files, name) for name in names})


def read_manifest(root: Path) -> dict[str, str]:
    paths: dict[str, str] = json.loads((root / "staticfiles.json").read_text())["paths"]
    return paths


def served_names(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*.*"))


def test_collecting_again_keeps_every_file_in_place(root: Path, collect: Any) -> None:
    collect()
    storage = Watched()
    before = served_names(root)
    storage.needed = tuple(root / name for name in before)
    collect(storage)
    assert served_names(root) == before


def test_no_file_is_written_in_place(root: Path, collect: Any) -> None:
    hashed = collect().values()
    opened = {path: path.open("rb") for name in hashed for path in root.glob(f"{name}*")}
    whole = {path: path.read_bytes() for path in opened}
    collect()
    for path, file in opened.items():
        with file:
            assert path.stat().st_ino != os.fstat(file.fileno()).st_ino
            assert file.read() == whole[path]


def test_intermediate_files_do_not_stay(root: Path, collect: Any) -> None:
    names = [name for pair in collect().items() for name in pair]
    compressed = [f"{name}{suffix}" for name in names for suffix in (".br", ".gz")]
    assert served_names(root) == sorted([*names, *compressed, "staticfiles.json"])


def test_manifest_is_replaced_when_all_files_are_there(
    root: Path, source: Path, collect: Any
) -> None:
    old = collect()
    (source / SHEET).write_text("/* newer */\n" * 40)
    for _file in process(StaticStorage(), source):
        assert read_manifest(root) == old
    assert read_manifest(root) != old


def test_manifest_keeps_files_of_earlier_versions(source: Path, collect: Any) -> None:
    old = collect()
    (source / SHEET).rename(source / "renamed.css")
    new = collect()
    assert new == old | {"renamed.css": new["renamed.css"]}


@pytest.fixture
def fetch(root: Path, collect: Any) -> Callable[[str], HttpResponse]:
    collect()

    def answer_not_found(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(status=404)

    files = StaticFiles(answer_not_found)

    def fetch_file(name: str) -> HttpResponse:
        answer: HttpResponse = files(RequestFactory().get(f"/static/{name}"))
        return answer

    return fetch_file


def test_file_that_has_vanished_is_not_found(root: Path, fetch: Any) -> None:
    name = read_manifest(root)[SHEET]
    assert fetch(name).status_code == 200
    (root / name).unlink()
    assert fetch(name).status_code == 404
    (root / name).write_bytes(b"again")
    assert fetch(name).content == b"again"


def test_file_that_was_replaced_is_sent_with_its_own_length(root: Path, fetch: Any) -> None:
    name = read_manifest(root)[SHEET]
    (root / name).write_bytes(b"longer than before" * 1000)
    answer = fetch(name)
    assert answer.content == b"longer than before" * 1000
    assert answer["Content-Length"] == "18000"
