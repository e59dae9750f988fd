"""Locations of the sheets, texts and formats of a workbook in Open XML, strict or transitional.

Parts are found by their relations and types, because not all programs name them as Excel does.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

from games.rules.text import _
from tournament.pure.lists.archives import Archive, make_damaged_error, resolve_target
from tournament.pure.lists.number_formats import BUILT_IN
from tournament.pure.lists.sheets import FileCode, RefusedFileError
from tournament.pure.texts import clean_text

MAX_STYLES = 20_000


@dataclass
class Relation:
    """A reference from one part of a workbook to another.

    * `kind`: the last word of the reference's type.
    * `target`: the name of the other part.
    """

    kind: str
    target: str


@dataclass
class SheetEntry:
    """A sheet of a workbook, and the name of its part."""

    title: str
    part: str
    hidden: bool


@dataclass
class Package:
    """The parts of a workbook.

    * `sheets`: its sheets, including hidden ones.
    * `texts`: the name of the part with the shared texts, or "".
    * `formats`: the number format of each cell style.
    """

    sheets: list[SheetEntry] = field(default_factory=list)
    texts: str = ""
    formats: list[str] = field(default_factory=list)


def read_package(archive: Archive) -> Package:
    """Find the parts of a workbook. Raises RefusedFileError if the archive is not a workbook."""
    if any(name.endswith("vbaproject.bin") for name in archive.names):
        raise RefusedFileError(
            FileCode.MACROS,
            _("The workbook contains macros (.xlsm). Save it as .xlsx or as CSV UTF-8."),
        )
    book = _find_workbook(archive)
    relations = _read_relations(archive, book)
    package = Package(_list_sheets(archive, book, relations))
    by_kind = {each.kind: each.target for each in relations.values()}
    package.texts = by_kind.get("sharedStrings", "")
    if styles := by_kind.get("styles"):
        package.formats = _read_formats(archive, styles) if archive.has_part(styles) else []
    return package


def _find_workbook(archive: Archive) -> str:
    for relation in _read_relations(archive, "").values():
        if relation.kind == "officeDocument" and archive.has_part(relation.target):
            if relation.target.endswith(".bin"):
                raise _make_other_format_error(_("This is a binary Excel workbook (.xlsb)."))
            if _is_workbook(archive, relation.target):
                return relation.target
    part = _find_by_type(archive) or "xl/workbook.xml"
    if not archive.has_part(part):
        if archive.has_part("content.xml"):
            raise _make_other_format_error(_("This is an OpenDocument file (.ods)."))
        raise _make_other_format_error(_("This is not an Excel workbook."))
    return part


def _make_other_format_error(problem: str) -> RefusedFileError:
    advice = _("Save the list as .xlsx or as CSV UTF-8.")
    return RefusedFileError(FileCode.OTHER_FORMAT, f"{problem} {advice}")


def _is_workbook(archive: Archive, part: str) -> bool:
    """Return whether a main part belongs to a workbook and not, for example, a text document."""
    roots: list[str] = []
    archive.parse(part, lambda tag, _attributes: roots.append(tag) if not roots else None)
    return roots == ["workbook"]


def _find_by_type(archive: Archive) -> str:
    parts: list[str] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "Override" and "sheet.main+xml" in attributes.get("ContentType", ""):
            parts.append(resolve_target("", attributes.get("PartName", "")))

    if archive.has_part("[Content_Types].xml"):
        archive.parse("[Content_Types].xml", start)
    return next((part for part in parts if archive.has_part(part)), "")


def _read_relations(archive: Archive, part: str) -> dict[str, Relation]:
    folder, name = posixpath.split(part)
    by_id: dict[str, Relation] = {}

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        is_external = attributes.get("TargetMode", "").lower() == "external"
        if tag == "Relationship" and not is_external:
            kind = attributes.get("Type", "").rpartition("/")[2]
            target = resolve_target(part, attributes.get("Target", ""))
            by_id[attributes.get("Id", "")] = Relation(kind, target)

    relations = posixpath.join(folder, "_rels", f"{name}.rels")
    if archive.has_part(relations):
        archive.parse(relations, start)
    return by_id


def _list_sheets(
    archive: Archive, book: str, relations: Mapping[str, Relation]
) -> list[SheetEntry]:
    sheets: list[SheetEntry] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        if tag != "sheet":
            return
        key = next((text for name, text in attributes.items() if name.endswith(":id")), "")
        relation = relations.get(key)
        if relation and relation.kind in ("worksheet", "sheet"):
            hidden = attributes.get("state", "visible") != "visible"
            title = clean_text(attributes.get("name", "")[:100])
            sheets.append(SheetEntry(title, relation.target, hidden))

    archive.parse(book, start)
    if not sheets or not all(archive.has_part(sheet.part) for sheet in sheets):
        raise make_damaged_error()
    return sheets


def _read_formats(archive: Archive, part: str) -> list[str]:
    codes = dict(BUILT_IN)
    styles: list[int] = []
    open_tags: list[str] = []

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        open_tags.append(tag)
        if tag == "numFmt" and open_tags[-2:-1] == ["numFmts"]:
            codes[_parse_whole(attributes.get("numFmtId", ""))] = attributes.get("formatCode", "")
        elif tag == "xf" and open_tags[-2:-1] == ["cellXfs"] and len(styles) < MAX_STYLES:
            styles.append(_parse_whole(attributes.get("numFmtId", "0")))

    def end(_tag: str) -> None:
        open_tags.pop()

    archive.parse(part, start, end)
    return [codes.get(number, "General") for number in styles]


def _parse_whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else 0
