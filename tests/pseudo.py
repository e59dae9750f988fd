"""Pseudo-language for tests: each text gets accents and is made 40 % longer.

On a page in this language, plain English reveals texts that cannot be translated, and overflow
reveals elements without room for longer translations. The catalogues contain the texts of the
project, Django and allauth.
"""

import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import allauth
import django
import polib

from tests import catalogues

LANGUAGE = "xx"
LANGUAGE_INFO = {"bidi": False, "code": LANGUAGE, "name": "Pseudo", "name_local": "⟦Þšéûðö⟧"}
EXTRA_LENGTH = 0.4

ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ",
)
# Placeholders in % format and in braces, tags, entities and URLs.
UNTRANSLATED_PARTS = re.compile(
    r"%\(\w+\)[a-z]|%[a-z%]|\{[^{}]*\}|<[^<>]*>|&\w+;|&#\w+;|https?://\S+", re.IGNORECASE
)
FILLER = "öñé ţŵö ţĥŕéé ƒöûŕ "


def translate_to_pseudo(text: str) -> str:
    """Return the text in the pseudo-language.

    Line breaks at the start and the end are kept, as gettext requires.
    """
    core = text.strip("\n")
    before, _, after = text.partition(core) if core else (text, "", "")
    return f"{before}⟦{_add_accents(core)}{_make_filler(core)}⟧{after}"


def _add_accents(text: str) -> str:
    kept = [*UNTRANSLATED_PARTS.findall(text), ""]
    plain = UNTRANSLATED_PARTS.split(text)
    pairs = zip(plain, kept, strict=True)
    return "".join(part.translate(ACCENTS) + placeholder for part, placeholder in pairs)


def _make_filler(text: str) -> str:
    """Return the filler that makes the text 40 % longer.

    If the text contains spaces, so does the filler.
    """
    length = math.ceil(EXTRA_LENGTH * len(UNTRANSLATED_PARTS.sub("", text)))
    filling = FILLER if " " in text.strip() else FILLER.replace(" ", "")
    space = " " if " " in text.strip() else ""
    return (space + filling * (length // len(filling) + 1))[:length].rstrip()


def build_catalogues(folder: Path) -> Path:
    """Build the pseudo-language's catalogues in the folder, and return a path for LOCALE_PATHS."""
    own = catalogues.extract_texts()
    for domain in catalogues.DOMAINS:
        catalogue = polib.POFile()
        catalogue.metadata = {
            "Content-Type": "text/plain; charset=utf-8",
            "Plural-Forms": "nplurals=2; plural=(n != 1);",
        }
        catalogue += _translate_entries([*own[domain], *iter_library_texts(domain)])
        path = folder / LANGUAGE / "LC_MESSAGES" / f"{domain}.mo"
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue.save_as_mofile(str(path))
    return folder


def iter_library_texts(domain: str) -> Iterator[polib.POEntry]:
    """Yield the English source texts of Django, its admin and other apps, and allauth."""
    for library in (django, allauth):
        root = Path(library.__path__[0])
        for path in sorted(root.rglob(f"locale/en/LC_MESSAGES/{domain}.po")):
            yield from polib.pofile(str(path))


def _translate_entries(entries: Iterable[polib.POEntry]) -> Iterator[polib.POEntry]:
    seen: set[tuple[str | None, str]] = set()
    for entry in entries:
        key = entry.msgctxt, entry.msgid
        if key not in seen and not entry.obsolete:
            seen.add(key)
            yield _make_entry(entry)


def _make_entry(entry: polib.POEntry) -> polib.POEntry:
    if not entry.msgid_plural:
        return polib.POEntry(
            msgctxt=entry.msgctxt, msgid=entry.msgid, msgstr=translate_to_pseudo(entry.msgid)
        )
    forms = {0: translate_to_pseudo(entry.msgid), 1: translate_to_pseudo(entry.msgid_plural)}
    return polib.POEntry(
        msgctxt=entry.msgctxt,
        msgid=entry.msgid,
        msgid_plural=entry.msgid_plural,
        msgstr_plural=forms,
    )
