"""Splitting of text into grapheme clusters, which readers see as single characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

ZWJ = "\u200d"
ELLIPSIS = "…"
_VIRAMA = 9  # combining class of the signs that join two consonants
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)
_REGIONAL = range(0x1F1E6, 0x1F200)
# Leading consonants, vowels and trailing consonants of Korean syllables.
_JAMO = (range(0x1100, 0x1160), range(0x1160, 0x11A8), range(0x11A8, 0x1200))


def shorten(text: str, most: int) -> str:
    """Shorten a text to at most ``most`` code points, including the “…” at the end.

    Vowel signs stay with their letters, and emoji are not divided.
    """
    if len(text) <= most:
        return text
    start = ""
    for cluster in split_clusters(text):
        if len(start) + len(cluster) > most - len(ELLIPSIS):
            break
        start += cluster
    return start.rstrip() + ELLIPSIS


def split_clusters(text: str) -> Iterator[str]:
    """Yield the grapheme clusters of a text, as defined by Unicode Annex 29.

    In addition, letters that an Indic script joins into one shape are not divided.
    """
    cluster = ""
    for c in text:
        if cluster and not _continues_cluster(cluster, c):
            yield cluster
            cluster = ""
        cluster += c
    if cluster:
        yield cluster


def _continues_cluster(cluster: str, c: str) -> bool:
    last = cluster[-1]
    if unicodedata.category(c)[0] == "M" or c in "\u200c\u200d":
        return True
    if ord(c) in _SKIN_TONES or ord(c) in _TAGS:
        return True
    if ord(c) in _REGIONAL:
        return len(cluster) == 1 and ord(last) in _REGIONAL
    if last == ZWJ and is_pictograph(c):
        return True
    return _joins_consonants(cluster, c) or _joins_jamo(last, c) or (last + c) == "\r\n"


def _joins_consonants(cluster: str, c: str) -> bool:
    ends = cluster.rstrip("\u200c\u200d")[-1:]
    return bool(ends) and unicodedata.combining(ends) == _VIRAMA and unicodedata.category(c) == "Lo"


def _joins_jamo(last: str, c: str) -> bool:
    initial, vowel, final = _JAMO
    syllable = ord(last) - 0xAC00 if "가" <= last <= "힣" else None
    if ord(c) in initial:
        return ord(last) in initial
    if ord(c) in vowel:
        open_syllable = syllable is not None and syllable % 28 == 0
        return ord(last) in initial or ord(last) in vowel or open_syllable
    if ord(c) in final:
        return ord(last) in vowel or ord(last) in final or syllable is not None
    return False


def is_pictograph(c: str) -> bool:
    """Return whether this character can form emoji."""
    return unicodedata.category(c) == "So" or c in "↔↕▪▫◽◾♀♂"
