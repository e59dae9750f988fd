"""The encoding of a text file that is not UTF-8, guessed from its bytes."""

from __future__ import annotations

import unicodedata

# In the order in which equally likely ones are taken. Names are those that programs show.
_ENCODINGS = (
    ("cp1252", "Windows-1252"), ("cp1251", "Windows-1251"), ("cp1250", "Windows-1250"),
    ("mac_roman", "Mac Roman"), ("cp1253", "Windows-1253"), ("cp1254", "Windows-1254"),
    ("cp1256", "Windows-1256"), ("cp1255", "Windows-1255"), ("shift_jis", "Shift-JIS"),
    ("gb18030", "GB18030"), ("big5", "Big5"), ("euc_kr", "EUC-KR"), ("tis_620", "TIS-620"),
    ("cp850", "DOS 850"),
)  # fmt: skip
_SAMPLE = 20_000
_LONGEST = 4_000
# Below this rate, the file is read as Windows-1252, or refused.
_SURE = 0.55
# Letters that common names are written with, by encoding.
_COMMON = {
    "cp1252": "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßÀÁÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÜœŒšŠžŽ’“”–",
    "mac_roman": "àáâãäåæçèéêëìíîïñòóôõöøùúûüÿßÀÁÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÜ",
    "cp1250": "áčďéěíňóřšťúůýžąćęłńóśźżőűŁŚŻŹČŠŽŘÁÉÍÓÖÜÚöüäß",
    "cp1254": "çğıöşüÇĞİÖŞÜâîû",
    "cp850": "àáâäåçèéêëìíîïñòóôöùúûüÄÅÉÑÖÜ",
}


def guess_encoding(data: bytes) -> tuple[str, str]:
    """Return the most likely encoding, by Python's name and its usual name."""
    sample = b"\n".join(line for line in data[:_SAMPLE].split(b"\n") if not line.isascii())
    sample = (sample or data)[:_LONGEST]
    rates = {each: _rate(sample, each[0]) for each in _ENCODINGS}
    best = max(_ENCODINGS, key=lambda each: rates[each])
    return best if rates[best] >= _SURE else _ENCODINGS[0]


def _rate(sample: bytes, encoding: str) -> float:
    """Rate from 0 to 1 how much a sample looks like names in an encoding."""
    text = _decode_start(sample, encoding)
    foreign = [c for c in text if not c.isascii()]
    if not foreign:
        # Bytes that are nothing in any encoding are refused as those of the usual one.
        return 0.01 if encoding == "cp1252" else 0.0
    likely = sum(_is_likely(text, at, encoding) for at, c in enumerate(text) if not c.isascii())
    # One character of two bytes says more than two of one.
    return likely / len(foreign)


def _decode_start(sample: bytes, encoding: str) -> str:
    try:
        return sample.decode(encoding)
    except UnicodeDecodeError as error:
        # The sample may end within a character.
        cut = len(sample) == _LONGEST and error.start > _LONGEST - 4
        return sample[: error.start].decode(encoding) if cut else ""


def _is_likely(text: str, at: int, encoding: str) -> float:
    c = text[at]
    common = _COMMON.get(encoding)
    if common is not None:
        before = text[at - 1 : at]
        # A capital within a word of small letters is a sign of the wrong encoding.
        odd = c.isupper() and before.islower()
        return (c in common) * (0.3 if odd else 0.9)
    if unicodedata.category(c)[0] not in "LM":
        return 0.2 if c in "’‘“”–—、。" else 0.0
    script = unicodedata.name(c, "").split(" ")[0]
    if c.isupper() and text[at - 1 : at].islower():
        return 0.1
    neighbours = [n for n in (text[at - 1 : at], text[at + 1 : at + 2]) if n and n.isalpha()]
    together = all(unicodedata.name(n, "").split(" ")[0] == script for n in neighbours)
    return _rate_script(c, script, encoding) * (1.0 if together and neighbours else 0.3)


# The script of an encoding, and its most frequent letters.
_SCRIPTS = {
    "cp1251": ("CYRILLIC", "аеионтсрвлкмя"), "cp1253": ("GREEK", "αοιετσνηρςκάόίέλμπ"),
    "cp1255": ("HEBREW", "יוהלאמרנתב"), "cp1256": ("ARABIC", "املنيرتدوهحبعس"),
    "tis_620": ("THAI", "ารนกสมอย่้ิีัวท"), "euc_kr": ("HANGUL", "김이박최정민수영희지현준서은하"),
}  # fmt: skip


def _rate_script(c: str, script: str, encoding: str) -> float:
    if encoding in _SCRIPTS:
        name, frequent = _SCRIPTS[encoding]
        return (0.95 if c.casefold() in frequent else 0.5) * (script == name)
    if encoding == "shift_jis":
        return {"HIRAGANA": 1.0, "KATAKANA": 1.0, "CJK": 0.9}.get(script, 0.0)
    # Rare ideographs come from the bytes of another encoding.
    usual = "\u4e00" <= c <= "\u9fff"
    level = {"gb18030": "gb2312", "big5": "big5"}.get(encoding, encoding)
    return 0.85 if usual and _is_in(c, level) else 0.0


def _is_in(c: str, encoding: str) -> bool:
    try:
        lead = c.encode(encoding)[0]
    except UnicodeEncodeError:
        return False
    # The commoner half: level 1 of GB 2312 and of Big5.
    return lead <= (0xD7 if encoding == "gb2312" else 0xC6)
