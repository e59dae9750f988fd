"""Event files: zip archives that contain a whole event, as a manifest and parts in JSON lines.

docs/moving-an-event.md describes the contents. Users upload these files, so they are not trusted.
Sizes are checked before contents, and each part must match its digest in the manifest.
"""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from games.rules.text import _
from tournament.pure.chain import Facts
from tournament.pure.codes import Code

FORMAT, VERSION = "lastcard event", 1
MANIFEST = "manifest.json"
# Unpacked sizes in bytes. An event with 120 players needs a tenth of MOST.
MOST, MOST_MANIFEST, MOST_LINE = 600_000_000, 1_000_000, 30_000_000
# Compressed size in bytes of an uploaded file. `manage.py import_event` accepts larger files.
MOST_UPLOADED = 20_000_000
_READ_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
)

# The fields of a row, as JSON values by name.
Fields = Facts


class InvalidBundleError(Exception):
    """Raised for a file that is not an event file or is damaged.

    * `code`: a stable code.
    * `sentence`: a message for the user.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def _make_damaged_error() -> InvalidBundleError:
    return InvalidBundleError(Code.DAMAGED, _("The file is damaged. Download it again."))


def _make_foreign_error() -> InvalidBundleError:
    return InvalidBundleError(Code.FOREIGN, _("This is not an event file."))


def write_bundle(
    out: IO[bytes], head: Fields, parts: Iterable[tuple[str, Iterable[Fields]]]
) -> None:
    """Write the rows of each part, then a manifest with `head` and the digests of the parts.

    `parts` yields pairs of a part's name and its rows.
    """
    part_info = {}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in parts:
            part_info[name] = _write_part(archive, name, rows)
        manifest = {"format": FORMAT, "version": VERSION, **head, "parts": part_info}
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))


def _write_part(archive: zipfile.ZipFile, name: str, rows: Iterable[Fields]) -> Fields:
    digest, count = hashlib.sha256(), 0
    with archive.open(f"{name}.jsonl", "w") as part:
        for row in rows:
            line = json.dumps(row, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            part.write(line)
            count += 1
    return {"rows": count, "sha256": digest.hexdigest()}


@dataclass(frozen=True)
class Bundle:
    """An opened event file. `head` is its manifest."""

    archive: zipfile.ZipFile
    head: Fields

    def rows(self, name: str) -> Iterator[Fields]:
        """Yield the rows of a part, or nothing if the file does not have it.

        Raises InvalidBundleError if the part is damaged. A wrong digest is found only after the
        last row.
        """
        part = self.head["parts"].get(name)
        if part is None:
            return
        digest = hashlib.sha256()
        try:
            with self.archive.open(f"{name}.jsonl") as lines:
                while line := lines.readline(MOST_LINE):
                    digest.update(line)
                    yield json.loads(line)
        except (*_READ_ERRORS, KeyError, ValueError, RecursionError) as error:
            raise _make_damaged_error() from error
        if digest.hexdigest() != part["sha256"]:
            raise _make_damaged_error()


def open_bundle(content: IO[bytes]) -> Bundle:
    """Open an event file and check its manifest, but not its parts.

    Raises InvalidBundleError with the code `damaged`, `foreign`, `newer` or `big`.
    """
    try:
        archive = zipfile.ZipFile(content)
        if sum(each.file_size for each in archive.infolist()) > MOST:
            raise InvalidBundleError(Code.BIG, _("The file is too large to be an event file."))
        manifest = archive.getinfo(MANIFEST)
        if manifest.file_size > MOST_MANIFEST:
            raise _make_foreign_error()
        head = json.loads(archive.read(MANIFEST))
    except KeyError as error:
        raise _make_foreign_error() from error
    except (*_READ_ERRORS, ValueError, RecursionError) as error:
        raise _make_damaged_error() from error
    _check_head(head)
    return Bundle(archive, head)


def _check_head(head: object) -> None:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise _make_foreign_error()
    if head.get("version") != VERSION:
        text = _("The file comes from a newer version of the site. Update this site first.")
        raise InvalidBundleError(Code.NEWER, text)
    texts = all(isinstance(head.get(name), str) for name in ("identity", "title", "slug", "head"))
    numbers = all(isinstance(head.get(name), int) for name in ("journey", "event"))
    if not (texts and numbers and isinstance(head.get("parts"), dict)):
        raise _make_foreign_error()
