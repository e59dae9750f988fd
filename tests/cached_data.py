"""Cache of slow test data, which is made once for all tests."""

import fcntl
import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE_FOLDER = ROOT / ".pytest_cache" / "made"


def compute_fingerprint(sources: Sequence[str]) -> str:
    """Return a digest of all files that match these patterns."""
    found = sorted(path for pattern in sources for path in ROOT.glob(pattern) if path.is_file())
    whole = b"".join(path.name.encode() + path.read_bytes() for path in found)
    return hashlib.sha256(whole).hexdigest()[:16]


def make_cached(name: str, sources: Sequence[str], make: Callable[[Path], None]) -> Path:
    """Return the path of the cached data, and make it again if a source has changed.

    `make` is called with the path to which it must write the data.
    """
    path = CACHE_FOLDER / f"{name}-{compute_fingerprint(sources)}"
    with exclusive_lock(name):
        if not path.exists():
            for old in CACHE_FOLDER.glob(f"{name}-*"):
                remove_path(old)
            unfinished = CACHE_FOLDER / f"unfinished-{name}"
            remove_path(unfinished)
            make(unfinished)
            unfinished.rename(path)
    return path


def remove_path(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def exclusive_lock(name: str) -> Iterator[None]:
    """Lock the data with this name, so that only one worker makes it while the others wait."""
    CACHE_FOLDER.mkdir(parents=True, exist_ok=True)
    with (CACHE_FOLDER / f"lock-{name}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
