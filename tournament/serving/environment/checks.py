"""What `manage.py check`, and every command that checks, says of variables that nobody reads."""

import os
from typing import Any

from django.core.checks import CheckMessage, Warning

from tournament.serving.environment.reading import misspelt


def names_that_nobody_reads(**options: Any) -> list[CheckMessage]:
    return [
        Warning(f"{name}: did you mean {ours}? Nobody reads {name}.", id="lastcard.W001")
        for name, ours in misspelt(os.environ).items()
    ]
