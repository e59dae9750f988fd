"""Tests that the catalogues contain exactly the translatable texts of the code."""

import re
from pathlib import Path
from typing import Any

import polib
import pytest

from tests import catalogues, services

pytestmark = pytest.mark.patient

try:
    services.find_gettext()
except services.MissingServiceError as missing:
    pytest.skip(f"needs {missing}", allow_module_level=True)

Catalogues = dict[str, polib.POFile]
MARKED_TEXT = re.compile(r'\b(?:n?gettext)\(\s*"((?:[^"\\]|\\.)*)"')


@pytest.fixture(scope="module")
def current_texts() -> Catalogues:
    return catalogues.extract_texts()


def make_entry(text: str) -> polib.POEntry:
    return polib.POEntry(msgid=text, msgstr=text.upper())


@pytest.fixture
def german_catalogue(tmp_path: Path) -> Path:
    """Provide a `locale` folder with a compiled catalogue of two texts."""
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    for domain in catalogues.DOMAINS:
        catalogue = polib.POFile()
        catalogue += [make_entry("Draw"), make_entry("Pass")]
        catalogue.save(str(folder / f"{domain}.po"))
        catalogue.save_as_mofile(str(folder / f"{domain}.mo"))
    return tmp_path


def make_catalogue(*texts: str) -> Catalogues:
    catalogue = polib.POFile()
    catalogue += [polib.POEntry(msgid=text) for text in texts]
    return dict.fromkeys(catalogues.DOMAINS, catalogue)


def test_catalogues_contain_texts_of_pages_rules_and_scripts(current_texts: Catalogues) -> None:
    pages, scripts = ({e.msgid for e in current_texts[domain]} for domain in catalogues.DOMAINS)
    assert {"Skip to content", "%(n)s spot left."} <= pages
    assert {"Score sheet", "%(name)s has to draw %(cards)s"} <= scripts


def test_every_marked_script_text_is_extracted(current_texts: Catalogues) -> None:
    """Guard against texts that xgettext misses because of newer JavaScript syntax."""
    known = {entry.msgid for entry in current_texts["djangojs"]}
    scripts = Path(catalogues.ROOT, "static", "js").rglob("*.js")
    code = [re.sub(r"^ *//.*", "", path.read_text(), flags=re.MULTILINE) for path in scripts]
    assert [text for each in code for text in MARKED_TEXT.findall(each) if text not in known] == []


def test_translations_match_the_code(current_texts: Catalogues) -> None:
    assert catalogues.describe_stale_catalogues(catalogues.ROOT / "locale", current_texts) == []


def test_translation_of_current_texts_is_up_to_date(german_catalogue: Path) -> None:
    assert (
        catalogues.describe_stale_catalogues(german_catalogue, make_catalogue("Draw", "Pass")) == []
    )


def test_added_or_removed_text_makes_a_translation_stale(german_catalogue: Path) -> None:
    said = ["de: django.po has other texts than the code"]
    said += ["de: djangojs.po has other texts than the code"]
    assert (
        catalogues.describe_stale_catalogues(
            german_catalogue, make_catalogue("Draw", "Pass", "Catch")
        )
        == said
    )
    assert catalogues.describe_stale_catalogues(german_catalogue, make_catalogue("Draw")) == said


def test_uncompiled_translation_is_stale(german_catalogue: Path) -> None:
    path = german_catalogue / "de" / "LC_MESSAGES" / "django.po"
    catalogue = polib.pofile(str(path))
    catalogue[0].msgstr = "Ziehen"
    catalogue.save()
    assert catalogues.describe_stale_catalogues(
        german_catalogue, make_catalogue("Draw", "Pass")
    ) == ["de: django.mo was not made from django.po"]


def test_new_language_is_current_once_all_texts_are_translated(
    tmp_path: Path, current_texts: Catalogues
) -> None:
    catalogues.update_catalogues(tmp_path, ["de"])
    assert catalogues.list_languages(tmp_path) == ["de"]
    lacks = [
        line.split(" texts")[0]
        for line in catalogues.describe_stale_catalogues(tmp_path, current_texts)
    ]
    assert lacks == [f"de: {name}.po lacks {len(texts)}" for name, texts in current_texts.items()]
    for path in tmp_path.rglob("*.po"):
        catalogue = polib.pofile(str(path))
        for each in catalogue:
            each.msgstr, each.msgstr_plural = each.msgid, dict.fromkeys(each.msgstr_plural, "x")
        catalogue.save()
        catalogue.save_as_mofile(str(path.with_suffix(".mo")))
    assert catalogues.describe_stale_catalogues(tmp_path, current_texts) == []


@pytest.mark.parametrize("change", [{"msgstr": ""}, {"flags": ["fuzzy"]}], ids=["open", "fuzzy"])
def test_untranslated_and_fuzzy_texts_are_named(
    german_catalogue: Path, change: dict[str, Any]
) -> None:
    path = german_catalogue / "de" / "LC_MESSAGES" / "django.po"
    catalogue = polib.pofile(str(path))
    for name, value in change.items():
        setattr(catalogue[1], name, value)
    catalogue.save()
    said = ["de: django.po lacks 1 texts: “Pass”"]
    assert (
        catalogues.describe_stale_catalogues(german_catalogue, make_catalogue("Draw", "Pass"))
        == said
    )


def test_xgettext_warnings_are_reported(tmp_path: Path) -> None:
    (tmp_path / "locale").mkdir()
    (tmp_path / "words.py").write_bytes(b'_("No UTF-8: \xff")\n')
    with pytest.raises(catalogues.CatalogueError, match=r"words\.py"):
        catalogues.make_messages(tmp_path, "django", "en")
