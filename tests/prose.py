"""Sentence lengths of Markdown pages: `python -m tests.prose [FILE …]`.

Sentences are counted in paragraphs, list items and table cells. Headings, code blocks, comments,
and texts of fewer than four words are ignored. A code span counts as one word, and a link as its
text.
"""

import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
MEDIAN, NINETIETH, LONGEST = 16, 28, 40  # maximum sentence lengths in words
MIN_WORDS = 4  # a shorter text is a label

_NO_PROSE = re.compile(r"```.*?```|<!--.*?-->|^#+ .*?$|^\|[ :|-]+\|$", re.DOTALL | re.MULTILINE)
_ITEM = re.compile(r"^\s*(?:[-*·]|\d+\.|>)\s+", re.MULTILINE)
# The full stop of an abbreviation does not end a sentence.
_ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|No|v|p)\.(?=\s)")
_END = re.compile(r" · |(?<=[.!?])[”\")*_]*\s+(?=[\"“(`*_\[]*[A-Z0-9`])")


class Measure(NamedTuple):
    """Number of sentences on a page, and figures about their lengths in words."""

    sentences: int
    median: float
    ninetieth: int
    longest: int
    longest_sentence: str


def iter_sentences(markdown: str) -> Iterator[str]:
    """Yield the sentences of a page, without markup."""
    for block in re.split(r"\n[ \t]*\n", _NO_PROSE.sub("\n\n", markdown)):
        if all(line.startswith("    ") for line in block.splitlines()):
            continue  # an indented code block
        for paragraph in _iter_paragraphs(block):
            text = _ABBREVIATIONS.sub(lambda match: match[0][:-1], _strip_markup(paragraph))
            split = map(str.strip, _END.split(text))
            yield from (one for one in split if word_count(one) >= MIN_WORDS)


def word_count(sentence: str) -> int:
    """Count the words that contain a letter or a digit."""
    return sum(any(sign.isalnum() for sign in word) for word in sentence.split())


def measure_sentences(markdown: str) -> Measure:
    """Measure the sentences of a page. Without sentences, all lengths are 0."""
    counted = sorted((word_count(one), one) for one in iter_sentences(markdown)) or [(0, "")]
    counts = [count for count, _sentence in counted]
    ninetieth = counts[min(len(counts) - 1, round(len(counts) * 0.9))]
    return Measure(len(counts), statistics.median(counts), ninetieth, *counted[-1])


def list_exceeded_limits(markdown: str) -> list[str]:
    """Return a sentence for each limit that the page exceeds."""
    page = measure_sentences(markdown)
    broken = []
    if page.median > MEDIAN:
        broken.append(f"half of the sentences have more than {MEDIAN} words ({page.median:g})")
    if page.ninetieth > NINETIETH:
        broken.append(f"one in ten has more than {NINETIETH} words ({page.ninetieth})")
    if page.longest > LONGEST:
        broken.append(f"one has {page.longest} words: {page.longest_sentence}")
    return broken


def _iter_paragraphs(block: str) -> Iterator[str]:
    """Yield the paragraphs, list items and table cells of a block."""
    if block.lstrip().startswith("|"):
        for row in block.splitlines():
            yield from re.split(r"(?<!\\)\|", row)
    else:
        yield from _ITEM.split(block)


def _strip_markup(text: str) -> str:
    text = re.sub(r"`[^`]*`", "Code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(re.sub(r"<[^>]+>|\*\*|__", " ", text).split())


def main(arguments: list[str]) -> int:
    """Print the figures for these pages, or for all pages, and return the exit status."""
    paths = [Path(name) for name in arguments] or DOCUMENTS
    for path in paths:
        page = measure_sentences(path.read_text())
        figures = f"{page.sentences:4} sentences, median {page.median:g}, 90 % {page.ninetieth}"
        print(f"{path.name:24} {figures}, longest {page.longest}: {page.longest_sentence}")
        for line in list_exceeded_limits(path.read_text()):
            print(f"    {line}")
    return int(any(list_exceeded_limits(path.read_text()) for path in paths))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
