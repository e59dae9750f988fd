"""Every text that a person reads goes through gettext: here, what stands in templates."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*") if path.is_file())

MARKED = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}|{#.*?#}", re.DOTALL)
# Blocks that hold names of classes or addresses, no words.
NO_WORDS = re.compile(r"{% block (coltype|bodyclass|body_class|hall_back) %}.*?{% endblock %}")
TAGS = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
ATTRIBUTES = re.compile(r'\b(?:aria-label|alt|content|label|placeholder|title)="([^"]*)"')
# What is the same in every language, or read by programs.
NAMES = re.compile(
    r"Lastcard|&\w+;|&#\w+;|width=device-width.*|light dark|dark|#[0-9a-f]{6}|://", re.IGNORECASE
)


def unmarked(template: str) -> list[str]:
    """The words of a template that no translation reaches."""
    text = TAGS.sub("·", NO_WORDS.sub("", MARKED.sub("", template)))
    found = [*re.sub(r"<[^>]*>", "\n", text).splitlines(), *ATTRIBUTES.findall(text)]
    words = (NAMES.sub("", line).strip() for line in found)
    return [line for line in words if re.search(r"[^\W\d_]{2}", line)]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_text_of_a_template_is_marked(path: Path) -> None:
    assert unmarked(path.read_text()) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_template_makes_plural_forms_of_its_own(path: Path) -> None:
    assert "|pluralize" not in path.read_text()


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<p>Hello</p>", ["Hello"]),
        ('<p>{% translate "Hello" %} there</p>', ["· there"]),
        ('<a title="Go on">{{ name }}</a>', ["Go on"]),
        ("<p>{% blocktranslate %}Hello{% endblocktranslate %}, Lastcard – 5</p>", []),
    ],
)
def test_an_unmarked_text_would_be_found(template: str, found: list[str]) -> None:
    assert unmarked(template) == found
