"""Django system checks of live play. They run before every management command."""

from pathlib import Path
from typing import Any

from django.core.checks import CheckMessage, Error

RULES = Path(__file__).resolve().parent / "rules"
ERROR = "games.E001"


def check_compiled_rules(
    app_configs: Any, folder: Path = RULES, **options: Any
) -> list[CheckMessage]:
    """Check that the compiled rules are as new as their source code.

    Otherwise Python would import the outdated files built by `make compiled`.
    """
    compiled_times = [path.stat().st_mtime for path in folder.rglob("*.so")]
    newest = max(path.stat().st_mtime for path in folder.rglob("*.py"))
    if not compiled_times or min(compiled_times) >= newest:
        return []
    hint = "make compiled, or make plain."
    return [Error("The compiled rules are older than their source.", hint=hint, id=ERROR)]
