"""Compressed static files with hashed names, as on a real site, collected once and then copied."""

import shutil
import tempfile
from pathlib import Path

from tests import cached_data
from tests.commands import make_environment, manage

SOURCE_PATTERNS = [
    *("requirements.txt", "static/**/*", "docs/img/*"),
    *("tournament/settings.py", "tournament/site/storage.py", "tournament/site/web_fonts.py"),
]


def copy_static_files(folder: Path) -> Path:
    """Copy all static files to the new folder `folder`, and return its path."""
    shutil.copytree(cached_data.make_cached("static", SOURCE_PATTERNS, _collect_into), folder)
    return folder


def _collect_into(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        manage(make_environment(Path(folder)), "collectstatic", "--noinput", "-v0")
        shutil.move(Path(folder) / "static", path)
