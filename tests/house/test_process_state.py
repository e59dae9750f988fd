"""Tests of the house rule that mutable state belongs to `games.process.Process`."""

import ast
from collections.abc import Iterator

import pytest

from tests.house.test_architecture import SOURCES, get_module_name

pytestmark = pytest.mark.patient

# Module-level names that may change, each with the reason.
ALLOWED_STATE = {
    "games.process: _here",  # identifies the current process
    "tournament.api.v1: api",  # complete once the module is loaded
    "tournament.asgi: application",  # the server's application, which contains the process
    "tournament.common.desk_code_sessions: _account_finder",  # ends with the request
    "games.language: _active",  # ends with the call that set it
    "games.process.tracing: _trace",  # ends with the request or action that set it
    "tournament.oversight.second_person: _outlook",  # set once, while Django is set up
    "tournament.mail.notices: _open",  # ends with the call that opened it
    "tournament.site.address: _base",  # ends with the call that opened it
    "games.rules.ruleset.rulesets: RULE_SETS",  # filled once; rule sets use it to check themselves
    "tournament.pure.sentences: _KINDS",  # filled while modules are imported
    "games.rules.text: _translator",  # set once by Django's setup; the rules do not import Django
}
# Cached functions whose results depend only on the code. Data of matches is cached with
# `games.process.process_cache`.
ALLOWED_CACHES = {
    "games.json_values.codec: _build_adapter",
    "games.json_values.codec: _read_newest_version",
    "games.store.statements: _write_account_condition",
    "games.store.statements: _write_guest_condition",
    "games.store.statements: _write_insert_parts",
    "games.store.statements: _write_select",
    "games.store.statements: _list_conversions",
    "games.store.statements: _list_column_names",
    "games.store.statements: _build_preparer",
    "games.store.statements: _write_update",
    "tournament.pure.files.fonts: load_font",
    "tournament.pure.files.fonts: _load_code_points",
    "tournament.pure.files.fonts: load_script_font",
    "tournament.pure.files.picture: _load_font",
    "tournament.pure.files.signs: sign_image",
    "tournament.pure.lists.number_formats: _split_format",
    "tournament.pure.zones: _load_renamed_zones",
    "tournament.pure.zones: zone_names",
    "tournament.site.catalogues: _bundle_table_script",
    "tournament.site.catalogues: catalogue_version",
}
STATEFUL_TYPES = {
    *("Lock", "RLock", "Condition", "Event", "Semaphore", "BoundedSemaphore", "Barrier", "local"),
    *("Thread", "Timer", "ThreadPoolExecutor", "ProcessPoolExecutor", "ContextVar", "Local"),
    *("Queue", "PriorityQueue", "LifoQueue", "SimpleQueue", "deque", "defaultdict", "OrderedDict"),
    *("Counter", "count", "cycle", "WeakSet", "WeakKeyDictionary", "WeakValueDictionary", "Random"),
}
EMPTY_CONTAINERS = {"{}", "[]", "dict()", "list()", "set()"}
MUTATORS = {
    *("append", "extend", "insert", "remove", "pop", "popitem", "clear", "add", "discard"),
    *("update", "setdefault", "appendleft", "popleft", "move_to_end"),
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def list_mutable_classes() -> set[str]:
    """Return the names of the project's classes with mutable instances."""
    classes = [
        node
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    ]
    return {node.name for node in classes} - {node.name for node in classes if _is_frozen(node)}


def _is_frozen(node: ast.ClassDef) -> bool:
    bases = {ast.unparse(base) for base in node.bases}
    decorators = [ast.unparse(each) for each in node.decorator_list]
    return "NamedTuple" in bases or any("frozen=True" in each for each in decorators)


def list_changing_names(source: str, classes: set[str]) -> set[str]:
    """Return the module-level names whose values may change while the process runs."""
    tree = ast.parse(source)
    names = dict(_iter_assignments(tree))
    found = {name for name, value in names.items() if _is_stateful(value, classes)}
    for function in ast.walk(tree):
        if isinstance(function, Function):
            found |= set(_iter_changed_names(function)) & {*names}
    declared = [node.names for node in ast.walk(tree) if isinstance(node, ast.Global)]
    return found.union(*declared)


def _iter_assignments(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        else:
            continue
        for target in targets:
            for part in ast.walk(target):
                if isinstance(part, ast.Name):
                    yield part.id, value


def _is_stateful(value: ast.expr, classes: set[str]) -> bool:
    if ast.unparse(value) in EMPTY_CONTAINERS:
        return True
    return any(
        isinstance(node, ast.Call) and _get_last_name(node.func) in STATEFUL_TYPES | classes
        for node in _iter_evaluated_parts(value)
    )


def _iter_evaluated_parts(value: ast.AST) -> Iterator[ast.AST]:
    """Yield the expression and its parts, without the contents of lambdas."""
    if not isinstance(value, ast.Lambda):
        yield value
        for part in ast.iter_child_nodes(value):
            yield from _iter_evaluated_parts(part)


def _get_last_name(expression: ast.expr) -> str:
    return ast.unparse(expression).partition("(")[0].rpartition(".")[2]


def _iter_changed_names(function: Function) -> Iterator[str]:
    """Yield the names of the non-local values that a function changes."""
    nodes = list(ast.walk(function))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and _is_write(node)}
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    for node in nodes:
        changed = None
        if isinstance(node, ast.Subscript | ast.Attribute) and _is_write(node):
            changed = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changed = node.func.value if node.func.attr in MUTATORS else None
        if isinstance(changed, ast.Name) and changed.id not in own:
            yield changed.id


def _is_write(node: ast.Name | ast.Subscript | ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store | ast.Del)


def list_cached_functions(source: str) -> set[str]:
    """Return the module's cached functions."""
    return {
        node.name
        for node in ast.parse(source).body
        if isinstance(node, Function)
        and {"cache", "lru_cache"} & {_get_last_name(each) for each in node.decorator_list}
    }


def test_mutable_state_belongs_to_the_process() -> None:
    classes = list_mutable_classes()
    found = {
        f"{get_module_name(path)}: {name}"
        for path in SOURCES
        for name in list_changing_names(path.read_text(), classes)
    }
    assert found == ALLOWED_STATE


def test_permanent_caches_depend_only_on_the_code() -> None:
    found = {
        f"{get_module_name(path)}: {name}"
        for path in SOURCES
        if not get_module_name(path).startswith("games.rules")
        for name in list_cached_functions(path.read_text())
    }
    assert found == ALLOWED_CACHES


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("_known: dict[int, str] = {}", {"_known"}),
        ("_known = set()", {"_known"}),
        ("_lock = threading.Lock()", {"_lock"}),
        ("_locks = tuple(Lock() for _ in range(16))", {"_locks"}),
        ("_rows = OrderedDict()", {"_rows"}),
        ("hub = Hub()", {"hub"}),
        ("_loop = None\ndef start():\n    global _loop\n    _loop = 1", {"_loop"}),
        ("TEXTS = {1: 'a'}\ndef learn():\n    TEXTS[2] = 'b'", {"TEXTS"}),
        ("KINDS = [1]\nasync def learn():\n    KINDS.append(2)", {"KINDS"}),
        ("RULES = load()\ndef learn():\n    RULES.name = 'b'", {"RULES"}),
        ("TEXTS = {1: 'a'}\ndef tell():\n    return TEXTS[1]", set()),
        ("TEXTS = {1: 'a'}\ndef tell():\n    TEXTS = {}\n    TEXTS[1] = 'b'", set()),
        ("TEXTS = {1: 'a'}\ndef tell(TEXTS):\n    TEXTS.clear()", set()),
        ("TEXTS = {1: lambda: Hub()}", set()),
        ("STREAM = Stream()", set()),
    ],
)
def test_module_level_state_is_detected(source: str, expected: set[str]) -> None:
    assert list_changing_names(source, {"Hub"}) == expected


def test_module_level_cache_is_detected() -> None:
    source = "@lru_cache(9)\ndef a(): ...\n@cache\ndef b(): ...\n@kept(9)\ndef c(): ...\n"
    assert list_cached_functions(source) == {"a", "b"}
