"""Django system checks of live play. They run before every management command."""

from pathlib import Path
from typing import Any

from django.core.checks import CheckMessage, Error

RULES = Path(__file__).resolve().parent / "rules"
ERROR = "games.E001"


def compiled_rules(app_configs: Any, folder: Path = RULES, **options: Any) -> list[CheckMessage]:
    """Check that the compiled rules are not older than their source code.

    Otherwise Python would import the outdated files built by `make compiled`.
    """
    made = [found.stat().st_mtime for found in folder.rglob("*.so")]
    newest = max(found.stat().st_mtime for found in folder.rglob("*.py"))
    if not made or min(made) >= newest:
        return []
    hint = "make compiled, or make plain."
    return [Error("The compiled rules are older than their source.", hint=hint, id=ERROR)]
