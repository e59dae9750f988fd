"""`make newest` differs from `make test` in Django alone."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DJANGO = {"django", "django-tasks"}


def list_pinned_packages(name: str) -> set[tuple[str, str]]:
    """Each package with its version, but those that only another Python or system needs."""
    text = (ROOT / name).read_text()
    found = re.findall(r"^([\w.-]+)==(\S+) ([;\\])(.*)", text, flags=re.MULTILINE)
    return {(what, version) for what, version, mark, when in found if not left_out(mark, when)}


def left_out(mark: str, when: str) -> bool:
    return mark == ";" and "==" in when


def test_the_newest_django_is_tried_with_what_the_site_runs_with() -> None:
    now, next_ = (
        list_pinned_packages("requirements-dev.txt"),
        list_pinned_packages("requirements-newest.txt"),
    )
    assert {what for what, _version in now ^ next_} == DJANGO
    assert int(dict(next_)["django"].partition(".")[0]) > int(dict(now)["django"].partition(".")[0])
