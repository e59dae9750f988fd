"""Versions and selected texts of the message catalogues for scripts."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.utils.translation import to_locale

from tournament.site.bundles import bundle

TABLE = "js/table/main.js"
# gettext separates a message's context from the message with this character.
_CONTEXT_END = "\x04"


@cache
def catalogue_version(language: str) -> str:
    """Return a hash of the language's catalogue.

    The hash includes the table's script, which determines the texts that a table needs first.
    """
    folders = [Path(folder) / to_locale(language) for folder in settings.LOCALE_PATHS]
    files = [folder / "LC_MESSAGES" / "djangojs.mo" for folder in folders]
    catalogue = b"".join(file.read_bytes() for file in files if file.exists())
    return hashlib.sha256(catalogue + _bundle_table_script().encode()).hexdigest()[:12]


def select_table_texts(catalogue: Mapping[str, str | list[str]]) -> dict[str, str | list[str]]:
    """Return the texts that occur in the table's first script."""
    script = _bundle_table_script()
    return {
        key: text
        for key, text in catalogue.items()
        if json.dumps(key.rpartition(_CONTEXT_END)[2], ensure_ascii=False) in script
    }


@cache
def _bundle_table_script() -> str:
    return bundle(TABLE, _read_source)


def _read_source(name: str) -> str:
    path = finders.find(name)
    return Path(path).read_text(encoding="utf-8") if isinstance(path, str) else ""
