"""docs/verify_deal.py as a module, for tests that ask it about one record."""

import importlib.util
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "verify_deal.py"


def script() -> Any:
    """The script, loaded from its file."""
    spec = importlib.util.spec_from_file_location("verify_deal", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verdict = script().verdict
