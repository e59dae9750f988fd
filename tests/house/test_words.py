"""Tests that all texts for users in templates and Python code are translatable."""

import re
from pathlib import Path

import pytest

from tests import words
from tests.house.offenders import map_offenders

pytestmark = pytest.mark.patient

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*") if path.is_file())

# Translated blocks, comments, and JSON for scripts.
MARKED_TEXT = re.compile(
    r"{% blocktranslate.*?{% endblocktranslate %}|{#.*?#}"
    r'|<script [^>]*type="application/json">.*?</script>',
    re.DOTALL,
)
# Blocks that contain class names or addresses.
WORDLESS_BLOCKS = re.compile(
    r"{% block (coltype|bodyclass|body_class|hall_back) %}.*?{% endblock %}"
)
TEMPLATE_TAGS = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
TEXT_ATTRIBUTES = re.compile(r'\b(?:aria-label|alt|content|label|placeholder|title)="([^"]*)"')
# Text that is the same in every language, or that only programs read.
UNTRANSLATED_NAMES = re.compile(
    r"Lastcard|&\w+;|&#\w+;|width=device-width.*|light dark|dark|#[0-9a-f]{6}|://"
    r"|^website$|^summary_large_image$",
    re.IGNORECASE,
)


def find_unmarked_words(template: str) -> list[str]:
    """Return the words of a template that cannot be translated."""
    text = TEMPLATE_TAGS.sub("·", WORDLESS_BLOCKS.sub("", MARKED_TEXT.sub("", template)))
    found = [*re.sub(r"<[^>]*>", "\n", text).splitlines(), *TEXT_ATTRIBUTES.findall(text)]
    words = (UNTRANSLATED_NAMES.sub("", line).strip() for line in found)
    return [line for line in words if re.search(r"[^\W\d_]{2}", line)]


def test_every_template_text_is_marked() -> None:
    assert map_offenders(TEMPLATES, find_unmarked_words) == {}


def test_templates_do_not_build_plural_forms() -> None:
    assert map_offenders(TEMPLATES, re.compile(r"\|pluralize").findall) == {}


@pytest.mark.parametrize(
    ("template", "problems"),
    [
        ("<p>Hello</p>", ["Hello"]),
        ('<p>{% translate "Hello" %} there</p>', ["· there"]),
        ('<a title="Go on">{{ name }}</a>', ["Go on"]),
        ("<p>{% blocktranslate %}Hello{% endblocktranslate %}, Lastcard – 5</p>", []),
        ('<script type="application/json">{"add": "button"}</script>Hello', ["Hello"]),
    ],
)
def test_unmarked_template_text_is_detected(template: str, problems: list[str]) -> None:
    assert find_unmarked_words(template) == problems


# Python

# Folders without texts for users.
TEXTLESS_FOLDERS = {
    "art",
    "management",
    "migrations",
    "models",
    "process",
    "protocol",
    "store",
    "json_values",
}
SOURCES = sorted(
    path
    for path in (ROOT / "games").rglob("*.py")
    if not TEXTLESS_FOLDERS & set(path.relative_to(ROOT).parts)
)
# Modules without texts for users: output of `manage.py`, checks of code and records, image
# rendering and a database query.
TEXTLESS_MODULES = {
    "games/checks.py",
    "games/sockets/entrance/access.py",
    "games/client/player.py",
    "games/client/shares.py",
    "games/rules/clusters.py",
    "games/rules/fair/deal.py",
    "games/rules/fair/attempts.py",
    "games/rules/fair/leaving.py",
    "games/rules/fair/receipts.py",
    "games/rules/fair/signatures.py",
    "games/rules/fair/commitments.py",
    "games/rules/untrusted_json.py",
    "games/rules/record/cards.py",
    "games/rules/record/chance.py",
    "games/rules/record/check.py",
    "games/rules/record/expectations.py",
    "games/rules/record/log.py",
    "games/rules/record/matches.py",
    "games/rules/record/reading.py",
    "games/templatetags/cards.py",
}
# Variables and arguments whose strings are not texts for users.
UNTRANSLATED_VARIABLES = {
    "games/rules/actions/actions.py": {"found"},
    "games/rules/deck/decks.py": {"_AUTHORS_CARDS"},
    "games/rules/ruleset/rulesets.py": {"name", "source"},
    "games/liveness/disk_space.py": {"TRIAL_STATEMENTS"},
    "games/practice/practice.py": {"BOTS", "name"},
    "games/views.py": {"content_type", "headers"},
}


def get_relative_path(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_source_text_is_marked() -> None:
    found = {
        get_relative_path(path): words.list_unmarked_texts(
            path.read_text(), UNTRANSLATED_VARIABLES.get(get_relative_path(path), ())
        )
        for path in SOURCES
        if get_relative_path(path) not in TEXTLESS_MODULES
    }
    assert {name: texts for name, texts in found.items() if texts} == {}


def list_early_translations(source: str) -> list[str]:
    """Return the lines that translate a text at import time or mark an assembled text."""
    return list(map(str, words.find_texts_at_import(source) + words.find_assembled_texts(source)))


def test_texts_are_not_translated_at_import_or_concatenated_before_marking() -> None:
    assert map_offenders(SOURCES, list_early_translations) == {}


def test_every_exception_in_the_list_is_needed() -> None:
    excepted = {
        path: words.list_unmarked_texts((ROOT / path).read_text())
        for path in UNTRANSLATED_VARIABLES
    }
    assert [path for path, texts in excepted.items() if not texts] == []
    assert {ROOT / path for path in TEXTLESS_MODULES} <= set(SOURCES)


@pytest.mark.parametrize(
    ("source", "problems"),
    [
        ('def f(n): return f"{n} passes."', ["· passes."]),
        ('def f(n): return _("{n} passes.").format(n=n)', []),
        ('def f(n): return ngettext("{n} card", "{n} cards", n)', []),
        ('TITLES = {"deal": "The deal", "aim": gettext_noop("The aim")}', ["The deal"]),
        ('section = Section("Scoring", [])', ["Scoring"]),
        ('async def f(a="To all"): return "said_uno"', ["To all"]),
        ('"""What is said."""\n__all__ = ["Item"]\nhand: "State" = Hand("played")', []),
        ('raise ValueError("no such card")', []),
        ('logger.error("Match %s is lost", pk)', []),
        ('message.error("The match is lost")', ["The match is lost"]),
        ('raise OptionError("hand_size", "Too many cards.")', ["Too many cards."]),
        ('CODES = {"hand-over": "the hand is over"}', []),
        ('rs = replace(name="Ocho", summary="As in the app")', ["As in the app"]),
        ('part: Mapping["Hand Over", int] = said["why not"]', []),
    ],
)
def test_unmarked_source_text_is_detected(source: str, problems: list[str]) -> None:
    assert words.list_unmarked_texts(source, {"CODES", "name"}) == problems


@pytest.mark.parametrize(
    "source",
    ['TITLE = _("The aim")', 'class Item:\n    title = ngettext("a", "b", 1)', "_('a')(1)"],
)
def test_text_translated_at_import_is_detected(source: str) -> None:
    assert len(words.find_texts_at_import(source)) == 1
    assert (
        words.find_texts_at_import("TELL = lambda: _('The aim')\ndef tell(): return _('a')") == []
    )
    lazily = "from django.utils.translation import gettext_lazy as _\nTITLE = _('The aim')"
    assert words.find_texts_at_import(lazily) == []


@pytest.mark.parametrize(
    "text", ['f"{n} cards"', '"a" + "b"', '"{n} cards".format(n=n)', '" ".join(parts)']
)
def test_text_concatenated_before_marking_is_detected(text: str) -> None:
    assert words.find_assembled_texts(f"said = gettext_noop({text})") == [1]
    assert words.find_assembled_texts(f"said = _(table[key]).format(text={text})") == []
