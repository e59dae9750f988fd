"""The verification scripts of docs/, loaded as modules."""

import importlib.util
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "verify_deal.py"
MATCH_SCRIPT = SCRIPT.with_name("verify_match.py")


def load_script() -> Any:
    """Return docs/verify_deal.py as a module."""
    return load_module(SCRIPT)


def load_module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verdict = load_script().verdict
