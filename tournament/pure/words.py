"""Helpers for building sentences."""

from collections.abc import Iterator, Sequence
from itertools import count, groupby

from games.rules.text import _


def join_words(parts: Sequence[object]) -> str:
    """Join parts of a sentence: `a`, `a and b`, `a, b and c`."""
    texts = [str(part) for part in parts]
    if len(texts) < 2:
        return "".join(texts)
    return _("{first} and {last}").format(first=", ".join(texts[:-1]), last=texts[-1])


def ordinal(number: int) -> str:
    """Return the ordinal of a number, such as `1st`, `2nd`, `3rd` or `11th`."""
    texts = {1: _("{n}st"), 2: _("{n}nd"), 3: _("{n}rd")}
    last = 0 if 10 < number % 100 < 20 else number % 10
    return (texts.get(last) or _("{n}th")).format(n=number)


def number_ranges(numbers: Sequence[int]) -> list[str]:
    """Group ascending numbers into ranges, such as `1–3`, `5`.

    A range has at least three numbers.
    """
    return list(_iterate_ranges(numbers))


def _iterate_ranges(numbers: Sequence[int]) -> Iterator[str]:
    steps = count()
    for _start, run in groupby(numbers, key=lambda number: number - next(steps)):
        members = list(run)
        if len(members) < 3:
            yield from map(str, members)
        else:
            yield f"{members[0]}–{members[-1]}"
