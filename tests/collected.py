"""Static files as on a real site, compressed and with hashed names, collected only once."""

import shutil
import tempfile
from pathlib import Path

from tests import kept
from tests.commands import make_environment, manage

SOURCE_PATTERNS = [
    *("requirements.txt", "static/**/*", "docs/img/*"),
    *("tournament/settings.py", "tournament/site/storage.py", "tournament/site/web_fonts.py"),
]


def copy_static_files(folder: Path) -> Path:
    """Copy all static files to `folder`, which must not exist yet, and return it."""
    shutil.copytree(kept.make_cached("static", SOURCE_PATTERNS, _collect_into), folder)
    return folder


def _collect_into(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        manage(make_environment(Path(folder)), "collectstatic", "--noinput", "-v0")
        shutil.move(Path(folder) / "static", path)
