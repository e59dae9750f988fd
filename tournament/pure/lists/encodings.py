"""Detection of the encoding of a text file that is not UTF-8."""

from __future__ import annotations

import unicodedata

# Python's names of the encodings, and the names that programs display. Of equally likely
# encodings, the first is chosen.
_ENCODINGS = (
    ("cp1252", "Windows-1252"), ("cp1251", "Windows-1251"), ("cp1250", "Windows-1250"),
    ("mac_roman", "Mac Roman"), ("cp1253", "Windows-1253"), ("cp1254", "Windows-1254"),
    ("cp1256", "Windows-1256"), ("cp1255", "Windows-1255"), ("shift_jis", "Shift-JIS"),
    ("gb18030", "GB18030"), ("big5", "Big5"), ("euc_kr", "EUC-KR"), ("tis_620", "TIS-620"),
    ("cp850", "DOS 850"), ("koi8_u", "KOI8-U"), ("cp866", "DOS 866"),
)  # fmt: skip
_SAMPLE = 20_000
_MOST_SAMPLED = 4_000
# If no encoding has at least this rate, Windows-1252 is chosen.
_LEAST_RATE = 0.55
# Letters that are common in names, by encoding.
_COMMON = {
    "cp1252": "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßÀÁÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÜœŒšŠžŽ’“”–",
    "mac_roman": "àáâãäåæçèéêëìíîïñòóôõöøùúûüÿßÀÁÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÜ",
    "cp1250": "áčďéěíňóřšťúůýžąćęłńóśźżőűŁŚŻŹČŠŽŘÁÉÍÓÖÜÚöüäß",
    "cp1254": "çğıöşüÇĞİÖŞÜâîû",
    "cp850": "àáâäåçèéêëìíîïñòóôöùúûüÄÅÉÑÖÜ",
}


def guess_encoding(data: bytes) -> tuple[str, str]:
    """Return the name in Python and the usual name of the most likely encoding."""
    sample = b"\n".join(line for line in data[:_SAMPLE].split(b"\n") if not line.isascii())
    sample = (sample or data)[:_MOST_SAMPLED]
    rates = {each: _rate_encoding(sample, each[0]) for each in _ENCODINGS}
    best = max(_ENCODINGS, key=lambda each: rates[each])
    return best if rates[best] >= _LEAST_RATE else _ENCODINGS[0]


def _rate_encoding(sample: bytes, encoding: str) -> float:
    """Return the likelihood, from 0 to 1, that the sample consists of names in this encoding."""
    text = _decode_start(sample, encoding)
    non_ascii = [character for character in text if not character.isascii()]
    if not non_ascii:
        # If no encoding fits the bytes, Windows-1252 is chosen, so that the file is refused later.
        return 0.01 if encoding == "cp1252" else 0.0
    likely = sum(
        _rate_character(text, index, encoding)
        for index, character in enumerate(text)
        if not character.isascii()
    )
    # The divisor is the number of characters. Dividing by bytes would favour two characters of one
    # byte over one character of two bytes.
    return likely / len(non_ascii)


def _decode_start(sample: bytes, encoding: str) -> str:
    try:
        return sample.decode(encoding)
    except UnicodeDecodeError as error:
        # The sample may end in the middle of a character.
        cut = len(sample) == _MOST_SAMPLED and error.start > _MOST_SAMPLED - 4
        return sample[: error.start].decode(encoding) if cut else ""


def _rate_character(text: str, index: int, encoding: str) -> float:
    character = text[index]
    common = _COMMON.get(encoding)
    if common is not None:
        before = text[index - 1 : index]
        # A capital after a lower-case letter suggests another encoding.
        misplaced_capital = character.isupper() and before.islower()
        # In names in Latin script, letters with accents are usually next to plain letters.
        around = before + text[index + 1 : index + 2]
        surrounded = len(around) == 2 and not any(map(str.isascii, around))
        return (character in common) * (0.3 if misplaced_capital or surrounded else 0.9)
    if unicodedata.category(character)[0] not in "LM":
        return 0.2 if character in "’‘“”–—、。" else 0.0
    script = unicodedata.name(character, "").split(" ")[0]
    if character.isupper() and text[index - 1 : index].islower():
        return 0.1
    neighbours = [
        neighbour
        for neighbour in (text[index - 1 : index], text[index + 1 : index + 2])
        if neighbour and neighbour.isalpha()
    ]
    same_script = all(
        unicodedata.name(neighbour, "").split(" ")[0] == script for neighbour in neighbours
    )
    return _rate_script(character, script, encoding) * (1.0 if same_script and neighbours else 0.3)


# The script of each encoding, and the most frequent letters of the script.
_SCRIPTS = {
    **dict.fromkeys(("cp1251", "koi8_u", "cp866"), ("CYRILLIC", "аеионтсрвлкмя")),
    "cp1253": ("GREEK", "αοιετσνηρςκάόίέλμπ"),
    "cp1255": ("HEBREW", "יוהלאמרנתב"), "cp1256": ("ARABIC", "املنيرتدوهحبعس"),
    "tis_620": ("THAI", "ารนกสมอย่้ิีัวท"), "euc_kr": ("HANGUL", "김이박최정민수영희지현준서은하"),
}  # fmt: skip


def _rate_script(character: str, script: str, encoding: str) -> float:
    if encoding in _SCRIPTS:
        name, frequent = _SCRIPTS[encoding]
        return (0.95 if character.casefold() in frequent else 0.5) * (script == name)
    if encoding == "shift_jis":
        return {"HIRAGANA": 1.0, "KATAKANA": 1.0, "CJK": 0.9}.get(script, 0.0)
    # Rare ideographs suggest another encoding.
    is_common = "\u4e00" <= character <= "\u9fff"
    level = {"gb18030": "gb2312", "big5": "big5"}.get(encoding, encoding)
    return 0.85 if is_common and _is_common_ideograph(character, level) else 0.0


def _is_common_ideograph(character: str, encoding: str) -> bool:
    try:
        lead = character.encode(encoding)[0]
    except UnicodeEncodeError:
        return False
    # Level 1 of GB 2312 and of Big5 contains the more common characters.
    return lead <= (0xD7 if encoding == "gb2312" else 0xC6)
