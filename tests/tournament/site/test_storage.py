"""Tests of static files that are collected while processes serve them."""

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

from tournament.site.storage import StaticFilesMiddleware, StaticStorage

SHEET = "page.css"


class CheckingStorage(StaticStorage):
    """Storage that checks before each write that the files in `needed` exist."""

    needed: tuple[Path, ...] = ()

    def _save(self, name: str, content: Any) -> str:
        assert [path for path in self.needed if not path.exists()] == []
        return super()._save(name, content)


@pytest.fixture
def source_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "colors.css").write_text(":root { --paper: white; }\n" * 40)
    (folder / SHEET).write_text('@import "colors.css";\n' + "body { margin: 0; }\n" * 40)
    return folder


@pytest.fixture
def static_root(tmp_path: Path, settings: Settings) -> Path:
    settings.STATIC_ROOT = tmp_path / "var" / "static"
    settings.STATIC_ROOT.mkdir(parents=True)
    return tmp_path / "var" / "static"


@pytest.fixture
def collect_static_files(source_folder: Path, static_root: Path) -> Callable[..., dict[str, str]]:
    def collect_files(storage: StaticStorage | None = None) -> dict[str, str]:
        for _file in process_files(storage or StaticStorage(), source_folder):
            pass
        return read_manifest(static_root)

    return collect_files


def process_files(storage: StaticStorage, source: Path) -> Iterator[tuple[str, str, bool]]:
    shutil.copytree(source, storage.path(""), dirs_exist_ok=True)
    files = FileSystemStorage(source)
    names = [str(path.relative_to(source)) for path in source.rglob("*.*")]
    return storage.post_process({name: (files, name) for name in names})


def read_manifest(root: Path) -> dict[str, str]:
    paths: dict[str, str] = json.loads((root / "staticfiles.json").read_text())["paths"]
    return paths


def list_served_names(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*.*"))


def test_no_file_is_missing_while_files_are_collected_again(
    static_root: Path, collect_static_files: Any
) -> None:
    collect_static_files()
    storage = CheckingStorage()
    before = list_served_names(static_root)
    storage.needed = tuple(static_root / name for name in before)
    collect_static_files(storage)
    assert list_served_names(static_root) == before


def test_files_are_replaced_instead_of_overwritten(
    static_root: Path, collect_static_files: Any
) -> None:
    hashed = collect_static_files().values()
    opened = {path: path.open("rb") for name in hashed for path in static_root.glob(f"{name}*")}
    whole = {path: path.read_bytes() for path in opened}
    collect_static_files()
    for path, file in opened.items():
        with file:
            assert path.stat().st_ino != os.fstat(file.fileno()).st_ino
            assert file.read() == whole[path]


def test_intermediate_files_are_deleted(static_root: Path, collect_static_files: Any) -> None:
    names = [name for pair in collect_static_files().items() for name in pair]
    compressed = [f"{name}{suffix}" for name in names for suffix in (".br", ".gz")]
    assert list_served_names(static_root) == sorted([*names, *compressed, "staticfiles.json"])


def test_manifest_is_replaced_after_all_files_are_written(
    static_root: Path, source_folder: Path, collect_static_files: Any
) -> None:
    old = collect_static_files()
    (source_folder / SHEET).write_text("/* newer */\n" * 40)
    for _file in process_files(StaticStorage(), source_folder):
        assert read_manifest(static_root) == old
    assert read_manifest(static_root) != old


def test_manifest_keeps_files_of_earlier_versions(
    source_folder: Path, collect_static_files: Any
) -> None:
    old = collect_static_files()
    (source_folder / SHEET).rename(source_folder / "renamed.css")
    new = collect_static_files()
    assert new == old | {"renamed.css": new["renamed.css"]}


@pytest.fixture
def fetch_static_file(
    static_root: Path, collect_static_files: Any
) -> Callable[[str], HttpResponse]:
    collect_static_files()

    def answer_not_found(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(status=404)

    files = StaticFilesMiddleware(answer_not_found)

    def fetch_file(name: str) -> HttpResponse:
        answer: HttpResponse = files(RequestFactory().get(f"/static/{name}"))
        return answer

    return fetch_file


def test_deleted_file_is_not_found(static_root: Path, fetch_static_file: Any) -> None:
    name = read_manifest(static_root)[SHEET]
    assert fetch_static_file(name).status_code == 200
    (static_root / name).unlink()
    assert fetch_static_file(name).status_code == 404
    (static_root / name).write_bytes(b"again")
    assert fetch_static_file(name).content == b"again"


def test_replaced_file_is_sent_with_its_new_length(
    static_root: Path, fetch_static_file: Any
) -> None:
    name = read_manifest(static_root)[SHEET]
    (static_root / name).write_bytes(b"longer than before" * 1000)
    answer = fetch_static_file(name)
    assert answer.content == b"longer than before" * 1000
    assert answer["Content-Length"] == "18000"
