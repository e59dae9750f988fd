"""Features of later Django versions that 5.2 lacks. Only this module depends on the version.

Before Django 6.0, `task` and related names come from a package. Before Django 6.1, the MAILERS
setting is read here. When 5.2 is no longer supported, delete this module and import directly from
Django.
"""

from typing import TYPE_CHECKING, Any

import django
from django.conf import settings
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend

if TYPE_CHECKING or django.VERSION >= (6, 0):
    from django.tasks import TaskResultStatus, task
    from django.tasks.backends.immediate import ImmediateBackend
else:
    from django_tasks import TaskResultStatus, task
    from django_tasks.backends.immediate import ImmediateBackend

__all__ = ["ImmediateBackend", "TaskResultStatus", "mailer", "task"]


def mailer() -> BaseEmailBackend:
    """Return a new, unopened connection to the mail server of `settings.MAILERS`."""
    if django.VERSION >= (6, 1):
        return mail.mailers.default
    default: Any = settings.MAILERS["default"]
    return mail.get_connection(default["BACKEND"], **default.get("OPTIONS", {}))
