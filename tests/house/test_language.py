"""Tests that texts of the site and the documents are in plain English.

The texts of the site come from the catalogues.
"""

import re
from pathlib import Path

import polib
import pytest

from tests import prose

pytestmark = pytest.mark.patient

ROOT = Path(__file__).resolve().parents[2]
BORROWED_MODULE = "borrowed.py"  # contains the texts of Django and allauth
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]

STRAIGHT_QUOTES = r"\w'\w|\""

# Patterns of awkward wording, each with better wordings.
HABITS = {
    r"(?:^|[.!?:;] )(?-i:Who|Whom|Whoever|Whatever|Whichever|What)\b(?!’s)[^?]*[.;!]": (
        "a relative clause as the subject: “The winner of the final …”, “A player who …”"
    ),
    r"\b(?:stands|stood) (?:here|there|still|under|below|above|in|on|at|beside|open|as)\b": (
        "“is”, “is listed”, “is frozen”"
    ),
    r"\bas it stands\b": "“currently”",
    r"\b(?:is|are|was|were|be|been) told\b": "say who sees or hears what",
    r"\bmeanwhile\b": "“while …”, or nothing",
    r"\bby now\b": "“now”, “already”",
    r"\b(?:not|no|never|nobody|nothing)\b[^.,;:!?]{0,40}\b(?:any more|anymore)\b": "“no longer”",
    r"\bof now\b": "“current”",
    r"\bnot else\b": "“only …”",
    r"\b(?:such a one|of that one|the same of|so many as|as many as that)\b": "name the thing",
    r"\b(?:somebody|whoever|whichever)\b": "“a player”, “someone”, “anyone who”",
    r"\bwhat (?:of it|is of)\b": "name the thing",
    r"\balready\.": "“is already …”",
}
DISCOURAGED_WORDS = {
    r"\be-mail|\bemails address": "“email”, “email address”",
    r"\b(?:a|the|this|that|each|every|your|our|no|one|last|first|new) mails?\b(?! server| task)": (
        "“email”"
    ),
    r"\b(?:go|goes|going|went|gone) through\b": "“advance”",
    r"\bknock-out": "“knockout”",
    r"\bwaiting list": "“waitlist”",
    r"\bwait list|\bwait-list": "“waitlist”",
    r"\babsentee": "“no-show”",
    r"\bsecond person\b": "“second organizer”",
    r"\btie ?breaks?\b(?<!tie-break)(?<!tie-breaks)": "“tie-break”",
    r"\bput out\b": "“eliminated”, “disqualified”",
    r"\bpoints off\b": "“points deducted”",
    r"\blog(?:ged|ging)? (?:in|out)\b|\blogins?\b": "“sign in”, “sign-in”",
    r"\b(?:color|favorite|center|canceled|gray|organis\w+|recognis\w+|practicing|practiced)\b": (
        "Oxford spelling"
    ),
    r"\bto practice\b": "“to practise”",
    STRAIGHT_QUOTES: "typographic signs: ’ “ ”",
}


MARKUP = re.compile(r"<[^>]*>|%\(\w+\)s|\{[^}]*\}")
# Word lists of the command parser, not sentences.
EXCUSED_WORDS = {"top color colour", "and say name naming call of the a an i please colour color"}


def find_awkward_wordings(text: str, patterns: dict[str, str]) -> list[str]:
    """Return the matches of these patterns in a text, each with its advice."""
    seen = (
        (re.search(pattern, text, re.IGNORECASE), advice) for pattern, advice in patterns.items()
    )
    return [f"“{match[0].strip()}” → {advice}" for match, advice in seen if match]


def list_texts() -> list[str]:
    """Return the English texts of the site, without duplicates."""
    forms: dict[str, None] = {}
    for domain in ("django", "djangojs"):
        catalogue = polib.pofile(str(ROOT / "locale" / "hi" / "LC_MESSAGES" / f"{domain}.po"))
        for entry in catalogue:
            places = {place for place, _line in entry.occurrences}
            if not entry.obsolete and places != {BORROWED_MODULE}:
                forms |= dict.fromkeys(filter(None, (entry.msgid, entry.msgid_plural)))
    return list(forms)


def list_sentences(document: Path) -> list[str]:
    """Return the sentences of a page without quotations, which may contain any wording."""
    return [re.sub(r'"[^"]*"', "“…”", text) for text in prose.iter_sentences(document.read_text())]


def test_texts_are_plain_english() -> None:
    habits = HABITS | DISCOURAGED_WORDS
    seen = ((text, find_awkward_wordings(MARKUP.sub("…", text), habits)) for text in list_texts())
    assert {text: faults for text, faults in seen if faults and text not in EXCUSED_WORDS} == {}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_documents_are_plain_english(document: Path) -> None:
    habits = HABITS | {
        pattern: advice
        for pattern, advice in DISCOURAGED_WORDS.items()
        if pattern != STRAIGHT_QUOTES
    }
    assert {
        text: faults
        for text in list_sentences(document)
        if (faults := find_awkward_wordings(text, habits))
    } == {}
