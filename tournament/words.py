"""Small parts of sentences."""

from collections.abc import Sequence


def listed(parts: Sequence[object]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    texts = [str(part) for part in parts]
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


def counted(number: int, noun: str) -> str:
    """`1 table`, `2 tables`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
