"""House rules that a machine can hold: imports point one way, files and functions stay small."""

import ast
import re
import statistics
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

from games.rules.ruleset import rulesets
from tests.house.offenders import offenders

pytestmark = pytest.mark.patient

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path
    for app in ("games", "tournament")
    for path in (ROOT / app).rglob("*.py")
    if "migrations" not in path.parts
)
# The pure parts of rooms: values in, values out.
PURE = [
    r"common\.(alphabet|chain|codes|sentences|texts|words)",
    r"events\.formats",
    r"exports\.(files|transfer\.bundle)",
    r"registration\.eligibility\.lists",
    r"seating\.arrangement",
    r"stages\.(brackets|qualifying)",
    r"standings\.ranking",
]
# The rules' door for words is open to all that is pure; it knows no languages itself. Folders
# above what is imported are named on the way.
IMPURE = re.compile(
    rf"(django|channels|games(?!$|\.rules$|\.rules\.text\b))\b"
    rf"|tournament\.(?!({'|'.join(PURE)})\b|(common|events|exports(\.transfer)?|registration(\.eligibility)?|seating|stages|standings)$)"
)
PURE_FILES = [
    path
    for path in SOURCES
    if re.match(rf"tournament\.({'|'.join(PURE)})\b", ".".join(path.relative_to(ROOT).parts))
]
RULE_SETS = list(rulesets.RULE_SETS)
OUTSIDE_WORLD = ["asyncio", "datetime", "os", "pathlib", "socket", "subprocess", "time"]

# Whoever is in the first group imports nothing from the second. Which room may know which other
# is in tests/house/test_rooms.py.
FORBIDDEN = [
    (r"games\.", r"tournament\b"),
    (r"games\.rules\b", r"games\.(?!rules\b)|django|channels"),
    # Our own urls: `django.urls.reverse` says where a link leads, and knows no view.
    (
        r"games\.(?!apps$|views$|urls$)|tournament\.(?!apps$|asgi$|settings$|urls$)",
        r"(games|tournament)\.urls\b",
    ),
    (
        r"(games\.sockets|tournament\.standings\.live)\.consumers\b",
        r".*\.(views|admin|forms|models)\b",
    ),
    # What one process has of its own stands on nothing.
    (r"games\.process\b", r"games\.(?!process\b)"),
    # What is said between site and client knows neither, and no more than the rules.
    (r"games\.protocol\b", r"games\.(?!protocol\b|rules\b)|django|channels"),
    # What columns hold; and an action's one way: who judges calls who commits.
    (r"games\.(json_values|seats)\b", r"games\.(?!json_values\b|seats\b|rules\b|protocol\b)"),
    (
        r"games\.play\.commit\b",
        r"games\.play\.(?!answers\b|codes\b|deadlines\b|dealing\b|hands\b|notes\b|outages\b)",
    ),
    (r"games\.play\.outages\b", r"games\.play\.(?!answers\b|deadlines\b|notes\b)"),
    (r"games\.play\.dealing\b", r"games\.play\.(?!deadlines\b|site_key\b)"),
    (r"games\.play\.site_key\b", r"games\.(?!process\b|rules\b)"),
    (r"games\.deals\.shares\b", r"games\.(matches|deals)\.(?!shares\b)"),
    (r"games\.matches\.late_calls\b", r"games\.(matches|liveness)\b"),
    (r"games\.matches\.requests\b", r"games\.matches\.(?!late_calls\b)"),
    # But where the apps are set up: some of what a library tells, it tells by a signal alone.
    (
        r"(?!tournament\.apps$)(games|tournament)\b",
        r"django\.(db\.models\.signals|dispatch)|.*\.signals\b",
    ),
    # What allauth has for itself alone is used in one place, which a test ties to a version.
    (
        r"(?!tournament\.people\.accounts\.allauth_private$)(games|tournament)\b",
        r"allauth\b.*\.internal\b",
    ),
    # What events take of live play: its doors and facts, and nothing of how they are kept.
    # Where the site is put together all of its parts are named.
    (
        r"(?!tournament\.(asgi|apps|urls|serving\.worker|management\.commands\.serve)$)tournament\b",
        r"games\.(?!(models|services|queries|facts|rules|process|protocol|templatetags)\b"
        r"|sockets(\.base\b|$)|json_values(\.field\b|$))",
    ),
]
# Where Django itself asks for a name: the model of the accounts, and how sessions are kept.
NAMED_FOR_DJANGO = {"AUTH_USER_MODEL", "SESSION_ENGINE"}


DOTTED = r"(games|tournament)(\.[a-z]\w*)+(\.[A-Za-z]\w*)*"


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(source: str) -> tuple[str, ...]:
    """Every module that the source imports, with the names taken from it: `a.b` and `a.b.c`.

    A string that names a module is an import too, made later.
    """
    return tuple(_imports(source))


def _imports(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and re.fullmatch(DOTTED, str(node.value)):
            yield str(node.value)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def broken_rules(module: str, source: str) -> list[str]:
    return [
        f"{module} imports {name}"
        for importer, forbidden in FORBIDDEN
        if re.match(importer, module)
        for name in imports(source)
        if re.match(forbidden, name)
    ]


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length in lines of each function; its docstring does not count."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            start = body[0].lineno if body else node.lineno
            yield f"{path.relative_to(ROOT)}:{node.name}", (node.end_lineno or start) - start + 2


def test_imports_point_one_way() -> None:
    broken = [
        line for path in SOURCES for line in broken_rules(module_name(path), path.read_text())
    ]
    assert broken == []


@pytest.mark.parametrize(
    ("module", "source", "broken"),
    [
        ("games.play.commit", "from tournament.models import Event", 2),
        ("tournament.rounds.services", "from tournament.urls import urlpatterns", 2),
        ("tournament.models.event", "from django.db.models.signals import post_save", 2),
        ("tournament.people.accounts.adapter", "from allauth.account.signals import added", 2),
        ("tournament.apps", "from allauth.account.signals import password_set", 0),
        ("tournament.people.accounts.limits", "from allauth.core.internal import ratelimit", 2),
        (
            "tournament.web.pages.events.events",
            "from tournament.registration.services import go",
            0,
        ),
        ("games.rules.hand.position", "from games import services", 1),
        ("games.rules.hand.position", "from games.rules.deck import cards", 0),
        ("games.play.commit", "from games.play import deadlines, commit", 1),
        ("games.matches.requests", "from games.matches import ticks", 1),
        ("games.json_values.race", "from games.models import Match", 2),
        ("games.process.hub", "from games.models import Match", 2),
        ("games.process.hub", "from games.process import relay", 0),
        ("games.protocol.events", "from games.models import Match", 2),
        ("tournament.hall.queries", "from games.clocks import timing", 2),
        ("tournament.demo.players", "from games import store", 1),
        ("tournament.asgi", "from games.workers import background", 0),
        ("tournament.web.live.consumers", "from games.sockets.base import Socket", 0),
    ],
)
def test_a_wrong_import_would_be_found(module: str, source: str, broken: int) -> None:
    assert len(broken_rules(module, source)) == broken


def test_no_setting_that_live_play_reads_names_a_part_of_the_events() -> None:
    asked = {
        name
        for path in SOURCES
        if module_name(path).startswith("games")
        for name in re.findall(r"\bsettings\.([A-Z_]+)", path.read_text())
    }
    values = {name: str(getattr(settings, name)) for name in asked - NAMED_FOR_DJANGO}
    assert {name for name, value in values.items() if "tournament." in value} == set()


def test_events_never_read_what_is_stored_in_a_match() -> None:
    """`games.facts` answers instead. `state` of a registration or a round is a word."""
    stored = re.compile(r"\.(state|race)(\[|\.get\(|\.items\()|match__(state|race)\b")
    found = [
        module_name(path)
        for path in SOURCES
        if module_name(path).startswith("tournament") and stored.search(path.read_text())
    ]
    assert found == []


def test_events_call_no_private_part_of_live_play() -> None:
    theirs = {
        name
        for path in (ROOT / "games" / "sockets").rglob("*.py")
        for name in re.findall(r"self\.(_[a-z]\w*)", path.read_text())
    }
    socket = (ROOT / "tournament" / "standings" / "live" / "consumers.py").read_text()
    body = socket[socket.index("class EventSocket") :]
    assert theirs & set(re.findall(r"self\.(_[a-z]\w*)", body)) == set()


def imports_from_outside_world(source: str) -> list[str]:
    """Return a rules module's imports other than the rules and the harmless standard library."""
    return [
        name
        for name in imports(source)
        if (top := name.partition(".")[0]) in OUTSIDE_WORLD
        or not (name == "games" or name.startswith("games.rules") or top in sys.stdlib_module_names)
    ]


def test_rules_need_the_standard_library_alone_and_no_outside_world() -> None:
    rules = sorted((ROOT / "games" / "rules").rglob("*.py"))
    assert offenders(rules, imports_from_outside_world) == {}
    assert imports_from_outside_world("import os\nimport django\nimport re") == ["os", "django"]


def test_pure_modules_know_neither_database_nor_django() -> None:
    assert offenders(PURE_FILES, lambda source: list(filter(IMPURE.match, imports(source)))) == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from django.utils.translation import gettext", 2),
        ("from games.rules import hand", 1),
        ("from games.rules.text import _, ngettext", 0),
        ("from tournament.models import Event", 2),
        ("from tournament.pure.words import listed", 0),
    ],
)
def test_what_a_pure_module_may_not_import_would_be_found(source: str, found: int) -> None:
    assert sum(bool(IMPURE.match(name)) for name in imports(source)) == found


def test_models_do_nothing_behind_the_back_of_services() -> None:
    found = [
        name
        for path in SOURCES
        if re.search(r"models\b", module_name(path))
        for name, _ in functions(path)
        if name.endswith((":save", ":delete"))
    ]
    assert found == []


def circles(modules: dict[str, set[str]]) -> list[str]:
    """Return the modules that import themselves through other modules."""

    def reached(name: str) -> set[str]:
        found: set[str] = set()
        left = list(modules[name])
        while left:
            if (module := left.pop()) in modules and module not in found:
                found.add(module)
                left += modules[module]
        return found

    return [name for name in modules if name in reached(name)]


def test_no_circle_of_imports_in_the_rules_not_even_for_types() -> None:
    files = (ROOT / "games" / "rules").rglob("*.py")
    modules = {module_name(path): set(imports(path.read_text())) for path in files}
    assert circles(modules) == []


def test_a_circle_would_be_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c"]


def test_what_a_card_is_only_its_deck_is_asked() -> None:
    """No table of all cards, no question which colours a deck has. Pictures have suits to draw."""
    asks = re.compile(
        r"colors == |\b(SUITS|NOTATION|CARDS)\b|\bKIND\[|deck\.startswith|rs\.deck =="
    )
    except_for = ("games.rules.deck.decks", "games.art")
    files = [path for path in SOURCES if not module_name(path).startswith(except_for)]
    assert [module_name(path) for path in files if asks.search(path.read_text())] == []


def test_no_sentence_of_the_rules_puts_words_in_for_others() -> None:
    rooms = [ROOT / "games" / room for room in ("rules", "templatetags", "tables")]
    files = [path for room in rooms for path in room.rglob("*.py")]
    assert [path.name for path in files if '.replace("' in path.read_text()] == []


def test_no_rule_asks_for_the_name_of_a_rule_set() -> None:
    asks = re.compile(r"\.key\s*(==|!=|in\b)|ruleset\s*(==|!=)")
    found = [path.name for path in (ROOT / "games").rglob("*.py") if asks.search(path.read_text())]
    assert found == []


def test_files_are_short() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in [*SOURCES, *(ROOT / "static").rglob("*.js"), *(ROOT / "tests").rglob("*.py")]
        if (lines := len(path.read_text().splitlines())) > 420
    }
    assert long == {}


def test_functions_are_short() -> None:
    lengths = sorted(length for path in SOURCES for _, length in functions(path))
    assert statistics.median(lengths) <= 7
    assert sum(length < 25 for length in lengths) >= 0.9 * len(lengths)


# Letters of colours, notations, and cards taken apart: what a card is, the page's deck says.
READS_CARDS = re.compile(
    r"RYGB|SHDC|[RYGB]\+2|W\+4|['\"](W|W8|JK|DR|BB|SH|XR|BLANK)['\"]"
    r"|\b(card|notation|top|play)\.(startsWith|endsWith|slice|substring|charAt|at|match|split)\("
    r"|\b(card|notation|top|play)(\[\d|\.length)"
)
# Keys of actions and views, words of the language: they are no options and no roles there.
OTHER_WORDS = {"challenge", "deck", "draw", "number", "reverse", "scoring", "skip", "target"}


def rules_in(script: str) -> list[str]:
    """Return the knowledge of rules in a script.

    This means names of rule sets, options and roles, and reading cards.
    """
    named = {*rulesets.OPTIONS, *(role for rs in RULE_SETS for role in role_names(rs))}
    words = {*re.findall(r"\w+", script)} & (named - OTHER_WORDS)
    # What is typed may have a rule set's name: "Ocho!" is called.
    keys = [key for key in RULE_SETS if re.search(rf'(?<!typed command", )"{key}"', script)]
    found = re.finditer(rf"legal|canPlay|isPlayable|{READS_CARDS.pattern}", script)
    return [*keys, *sorted(words), *(match.group() for match in found)]


def role_names(key: str) -> list[str]:
    return [role.name for role in rulesets.RULE_SETS[key].pack.roles]


def test_the_browser_knows_no_rules() -> None:
    assert offenders(sorted((ROOT / "static" / "js").rglob("*.js")), rules_in) == {}


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('if (view.match.ruleset === "ocho") stack();', ["ocho"]),
        ("const two = options.stacking", ["stacking"]),
        ('role === "draw_two"', ["draw_two"]),
        ("card.startsWith(color)", ["card.startsWith("]),
        ("return /^[RYGB]/.test(card) && card[0]", ["RYGB", "card[0"]),
        ("deck.cards[card].letter", []),
    ],
)
def test_a_rule_in_the_browser_would_be_found(script: str, found: list[str]) -> None:
    assert rules_in(script) == found


# What the content security policy of the site refuses in a page.
REFUSED_BY_POLICY = re.compile(
    r"""<[^>]*\s(?:style|on[a-z]+)\s*="""
    r"""|<style\b"""
    r"""|<script\b(?![^>]*(?:src=|type="application/json"))[^>]*>"""
    r"""|(?:src|href)=["'](?:https?:)?//"""
)


def refused_by_policy(template: str) -> list[str]:
    html = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", template, flags=re.DOTALL)
    return REFUSED_BY_POLICY.findall(html)


def test_templates_keep_to_the_content_security_policy() -> None:
    assert offenders(sorted((ROOT / "templates").rglob("*.html")), refused_by_policy) == {}


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
def test_a_breach_of_the_policy_would_be_found(template: str) -> None:
    assert len(refused_by_policy(template)) == 1
    assert refused_by_policy('<script src="/a.js"></script><a href="/">x</a>') == []


def test_few_dicts_hold_anything() -> None:
    """Only where foreign data comes in: what is made here says what is in it."""
    anything = re.compile(r"(?i)(dict|mapping)\[str, Any\]")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in SOURCES
        for line in path.read_text().splitlines()
        if anything.search(line)
    ]
    assert len(found) <= 30, found
