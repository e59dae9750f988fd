"""Django system checks for live play, which run before every management command."""

from pathlib import Path
from typing import Any

from django.core.checks import CheckMessage, Error

RULES = Path(__file__).resolve().parent / "rules"
OUTDATED = "games.E001"


def check_compiled_rules(
    app_configs: Any, folder: Path = RULES, **options: Any
) -> list[CheckMessage]:
    """Check that the compiled rules are not older than their source code.

    Otherwise Python would import the outdated files that `make compiled` built.
    """
    compiled_times = [path.stat().st_mtime for path in folder.rglob("*.so")]
    newest = max(path.stat().st_mtime for path in folder.rglob("*.py"))
    if not compiled_times or min(compiled_times) >= newest:
        return []
    hint = "make compiled, or make plain."
    return [Error("The compiled rules are older than their source.", hint=hint, id=OUTDATED)]
