"""A workbook's archive, looked at before openpyxl makes objects of what is in it.

A few bytes can declare rows, ranges and elements by the million. All parts are counted by the
parser that openpyxl uses itself, so that both see the same, and nothing is kept of them.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from games.rules.text import _
from tournament.pure.lists.sheets import (
    MAX_CELLS,
    MAX_ROWS,
    MAX_UNPACKED,
    FileCode,
    RefusedFileError,
    check_extent,
)

PIECE = 1 << 16
# A tag or a comment that is longer is parsed again from its beginning with each further piece.
MAX_TAG = 1 << 18

# zipfile and the modules it calls raise these for changed or missing bytes.
_TORN = (
    zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, EOFError, OSError, ValueError,
)  # fmt: skip

# A long list has many of these; for every other element openpyxl creates an object with checked
# attributes.
_TEXTS = {"row", "c", "v", "f", "is", "si", "t", "r"}


@dataclass
class SheetInfo:
    """Properties of a sheet other than its cells."""

    merged: list[str] = field(default_factory=list)
    hidden_rows: bool = False


def look_into(data: bytes) -> dict[str, SheetInfo]:
    """Inspect every part of a workbook, by its name.

    Nothing is unpacked before its size is known.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _TORN as error:
        raise RefusedFileError(
            FileCode.DAMAGED, _("The workbook is damaged. Save it again.")
        ) from error
    _check_directory(archive.infolist())
    others: Counter[str] = Counter()
    return {part.filename: _look(archive, part, others) for part in archive.infolist()}


def _check_directory(parts: list[zipfile.ZipInfo]) -> None:
    names = {part.filename.lower() for part in parts}
    if any(name.endswith("vbaproject.bin") for name in names):
        raise RefusedFileError(
            FileCode.MACROS,
            _("The workbook contains macros (.xlsm). Save it as .xlsx or as CSV UTF-8."),
        )
    if "xl/workbook.xml" not in names:
        raise RefusedFileError(
            FileCode.OTHER_FORMAT,
            _("This is not an Excel workbook. Save the list as .xlsx or as CSV UTF-8."),
        )
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MAX_UNPACKED or len(parts) > 1000:
        text = _(
            "Unpacked, the workbook is {size} MB in {parts} parts; the limit is {most} MB "
            "and 1,000 parts. Save only the list, as CSV UTF-8."
        )
        size, most = f"{unpacked / 1e6:.0f}", MAX_UNPACKED // 1_000_000
        raise RefusedFileError(
            FileCode.TOO_BIG, text.format(size=size, parts=len(parts), most=most)
        )


def _look(archive: zipfile.ZipFile, part: zipfile.ZipInfo, others: Counter[str]) -> SheetInfo:
    """Inspect a part of the workbook and count its elements.

    Raises RefusedFileError for too many elements, or if bytes are missing.
    """
    counting = _ElementCounter(others)
    parser = DefusedXMLParser(target=counting)
    try:
        with archive.open(part) as stream:
            while piece := stream.read(PIECE):
                parser.feed(piece)
                _check_tag(stream.tell() - parser.parser.CurrentByteIndex)
    except RefusedFileError:
        raise
    except (ParseError, DefusedXmlException):
        pass  # a picture, or XML that openpyxl refuses too: it reads no further than this
    except _TORN as error:
        raise RefusedFileError(
            FileCode.DAMAGED, _("The workbook is damaged. Save it again.")
        ) from error
    return counting.look


def _check_tag(unfinished: int) -> None:
    if unfinished > MAX_TAG:
        raise RefusedFileError(
            FileCode.TOO_BIG,
            _("The workbook contains a tag that is never closed. Save only the list of students."),
        )


class _ElementCounter:
    """Counts a part's elements. `others` is the same for all parts."""

    def __init__(self, others: Counter[str]) -> None:
        self.look = SheetInfo()
        self.texts: Counter[str] = Counter()
        self.others = others
        self.row = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = tag.rpartition("}")[2]
        counts, key = (self.texts, name) if name in _TEXTS else (self.others, "")
        # A rule for drop-down lists or colours names its ranges in one attribute.
        counts[key] += 1 + len(attributes.get("sqref", "")) // 4
        if name == "row":
            self._start_row(attributes)
        elif name == "mergeCell":
            self.look.merged.append(attributes.get("ref", ""))
        if counts[key] > MAX_CELLS:
            raise RefusedFileError(
                FileCode.TOO_BIG,
                _("The workbook has too many cells. Save only the list of students."),
            )

    def end(self, tag: str) -> None:
        """Every element counts where it begins."""

    def _start_row(self, attributes: Mapping[str, str]) -> None:
        if self.texts["row"] > MAX_ROWS:
            check_extent(MAX_ROWS + 1, 0)
        self.look.hidden_rows |= attributes.get("hidden", "") in ("1", "true")
        number = attributes.get("r", "")
        self._check_order(int(number) if number.isdecimal() else self.row + 1)

    def _check_order(self, number: int) -> None:
        """Of rows that are out of order some would be passed over without a word."""
        if number <= self.row:
            text = _(
                "In the workbook, row {row} comes after row {before}. Open it and save it "
                "again as .xlsx or CSV UTF-8."
            )
            raise RefusedFileError(FileCode.DAMAGED, text.format(row=number, before=self.row))
        self.row = number
