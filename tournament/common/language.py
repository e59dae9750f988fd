"""Language of stored text.

Stored text is in the site's language instead of the user's, because people with other languages
may read it later.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from django.conf import settings
from django.utils import translation


def use_site_language() -> AbstractContextManager[None]:
    """Return a context manager that translates texts into the site's language."""
    return translation.override(settings.LANGUAGE_CODE)


def translate_later(text: str, /, **values: object) -> Callable[[], str]:
    """Return a function that translates and formats a text when it is called.

    It uses the language that is active at that time.
    """
    return lambda: translation.gettext(text).format(**values)
