"""Django system checks for environment variables that are probably mistakes.

`manage.py check`, and every other command that runs checks, reports the results.
"""

import os
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning

from tournament.serving.environment.reading import find_misspellings
from tournament.serving.environment.variables import Variables


def check_variable_names(**options: Any) -> list[CheckMessage]:
    return [
        Warning(f"{name}: did you mean {known_name}? {name} is not a setting.", id="lastcard.W001")
        for name, known_name in find_misspellings(os.environ).items()
    ]


def check_sender_address(**options: Any) -> list[CheckMessage]:
    """Warn if a mail server is set, but no sender address.

    Receiving servers refuse mail from the default address.
    """
    default = Variables.model_fields["DEFAULT_FROM_EMAIL"].default
    if default != settings.DEFAULT_FROM_EMAIL or not settings.MAILERS["default"].get("OPTIONS"):
        return []
    message = (
        'DEFAULT_FROM_EMAIL is not set: write the sender, such as "Lastcard <cards@example.edu>".'
    )
    return [Warning(message, id="lastcard.W002")]
