"""The archive of a workbook. Its parts are unpacked and parsed in pieces, within limits.

A few bytes can declare millions of rows, ranges and elements. The total size is therefore checked
before any part is unpacked, and only the data needed for a list is kept.
"""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from xml.parsers import expat

from games.rules.text import _
from tournament.pure.lists.sheets import MAX_UNPACKED, FileCode, ReadingBudget, RefusedFileError

PIECE = 1 << 16
# With each piece, an unfinished tag or comment is parsed from its beginning again.
MAX_TAG = 1 << 18
MAX_PARTS = 1000
# The parser remembers all open elements. In a list, there are fewer than ten at a time.
MAX_DEPTH = 100
# Tags in real workbooks have few attributes.
MAX_ATTRIBUTES = 200

# Errors that zipfile and its codecs raise for a damaged archive.
_READ_ERRORS = (
    zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, EOFError, OSError, ValueError,
    NotImplementedError, LookupError,
)  # fmt: skip

Start = Callable[[str, Mapping[str, str]], None]


def make_damaged_error() -> RefusedFileError:
    """Return the error for a damaged workbook."""
    return RefusedFileError(
        FileCode.DAMAGED,
        _("The workbook is damaged. Open it and save it again as .xlsx or CSV UTF-8."),
    )


class Archive:
    """The parts of a workbook. Names of parts are compared in a normalized form."""

    def __init__(self, data: bytes, budget: ReadingBudget) -> None:
        self.budget = budget
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            self._parts = {normalize_part(part.filename): part for part in self._zip.infolist()}
        except _READ_ERRORS as error:
            raise make_damaged_error() from error
        if not all(0 <= part.header_offset < len(data) for part in self._parts.values()):
            raise make_damaged_error()
        self._check_size()

    def _check_size(self) -> None:
        parts = self._zip.infolist()
        unpacked = sum(part.file_size for part in parts)
        if unpacked > MAX_UNPACKED or len(parts) > MAX_PARTS:
            text = _(
                "Unpacked, the workbook is {size} MB in {parts} parts; the limit is {most} MB "
                "and 1,000 parts. Save only the list, as CSV UTF-8."
            )
            size, most = f"{unpacked / 1e6:.0f}", MAX_UNPACKED // 1_000_000
            raise RefusedFileError(
                FileCode.TOO_BIG, text.format(size=size, parts=len(parts), most=most)
            )

    @property
    def names(self) -> list[str]:
        """The normalized names of all parts."""
        return list(self._parts)

    def has_part(self, name: str) -> bool:
        return normalize_part(name) in self._parts

    def parse(
        self,
        name: str,
        start: Start,
        end: Callable[[str], None] | None = None,
        text: Callable[[str], None] | None = None,
    ) -> None:
        """Parse a part of the workbook.

        * `start`: called with the local name and the attributes of each element.
        * `end`: called with the local name of each element.
        * `text`: called with each piece of text.

        Raises RefusedFileError if the part is damaged, exceeds a limit or declares entities.
        """
        part = self._parts.get(normalize_part(name))
        if part is None:
            raise make_damaged_error()
        parser = _make_parser(start, end, text)
        try:
            with self._zip.open(part) as stream:
                while piece := stream.read(PIECE):
                    parser.Parse(piece, False)
                    _check_unfinished_tag(stream.tell() - parser.CurrentByteIndex)
                    self.budget.check()
            parser.Parse(b"", True)
        except RefusedFileError:
            raise
        except (expat.ExpatError, *_READ_ERRORS) as error:
            raise make_damaged_error() from error


def _make_parser(
    start: Start, end: Callable[[str], None] | None, text: Callable[[str], None] | None
) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    names: dict[str, str] = {}
    depth = 0

    def local_name(tag: str) -> str:
        local = names.get(tag)
        if local is None:
            local = names[tag] = tag.rpartition(":")[2]
            _check_name_count(names)
        return local

    def start_element(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH or len(attributes) > MAX_ATTRIBUTES:
            raise _make_excess_error()
        start(local_name(tag), attributes)

    def end_element(tag: str) -> None:
        nonlocal depth
        depth -= 1
        if end is not None:
            end(local_name(tag))

    parser.StartElementHandler = start_element
    parser.EndElementHandler = end_element
    if text is not None:
        parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse_entities
    parser.EntityDeclHandler = _refuse_entities
    return parser


def _check_name_count(names: Mapping[str, str]) -> None:
    if len(names) > 1000:
        raise _make_excess_error()


def _make_excess_error() -> RefusedFileError:
    return RefusedFileError(
        FileCode.TOO_BIG,
        _("The workbook has too many elements that no list needs. Save only the list, as CSV."),
    )


def _refuse_entities(*_declared: object) -> None:
    raise RefusedFileError(
        FileCode.ENTITIES,
        _("The workbook declares XML entities, which no list needs. Save it again."),
    )


def _check_unfinished_tag(unfinished: int) -> None:
    if unfinished > MAX_TAG:
        raise RefusedFileError(
            FileCode.TOO_BIG,
            _("The workbook contains a tag that is never closed. Save only the list of students."),
        )


def normalize_part(name: str) -> str:
    r"""Normalize the name of a part, for example \XL\Workbook.xml to xl/workbook.xml."""
    return posixpath.normpath(name.replace("\\", "/")).lstrip("/").lower()


def resolve_target(part: str, target: str) -> str:
    """Return the name of the part to which `target`, a reference in another part, leads."""
    target = target.replace("\\", "/")
    return normalize_part(posixpath.join("/", posixpath.dirname(part), target))
