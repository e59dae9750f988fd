"""Small parts of sentences. Pure."""

from collections.abc import Sequence

from games.rules.text import _


def listed(parts: Sequence[object]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    texts = [str(part) for part in parts]
    if len(texts) < 2:
        return "".join(texts)
    return _("{first} and {last}").format(first=", ".join(texts[:-1]), last=texts[-1])
