"""Checks for values of variables that are valid, but probably not intended.

`manage.py check`, and every command that runs checks, reports the results.
"""

import os
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning

from tournament.serving.environment.reading import find_misspelt
from tournament.serving.environment.variables import Variables


def unknown_variables(**options: Any) -> list[CheckMessage]:
    return [
        Warning(f"{name}: did you mean {known_name}? {name} is not a setting.", id="lastcard.W001")
        for name, known_name in find_misspelt(os.environ).items()
    ]


def mail_from_nowhere(**options: Any) -> list[CheckMessage]:
    """Warn about a mail server without a sender address.

    Other servers refuse mail from an invalid address.
    """
    default = Variables.model_fields["DEFAULT_FROM_EMAIL"].default
    if default != settings.DEFAULT_FROM_EMAIL or not settings.MAILERS["default"].get("OPTIONS"):
        return []
    message = (
        'DEFAULT_FROM_EMAIL is not set: write the sender, such as "Lastcard <cards@example.edu>".'
    )
    return [Warning(message, id="lastcard.W002")]
