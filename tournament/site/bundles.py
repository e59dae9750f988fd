"""Bundles of scripts and style sheets, created when static files are collected.

With bundles, a page loads fewer files. The sources are not changed, and a development server
serves them directly. Only comments, type casts and indentation are removed from the code.

In a bundle, each module comes after the modules that it imports. A module in the same folder that
is loaded later by `import()` becomes a separate bundle. It uses the modules of the first bundle, so
that the page has only one copy of each module.
"""

import posixpath
import re
from collections.abc import Callable, Iterator

# Function that reads a static file by name, such as "js/table/main.js".
ReadSource = Callable[[str], str]

SCRIPTS = ("js/table/main.js", "js/fair/worker.js")
SHEETS = ("css/live.css",)

_NAMED = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_BARE = re.compile(r'^import "([^"]+)";$', re.MULTILINE)
_LATE = re.compile(r'\bimport\("([^"]+)"\)')
_EXPORT = re.compile(r"^export (?=(?:const|class|function|async function)\b)", re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:const|class|function|async function) (\w+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:import\b(?!\()|export\b|await\b).*", re.MULTILINE)
# A template literal of several lines, whose indentation is part of the text.
_LONG_TEXT = re.compile(r"^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$", re.MULTILINE)
# Global variable with which a bundle shares its modules with those that are loaded later.
_SHARED = "$shared"
_STYLE_IMPORT = re.compile(r'^@import url\("([^"]+)"\);$', re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//.*)[ \t]*\n", re.MULTILINE)
# A type cast within a line. Only tsc needs it.
_CAST = re.compile(r"/\*\* @type \{.*?\} \*/ ?")
_INDENT = re.compile(r"^[ \t]+|^\n", re.MULTILINE)


def bundle(name: str, read_source: ReadSource) -> str:
    """Return a file bundled with everything that it imports.

    Raises ValueError for code that cannot be combined into one file.
    """
    bundle_file = _bundle_script if name.endswith(".js") else _bundle_stylesheet
    return bundle_file(name, read_source)


def bundle_later_modules(name: str, read_source: ReadSource) -> dict[str, str]:
    """Return bundles of the modules that a script loads later, by name.

    They have only modules that the script's own bundle lacks. Raises ValueError for code that
    cannot be combined into one file.
    """
    order = _sort_sources(name, read_source, {}, ())
    names = _name_modules(order)
    return {
        later: _bundle_later_module(later, read_source, names)
        for later in _list_later_modules(order)
    }


def _bundle_script(name: str, read_source: ReadSource) -> str:
    order = _sort_sources(name, read_source, {}, ())
    names = _name_modules(order)
    *wrapped, last = (_wrap_module(module, text, names, name) for module, text in order.items())
    shared = _list_shared_modules(order, read_source)
    shared_names = "".join(f"{names[module]}, " for module in order if module in shared)
    export = f"globalThis.{_SHARED} = {{ {shared_names}}};\n" if shared_names else ""
    return _strip_source("".join((*wrapped, export, last)))


def _bundle_later_module(name: str, read_source: ReadSource, bundled: dict[str, str]) -> str:
    order = _sort_sources(name, read_source, {}, ())
    shared_names = [bundled[module] for module in order if module in bundled]
    own = {module: source for module, source in order.items() if module not in bundled}
    names = bundled | {module: f"$l{place}" for place, module in enumerate(own)}
    wrapped = "".join(_wrap_module(module, text, names, name) for module, text in own.items())
    import_ = (
        f"const {{ {', '.join(shared_names)} }} = globalThis.{_SHARED};\n" if shared_names else ""
    )
    exported = ", ".join(_EXPORTED.findall(own[name]))
    return _strip_source(f"{import_}{wrapped}export const {{ {exported} }} = {names[name]};\n")


def _name_modules(order: dict[str, str]) -> dict[str, str]:
    return {module: f"$m{place}" for place, module in enumerate(order)}


def _list_later_modules(order: dict[str, str]) -> list[str]:
    """List the modules that these sources load later and that are in the last source's folder.

    Modules in other folders are excluded, because pages without this bundle use them too.
    """
    addresses = (
        _resolve_address(module, match[1])
        for module, source in order.items()
        for match in _LATE.finditer(_strip_source(source))
    )
    folder = posixpath.dirname([*order][-1])
    return [name for name in dict.fromkeys(addresses) if posixpath.dirname(name) == folder]


def _list_shared_modules(order: dict[str, str], read_source: ReadSource) -> set[str]:
    """Return the modules in this bundle that later modules import."""
    needed = (_sort_sources(later, read_source, {}, ()) for later in _list_later_modules(order))
    return {module for sources in needed for module in sources if module in order}


def _sort_sources(
    name: str, read_source: ReadSource, sources: dict[str, str], importers: tuple[str, ...]
) -> dict[str, str]:
    """Return a source and everything that it imports, by name. Imported sources come first."""
    if name in importers:
        raise ValueError(f"{name} imports itself by {', '.join(importers)}.")
    if name not in sources:
        source = read_source(name)
        for needed in _iterate_imports(name, source):
            _sort_sources(needed, read_source, sources, (*importers, name))
        sources[name] = source
    return sources


def _iterate_imports(name: str, source: str) -> Iterator[str]:
    for pattern in (_NAMED, _BARE):
        yield from (
            _resolve_address(name, match[match.lastindex or 1])
            for match in pattern.finditer(source)
        )


def _resolve_address(name: str, address: str) -> str:
    """Resolve the path of an import relative to the importing file."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), address))


def _wrap_module(name: str, source: str, names: dict[str, str], entry: str) -> str:
    """Wrap a module in a function that returns its exports.

    `entry` is the file whose bundle will contain the module.
    """
    exported = ", ".join(_EXPORTED.findall(source))
    body = _NAMED.sub(
        lambda match: _write_binding(names[_resolve_address(name, match[2])], match[1]), source
    )
    body = _LATE.sub(
        lambda match: _write_dynamic_import(_resolve_address(name, match[1]), entry), body
    )
    body = _EXPORT.sub("", _BARE.sub("", body))
    if unsupported := _OTHER.search(body) or _LONG_TEXT.search(_strip_source(body)):
        raise ValueError(f"{name} cannot be put into one file with others: {unsupported[0]}")
    return f"const {names[name]} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"


def _write_binding(module: str, names: str) -> str:
    return f"const {{ {' '.join(names.split()).replace(' as ', ': ')} }} = {module};"


def _write_dynamic_import(name: str, entry: str) -> str:
    return f'import("./{posixpath.relpath(name, posixpath.dirname(entry))}")'


def _bundle_stylesheet(name: str, read_source: ReadSource) -> str:
    parts = [
        read_source(_resolve_address(name, address))
        for address in _STYLE_IMPORT.findall(read_source(name))
    ]
    return _strip_source("".join(parts))


def _strip_source(source: str) -> str:
    """Remove comment lines, type casts and indentation from a source."""
    return _INDENT.sub("", _CAST.sub("", _COMMENT.sub("", source)))
