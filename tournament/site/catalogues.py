"""The texts of the scripts in each language, and the version of each catalogue."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.translation import to_locale


@cache
def version(language: str) -> str:
    """Return a hash of the language's texts.

    It changes with every edition of the language's catalogue.
    """
    folders = [Path(folder) / to_locale(language) for folder in settings.LOCALE_PATHS]
    files = [folder / "LC_MESSAGES" / "djangojs.mo" for folder in folders]
    words = b"".join(file.read_bytes() for file in files if file.exists())
    return hashlib.sha256(words).hexdigest()[:12]
