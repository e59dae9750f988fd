"""Tests of writing and opening event files."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pure import bundle
from tournament.pure.bundle import (
    FORMAT,
    MANIFEST,
    VERSION,
    Bundle,
    InvalidBundleError,
    open_bundle,
    write_bundle,
)

MANIFEST_HEAD = {
    "identity": "a1",
    "title": "Cup",
    "slug": "cup",
    "head": "0" * 64,
    "journey": 2,
    "event": 7,
}
ROWS = [{"pk": 1, "name": "Zoë"}, {"pk": 2, "name": "কাজল\n"}]
PART_NAME = "people.jsonl"
PART_TEXT = '{"pk":1,"name":"Zo\\u00eb"}\n{"pk":2,"name":"\\u0995\\u09be\\u099c\\u09b2\\n"}\n'


def make_bundle_file(**parts: list[Any]) -> io.BytesIO:
    out = io.BytesIO()
    write_bundle(out, MANIFEST_HEAD, (parts or {"people": ROWS}).items())
    return out


def read_contents(file: io.BytesIO) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack_parts(parts: Mapping[str, bytes]) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out


def change_manifest(change: Callable[[dict[str, Any]], object]) -> io.BytesIO:
    parts = read_contents(make_bundle_file())
    manifest = json.loads(parts[MANIFEST])
    change(manifest)
    return pack_parts({**parts, MANIFEST: json.dumps(manifest).encode()})


def open_bundle_with(content: bytes) -> Bundle:
    """Open an event file with this content in its part, and with the matching digest."""

    def set_digest(manifest: dict[str, Any]) -> None:
        manifest["parts"]["people"]["sha256"] = hashlib.sha256(content).hexdigest()

    parts = read_contents(change_manifest(set_digest))
    return open_bundle(pack_parts({**parts, PART_NAME: content}))


def get_error_code(file: io.BytesIO) -> str:
    with pytest.raises(InvalidBundleError) as refused:
        open_bundle(file)
    assert str(refused.value) == refused.value.sentence
    assert refused.value.sentence.endswith(".")
    return refused.value.code


def read_rows_before_damage(file: Bundle) -> list[Any]:
    """Return the rows read from the part before it is reported as damaged."""
    found: list[Any] = []
    with pytest.raises(
        InvalidBundleError, match=r"The file is damaged\. Download it again"
    ) as refused:
        found.extend(file.rows("people"))
    assert refused.value.code == "damaged"
    return found


# -- writing -----------------------------------------------------------------------------------


def test_manifest_has_the_row_count_and_digest_of_each_part() -> None:
    parts = read_contents(make_bundle_file(people=ROWS, rounds=[]))
    assert list(parts) == [PART_NAME, "rounds.jsonl", MANIFEST]
    assert parts[PART_NAME].decode() == PART_TEXT
    assert json.loads(parts[MANIFEST]) == {
        "format": "lastcard event",
        "version": 1,
        **MANIFEST_HEAD,
        "parts": {
            "people": {"rows": 2, "sha256": hashlib.sha256(PART_TEXT.encode()).hexdigest()},
            "rounds": {"rows": 0, "sha256": hashlib.sha256(b"").hexdigest()},
        },
    }


def test_archive_is_compressed() -> None:
    out = make_bundle_file(people=[{"pk": n, "name": "Asha Kumari"} for n in range(500)])
    with zipfile.ZipFile(out) as archive:
        packed_part = archive.getinfo(PART_NAME)
    assert packed_part.compress_size < packed_part.file_size / 4


values = st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=9)
rows = st.lists(st.dictionaries(st.text(max_size=5), values | st.lists(values, max_size=3)))


@given(st.dictionaries(st.sampled_from(["people", "app.round", "app.seat"]), rows))
def test_written_rows_are_read_back_in_order(parts: dict[str, list[Any]]) -> None:
    out = io.BytesIO()
    write_bundle(out, MANIFEST_HEAD, parts.items())
    found = open_bundle(out)
    assert {name: list(found.rows(name)) for name in parts} == parts
    assert {name: part["rows"] for name, part in found.head["parts"].items()} == {
        name: len(part) for name, part in parts.items()
    }


def test_missing_part_has_no_rows() -> None:
    assert list(open_bundle(make_bundle_file()).rows("seats")) == []


def test_part_can_be_read_twice() -> None:
    found = open_bundle(make_bundle_file())
    assert [list(found.rows("people")) for _ in range(2)] == [ROWS, ROWS]


# -- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("format", "another event", "foreign"),
        ("format", None, "foreign"),
        ("version", VERSION + 1, "newer"),
        ("version", None, "newer"),
        ("identity", 5, "foreign"),
        ("title", None, "foreign"),
        ("slug", ["cup"], "foreign"),
        ("head", 0, "foreign"),
        ("journey", "2", "foreign"),
        ("event", 7.5, "foreign"),
        ("event", None, "foreign"),
        ("parts", ["people"], "foreign"),
        ("parts", None, "foreign"),
    ],
)
def test_manifest_with_an_invalid_field_is_refused(name: str, value: object, code: str) -> None:
    assert get_error_code(change_manifest(lambda manifest: manifest.update({name: value}))) == code


@pytest.mark.parametrize(
    "name", ["identity", "title", "slug", "head", "journey", "event", "parts", "format"]
)
def test_manifest_without_a_required_field_is_refused(name: str) -> None:
    assert get_error_code(change_manifest(lambda manifest: manifest.pop(name))) == "foreign"


def test_unknown_manifest_fields_are_ignored() -> None:
    found = open_bundle(change_manifest(lambda manifest: manifest.update(colour="red")))
    assert list(found.rows("people")) == ROWS


@pytest.mark.parametrize(
    ("manifest", "code"),
    [
        (b"[]", "foreign"),
        (b'"lastcard event"', "foreign"),
        (b"null", "foreign"),
        (b"{", "damaged"),
        (b"\xff\xfe{}", "damaged"),
        (b"[" * 200_000, "damaged"),
    ],
)
def test_manifest_that_is_not_an_object_is_refused(manifest: bytes, code: str) -> None:
    assert get_error_code(pack_parts({MANIFEST: manifest})) == code


def test_archive_without_a_manifest_is_refused() -> None:
    assert get_error_code(pack_parts({"photo.jpg": b"\xff\xd8", "people.jsonl": b""})) == "foreign"


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b'{"format": "lastcard event"}'])
def test_file_that_is_not_an_archive_is_refused_as_damaged(content: bytes) -> None:
    assert get_error_code(io.BytesIO(content)) == "damaged"


def test_truncated_file_is_refused_as_damaged() -> None:
    whole = make_bundle_file().getvalue()
    assert {get_error_code(io.BytesIO(whole[:end])) for end in range(0, len(whole), 40)} == {
        "damaged"
    }


def test_archive_with_too_large_contents_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = make_bundle_file()
    size = sum(map(len, read_contents(file).values()))
    monkeypatch.setattr(bundle, "MOST", size)
    assert list(open_bundle(file).rows("people")) == ROWS
    monkeypatch.setattr(bundle, "MOST", size - 1)
    assert get_error_code(file) == "big"


def test_oversized_manifest_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    file = make_bundle_file()
    size = len(read_contents(file)[MANIFEST])
    monkeypatch.setattr(bundle, "MOST_MANIFEST", size)
    assert open_bundle(file).head["format"] == FORMAT
    monkeypatch.setattr(bundle, "MOST_MANIFEST", size - 1)
    assert get_error_code(file) == "foreign"


def test_part_with_an_overlong_line_is_refused_as_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    longest = max(map(len, PART_TEXT.splitlines(keepends=True)))
    monkeypatch.setattr(bundle, "MOST_LINE", longest)
    assert list(open_bundle(make_bundle_file()).rows("people")) == ROWS
    monkeypatch.setattr(bundle, "MOST_LINE", longest - 2)
    assert read_rows_before_damage(open_bundle(make_bundle_file())) == ROWS[:1]


# -- parts that differ from the manifest -------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        PART_TEXT.replace("Zo", "Zu"),  # a different letter
        PART_TEXT + "\n",  # one line more
        PART_TEXT.splitlines(keepends=True)[0],  # one line fewer
        "".join(reversed(PART_TEXT.splitlines(keepends=True))),  # a different order
        "",
    ],
)
def test_modified_part_is_refused_as_damaged(content: str) -> None:
    parts = read_contents(make_bundle_file()) | {PART_NAME: content.encode()}
    read_rows_before_damage(open_bundle(pack_parts(parts)))


@pytest.mark.parametrize(
    "line", [b"{", b"Asha\n", b"\xff\n", b'{"pk": 1}{"pk": 2}\n', b"[" * 200_000 + b"\n"]
)
def test_invalid_json_is_refused_even_with_a_matching_digest(line: bytes) -> None:
    assert read_rows_before_damage(open_bundle_with(b'{"pk":1}\n' + line)) == [{"pk": 1}]


def test_part_missing_from_the_archive_is_refused_as_damaged() -> None:
    parts = read_contents(make_bundle_file())
    del parts[PART_NAME]
    assert read_rows_before_damage(open_bundle(pack_parts(parts))) == []


def test_part_with_corrupt_compressed_data_is_refused_as_damaged() -> None:
    corrupt = bytearray(make_bundle_file(people=[{"pk": n} for n in range(300)]).getvalue())
    position = corrupt.index(b"people.jsonl") + len("people.jsonl") + 30
    corrupt[position] ^= 0xFF
    read_rows_before_damage(open_bundle(io.BytesIO(bytes(corrupt))))
