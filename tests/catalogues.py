"""Extraction and checks of translatable texts.

`make messages` updates the catalogues and `make test` checks them. xgettext reads a copy of the
code,
because Django's `makemessages` creates a file next to each template. The copy also contains the
texts of `locale/borrowed.txt`, wrapped in gettext calls.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polib

from tests import services

ROOT = Path(__file__).resolve().parent.parent
DJANGO_ADMIN = Path(sys.executable).with_name("django-admin")
SOURCES = ["games", "tournament", "templates", "static"]
DOMAINS = ["django", "djangojs"]  # Python code and templates; JavaScript
BORROWED_TEXTS = ROOT / "locale" / "borrowed.txt"

# A text is identified by its context, its wording and its plural.
Text = tuple[str | None, str, str]


class CatalogueError(Exception):
    """Raised for a text that xgettext cannot extract. The message contains its location."""


def extract_texts() -> dict[str, polib.POFile]:
    """Return the code's translatable texts by gettext domain.

    Raises CatalogueError or MissingServiceError.
    """
    with copy_sources() as folder:
        return {domain: _read_template(folder, domain) for domain in DOMAINS}


@contextmanager
def copy_sources() -> Iterator[Path]:
    """Provide a folder with a copy of the code and an empty `locale` folder."""
    with tempfile.TemporaryDirectory(prefix="lastcard-texts-") as name:
        for source in SOURCES:
            shutil.copytree(
                ROOT / source, Path(name, source), ignore=shutil.ignore_patterns("__pycache__")
            )
        Path(name, "locale").mkdir()
        Path(name, "borrowed.py").write_text(
            "\n".join(map(_format_gettext_call, iter_borrowed_texts()))
        )
        yield Path(name)


def iter_borrowed_texts() -> Iterator[Text]:
    """Yield the texts of other libraries that this project translates."""
    context = None
    for line in BORROWED_TEXTS.read_text().splitlines():
        if line.startswith("["):
            context = line.strip("[]")
        elif not line.startswith("#"):
            text, _, plural = line.partition(" | ")
            yield context, text, plural


def _format_gettext_call(text: Text) -> str:
    context, _, plural = text
    call = f"{'n' if plural else ''}{'p' if context else ''}gettext_lazy"
    return f"{call}({', '.join(repr(part) for part in text if part)})"


def _read_template(folder: Path, domain: str) -> polib.POFile:
    make_messages(folder, domain, "en")
    return polib.pofile(str(folder / "locale" / "en" / "LC_MESSAGES" / f"{domain}.po"))


def make_messages(folder: Path, domain: str, language: str) -> None:
    """Create or update a language's catalogue under `folder/locale`.

    Raises CatalogueError if xgettext prints warnings.
    """
    message = _run_django_admin(
        folder, "makemessages", "-d", domain, "-l", language, "--add-location", "file"
    )
    warnings = [line for line in message if line != f"processing locale {language}"]
    if warnings:
        raise CatalogueError("\n".join(warnings))


def _run_django_admin(folder: Path, *command: str) -> list[str]:
    services.find_gettext()
    environment = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(
        [str(DJANGO_ADMIN), *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    result = (done.stdout + done.stderr).splitlines()
    if done.returncode:
        raise CatalogueError("\n".join(result))
    return result


def update_catalogues(locale: Path, languages: list[str]) -> None:
    """Update and compile the catalogues of these languages in `locale`."""
    with copy_sources() as folder:
        (folder / "locale").rmdir()
        (folder / "locale").symlink_to(locale)
        for language in languages:
            for domain in DOMAINS:
                make_messages(folder, domain, language)
        _run_django_admin(folder, "compilemessages")


def list_languages(locale: Path) -> list[str]:
    return sorted(folder.parent.name for folder in locale.glob("*/LC_MESSAGES"))


def describe_stale_catalogues(locale: Path, current: dict[str, polib.POFile]) -> list[str]:
    """Return a sentence for each translation file that is out of date.

    A catalogue is out of date if its texts differ from those of the code, or if a translation is
    missing. A compiled file is out of date if its translations differ from those of its catalogue.
    """
    found = []
    for language in list_languages(locale):
        for domain, texts in current.items():
            path = locale / language / "LC_MESSAGES" / f"{domain}.po"
            if not path.exists() or list_texts(polib.pofile(str(path))) != list_texts(texts):
                found.append(f"{language}: {domain}.po has other texts than the code")
            elif open_texts := _find_untranslated(path):
                what = ", ".join(f"“{text}”" for text in open_texts[:3])
                found.append(f"{language}: {domain}.po lacks {len(open_texts)} texts: {what}")
            elif not _is_compiled(path):
                found.append(f"{language}: {domain}.mo was not made from {domain}.po")
    return found


def list_texts(catalogue: polib.POFile) -> set[Text]:
    return {
        (entry.msgctxt, entry.msgid, entry.msgid_plural)
        for entry in catalogue
        if not entry.obsolete
    }


def _find_untranslated(path: Path) -> list[str]:
    """Return the texts that have no translation or only a fuzzy one."""
    entries = [entry for entry in polib.pofile(str(path)) if not entry.obsolete]
    return [entry.msgid for entry in entries if not entry.translated()]


def _is_compiled(path: Path) -> bool:
    machine = path.with_suffix(".mo")
    if not machine.exists():
        return False
    written = polib.pofile(str(path)).translated_entries()
    read = [entry for entry in polib.mofile(str(machine)) if entry.msgid]
    return _group_by_text(written) == _group_by_text(read)


def _group_by_text(
    entries: Iterable[polib.POEntry | polib.MOEntry],
) -> dict[tuple[str | None, str], tuple[str, dict[int, str]]]:
    return {(entry.msgctxt, entry.msgid): _get_translation(entry) for entry in entries}


def _get_translation(entry: polib.POEntry | polib.MOEntry) -> tuple[str, dict[int, str]]:
    return entry.msgstr, {int(form): text for form, text in entry.msgstr_plural.items()}


def main(arguments: list[str]) -> int:
    """Check the catalogues, or update them if the first argument is "update".

    An update covers all existing languages and those named after "update". Return the exit status.
    """
    locale = ROOT / "locale"
    try:
        if arguments[:1] == ["update"]:
            update_catalogues(locale, sorted({*list_languages(locale), *arguments[1:]}))
            return 0
        problems = describe_stale_catalogues(locale, extract_texts())
    except CatalogueError as bad:
        problems = [str(bad)]
    print("\n".join(problems) or "Every text of the code can be translated.")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
