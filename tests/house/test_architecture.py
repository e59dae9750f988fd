"""Tests of house rules for the code. import-linter checks the layers (pyproject.toml)."""

import ast
import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from games.rules.ruleset import rulesets
from tests.house.offenders import map_offenders

pytestmark = pytest.mark.patient

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path
    for app in ("games", "tournament")
    for path in (ROOT / app).rglob("*.py")
    if "migrations" not in path.parts
)
RULE_SETS = list(rulesets.RULE_SETS)
OUTSIDE_MODULES = ["asyncio", "datetime", "os", "pathlib", "socket", "subprocess", "time"]

# Settings that Django requires and that name modules of events.
DJANGO_SETTINGS = {"AUTH_USER_MODEL", "SESSION_ENGINE"}


def get_module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def iter_imports(source: str) -> Iterator[str]:
    """Yield the modules that the source imports, and the imported names as `module.name`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def iter_function_lengths(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name of each function and its length in lines, without its docstring."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            start = body[0].lineno if body else node.lineno
            yield f"{path.relative_to(ROOT)}:{node.name}", (node.end_lineno or start) - start + 2


# Parts of libraries that only one module may import. import-linter cannot express this.
RESTRICTED_IMPORTS = {
    # Some events in libraries only send signals.
    "tournament.apps": re.compile(r"django\.(db\.models\.signals|dispatch)|.*\.signals\b"),
    # Another test checks allauth's private modules for the pinned version.
    "tournament.people.accounts.allauth_private": re.compile(r"allauth\b.*\.internal\b"),
}


def list_misplaced_imports(module: str, source: str) -> list[str]:
    others = [part for only, part in RESTRICTED_IMPORTS.items() if module != only]
    return [name for name in iter_imports(source) if any(part.match(name) for part in others)]


def test_signals_and_private_library_parts_are_used_in_one_place_each() -> None:
    found = {get_module_name(path): path.read_text() for path in SOURCES}
    assert {name for name, source in found.items() if list_misplaced_imports(name, source)} == set()


@pytest.mark.parametrize(
    ("module", "source", "expected"),
    [
        ("tournament.models.event", "from django.db.models.signals import post_save", 2),
        ("tournament.people.accounts.adapter", "from allauth.account.signals import added", 2),
        ("tournament.apps", "from allauth.account.signals import password_set", 0),
        ("tournament.people.accounts.limits", "from allauth.core.internal import ratelimit", 2),
    ],
)
def test_misplaced_import_is_detected(module: str, source: str, expected: int) -> None:
    assert len(list_misplaced_imports(module, source)) == expected


def test_live_play_settings_do_not_refer_to_events() -> None:
    asked = {
        name
        for path in SOURCES
        if get_module_name(path).startswith("games")
        for name in re.findall(r"\bsettings\.([A-Z_]+)", path.read_text())
    }
    values = {name: str(getattr(settings, name)) for name in asked - DJANGO_SETTINGS}
    assert {name for name, value in values.items() if "tournament." in value} == set()


def test_events_do_not_read_stored_match_data_directly() -> None:
    """Search for uses of `state` or `race` as data, which `games.facts` provides.

    The `state` of a registration or a round is only a word.
    """
    stored = re.compile(r"\.(state|race)(\[|\.get\(|\.items\()|match__(state|race)\b")
    found = [
        get_module_name(path)
        for path in SOURCES
        if get_module_name(path).startswith("tournament") and stored.search(path.read_text())
    ]
    assert found == []


def test_event_sockets_call_no_private_method_of_table_sockets() -> None:
    theirs = {
        name
        for path in (ROOT / "games" / "sockets").rglob("*.py")
        for name in re.findall(r"self\.(_[a-z]\w*)", path.read_text())
    }
    socket = (ROOT / "tournament" / "web" / "live" / "consumers.py").read_text()
    body = socket[socket.index("class EventSocket") :]
    assert theirs & set(re.findall(r"self\.(_[a-z]\w*)", body)) == set()


def list_outside_imports(source: str) -> list[str]:
    """Return the imports from outside the rules and the standard library without I/O."""
    return [
        name
        for name in iter_imports(source)
        if (top := name.partition(".")[0]) in OUTSIDE_MODULES
        or not (name == "games" or name.startswith("games.rules") or top in sys.stdlib_module_names)
    ]


def test_rules_depend_only_on_the_standard_library_without_io() -> None:
    rules = sorted((ROOT / "games" / "rules").rglob("*.py"))
    assert map_offenders(rules, list_outside_imports) == {}
    assert list_outside_imports("import os\nimport django\nimport re") == ["os", "django"]


def test_models_have_no_hidden_side_effects() -> None:
    found = [
        name
        for path in SOURCES
        if re.search(r"models\b", get_module_name(path))
        for name, _ in iter_function_lengths(path)
        if name.endswith((":save", ":delete"))
    ]
    assert found == []


def test_only_the_deck_defines_properties_of_cards() -> None:
    """Search for tables of cards and checks of colours outside the deck and its pictures."""
    forbidden = re.compile(
        r"colors == |\b(SUITS|NOTATION|CARDS)\b|\bKIND\[|deck\.startswith|rs\.deck =="
    )
    exempt = ("games.rules.deck.decks", "games.art")
    files = [path for path in SOURCES if not get_module_name(path).startswith(exempt)]
    assert [get_module_name(path) for path in files if forbidden.search(path.read_text())] == []


def test_rules_sentences_are_not_patched_with_replace() -> None:
    rooms = [ROOT / "games" / room for room in ("rules", "templatetags", "tables")]
    files = [path for room in rooms for path in room.rglob("*.py")]
    assert [path.name for path in files if '.replace("' in path.read_text()] == []


def test_rules_do_not_check_the_rule_set_name() -> None:
    forbidden = re.compile(r"\.key\s*(==|!=|in\b)|ruleset\s*(==|!=)")
    found = [
        path.name for path in (ROOT / "games").rglob("*.py") if forbidden.search(path.read_text())
    ]
    assert found == []


def test_files_are_short() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in [*SOURCES, *(ROOT / "static").rglob("*.js"), *(ROOT / "tests").rglob("*.py")]
        if (lines := len(path.read_text().splitlines())) > 420
    }
    assert long == {}


def test_functions_are_short() -> None:
    lengths = sorted(length for path in SOURCES for _, length in iter_function_lengths(path))
    assert statistics.median(lengths) <= 7
    assert sum(length < 25 for length in lengths) >= 0.9 * len(lengths)


# Letters of colours, notations of cards, and code that parses cards. Scripts must use the page's
# deck instead.
CARD_KNOWLEDGE = re.compile(
    r"RYGB|SHDC|[RYGB]\+2|W\+4|['\"](W|W8|JK|DR|BB|SH|XR|BLANK)['\"]"
    r"|\b(card|notation|top|play)\.(startsWith|endsWith|slice|substring|charAt|at|match|split)\("
    r"|\b(card|notation|top|play)(\[\d|\.length)"
)
# Names of options or roles that are also ordinary words or keys of the protocol.
AMBIGUOUS_WORDS = {"challenge", "deck", "draw", "number", "reverse", "scoring", "skip", "target"}


def find_game_knowledge(script: str) -> list[str]:
    """Return words in a script that show knowledge of the game, such as names of rule sets."""
    named = {*rulesets.OPTIONS, *(role for rs in RULE_SETS for role in list_role_names(rs))}
    words = {*re.findall(r"\w+", script)} & (named - AMBIGUOUS_WORDS)
    # A typed command may be the name of a rule set, such as "ocho".
    keys = [key for key in RULE_SETS if re.search(rf'(?<!typed command", )"{key}"', script)]
    found = re.finditer(rf"legal|canPlay|isPlayable|{CARD_KNOWLEDGE.pattern}", script)
    return [*keys, *sorted(words), *(match.group() for match in found)]


def list_role_names(key: str) -> list[str]:
    return [role.name for role in rulesets.RULE_SETS[key].pack.roles]


def test_browser_scripts_contain_no_rules() -> None:
    assert map_offenders(sorted((ROOT / "static" / "js").rglob("*.js")), find_game_knowledge) == {}


@pytest.mark.parametrize(
    ("script", "problems"),
    [
        ('if (view.match.ruleset === "ocho") stack();', ["ocho"]),
        ("const two = options.stacking", ["stacking"]),
        ('role === "draw_two"', ["draw_two"]),
        ("card.startsWith(color)", ["card.startsWith("]),
        ("return /^[RYGB]/.test(card) && card[0]", ["RYGB", "card[0"]),
        ("deck.cards[card].letter", []),
    ],
)
def test_rule_in_a_browser_script_is_detected(script: str, problems: list[str]) -> None:
    assert find_game_knowledge(script) == problems


# Markup that the content security policy blocks.
POLICY_VIOLATION = re.compile(
    r"""<[^>]*\s(?:style|on[a-z]+)\s*="""
    r"""|<style\b"""
    r"""|<script\b(?![^>]*(?:src=|type="application/json"))[^>]*>"""
    r"""|(?:src|href)=["'](?:https?:)?//"""
)


def list_policy_violations(template: str) -> list[str]:
    html = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", template, flags=re.DOTALL)
    return POLICY_VIOLATION.findall(html)


def test_templates_follow_the_content_security_policy() -> None:
    assert map_offenders(sorted((ROOT / "templates").rglob("*.html")), list_policy_violations) == {}


@pytest.mark.parametrize(
    "template",
    [
        '<p style="color: red">',
        '<button onclick="go()">',
        "<style>p {}</style>",
        "<script>go()</script>",
        '<img src="//other.example/x.png">',
        '<link href="https://other.example/x.css">',
    ],
)
def test_content_security_policy_violation_is_detected(template: str) -> None:
    assert len(list_policy_violations(template)) == 1
    assert list_policy_violations('<script src="/a.js"></script><a href="/">x</a>') == []


def test_untyped_dicts_are_rare() -> None:
    """Limit the number of untyped dicts, because only data from other software needs them."""
    anything = re.compile(r"(?i)(dict|mapping)\[str, Any\]")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in SOURCES
        for line in path.read_text().splitlines()
        if anything.search(line)
    ]
    assert len(found) <= 30, found
