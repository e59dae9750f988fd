"""Tests of bundles of scripts and style sheets."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from tournament.site.bundles import SCRIPTS, SHEETS, bundle, bundle_later_modules

STATIC = Path(settings.BASE_DIR) / "static"
MODULES = {
    "JS/main.js": """// The page.
import {
  double, SIZE as size,
} from "./sub/numbers.js";
import "./side.js";

/** What is said.
 * @param {number} n */
export function said(n) {
  return /** @type {any} */ (`${double(n)}/${size}`);
}
console.log(said(4));
""",
    "JS/sub/numbers.js": """import { SIZE as MOST } from "../sizes.js";
export const SIZE = MOST + 1;
const n = 1; // as others name theirs
export const double = (n) => 2 * n;
export class Kept {}
""",
    "JS/sizes.js": "/* One. */\nexport const SIZE = 9;\n",
    "JS/side.js": 'import { SIZE } from "./sizes.js";\nconsole.log("side", SIZE);\n',
}


def read_source(name: str) -> str:
    return (STATIC / name).read_text()


def test_bundled_modules_run_in_dependency_order(tmp_path: Path) -> None:
    if (node := shutil.which("node")) is None:
        pytest.skip("needs Node.js")
    (tmp_path / "made.mjs").write_text(bundle("JS/main.js", MODULES.__getitem__))
    done = subprocess.run([node, tmp_path / "made.mjs"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["side 9", "8/10"]


def test_bundle_contains_each_module_once_and_is_minified() -> None:
    made = bundle("JS/main.js", MODULES.__getitem__)
    assert made.count("const SIZE = 9;") == 1
    assert "const { SIZE: MOST } = $m0;" in made
    assert "return { SIZE, double, Kept };" in made
    assert not re.search(r"^\s*(//|/\*)|@type|^[ \t]|^\n", made, re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('import all from "./sizes.js";', "cannot be put into one file"),
        ("export default 3;", "cannot be put into one file"),
        ("export { said };", "cannot be put into one file"),
        ("export let count = 0;", "cannot be put into one file"),
        ("await said(1);", "cannot be put into one file"),
        ("const long = `a\n  b`;", "cannot be put into one file"),
        ('import { said } from "./main.js";', "imports itself by"),
    ],
)
def test_module_that_cannot_be_bundled_is_refused(line: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        bundle("JS/main.js", (MODULES | {"JS/side.js": f"{line}\n"}).__getitem__)


MODULES_WITH_LATER_ONES = {
    "JS/sub/numbers.js": MODULES["JS/sub/numbers.js"]
    + """export const far = () => import("../away.js");
far().then(({ told }) => console.log(told, globalThis.made));
""",
    "JS/away.js": """import { SIZE } from "./sizes.js";
import { near } from "./far/near.js";
export const told = `${near} of ${SIZE}`;
""",
    "JS/far/near.js": 'export const near = "far";\n',
    "JS/sizes.js": "globalThis.made = (globalThis.made ?? 0) + 1;\nexport const SIZE = 9;\n",
}


def test_module_loaded_later_shares_the_modules_of_the_page(tmp_path: Path) -> None:
    if (node := shutil.which("node")) is None:
        pytest.skip("needs Node.js")
    read = (MODULES | MODULES_WITH_LATER_ONES).__getitem__
    (tmp_path / "made.mjs").write_text(
        bundle("JS/main.js", read).replace('"./away.js"', '"./away.mjs"')
    )
    [(name, later)] = bundle_later_modules("JS/main.js", read).items()
    (tmp_path / "away.mjs").write_text(later)
    done = subprocess.run([node, tmp_path / "made.mjs"], capture_output=True, text=True, check=True)
    assert name == "JS/away.js"
    assert done.stdout.splitlines() == ["side 9", "8/10", "far of 9 1"]


def test_module_loaded_later_is_bundled_into_one_file() -> None:
    [later] = bundle_later_modules(
        "JS/main.js", (MODULES | MODULES_WITH_LATER_ONES).__getitem__
    ).values()
    assert 'const near = "far";' in later
    assert "const SIZE" not in later.replace("const { SIZE", "")
    assert not re.search(r"^\s*import\b", later, re.MULTILINE)


def test_stylesheet_bundle_inlines_its_imports_in_order() -> None:
    files = {
        "CSS/all.css": '/* All. */\n@import url("a.css");\n@import url("b.css");\n',
        "CSS/a.css": "/* A,\n   first. */\na {\n  color: red;\n}\n",
        "CSS/b.css": "b { color: blue; }\n",
    }
    assert bundle("CSS/all.css", files.__getitem__) == "a {\ncolor: red;\n}\nb { color: blue; }\n"


def test_module_of_another_folder_is_not_bundled() -> None:
    files = MODULES | {"JS/side.js": 'import("../pages/own.js");\n'}
    assert bundle_later_modules("JS/main.js", files.__getitem__) == {}
    assert 'import("./../pages/own.js");' in bundle("JS/main.js", files.__getitem__)


@pytest.mark.parametrize("name", [*SCRIPTS, *SHEETS])
def test_site_bundles_import_no_other_file(name: str) -> None:
    made = bundle(name, read_source)
    assert not re.search(r"^\s*(import|export)\b|@import", made, re.MULTILINE)


@pytest.mark.parametrize("name", SCRIPTS)
def test_modules_loaded_later_are_not_imported_elsewhere(name: str) -> None:
    named = {Path(later).name for later in bundle_later_modules(name, read_source)}
    used = {
        Path(match).name
        for file in (STATIC / "js").rglob("*.js")
        for match in re.findall(r'^(?:import|\}) .*from "(.*)";$', file.read_text(), re.MULTILINE)
    }
    assert named & used == set()
