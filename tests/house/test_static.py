"""Tests of the static files that a running site serves."""

import gzip
import json
from email.message import Message
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from pytest_django import Settings

from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def fetch(site: LiveSite, path: str, **headers: str) -> tuple[int, Message, bytes]:
    with urlopen(Request(site.url + path, headers=headers)) as answer:
        return answer.status, answer.headers, answer.read()


def test_hashed_file_can_be_cached_forever(live_site: LiveSite) -> None:
    address = staticfiles_storage.url("css/tokens.css")
    status, headers, content = fetch(live_site, address)
    assert address != "/static/css/tokens.css"
    assert status == 200
    assert headers["Content-Type"] == 'text/css; charset="utf-8"'
    assert headers["Cache-Control"] == "max-age=315360000, public, immutable"
    assert b"--paper" in content
    assert int(headers["Content-Length"]) == len(content)


def test_file_newer_than_the_process_is_found(live_site: LiveSite, settings: Settings) -> None:
    name = "css/newer.0123456789ab.css"
    file = Path(settings.STATIC_ROOT) / name
    file.write_text("/* of the next version */")
    try:
        assert fetch(live_site, f"/static/{name}")[2] == b"/* of the next version */"
        for path in ("/static/css/", "/static/css", "/static/%2e%2e/secret-key", "/static/no.css"):
            with pytest.raises(HTTPError) as answered:
                fetch(live_site, path)
            with answered.value as error:
                assert error.code == 404
    finally:
        file.unlink()


def test_manifest_has_the_content_type_browsers_expect(live_site: LiveSite) -> None:
    _, headers, content = fetch(live_site, staticfiles_storage.url("manifest.webmanifest"))
    assert headers["Content-Type"].partition(";")[0] == "application/manifest+json"
    manifest = json.loads(content)
    assert manifest["id"] == "/"
    assert [icon["purpose"] for icon in manifest["icons"]] == ["any", "any", "maskable"]


def test_static_file_is_served_compressed(live_site: LiveSite) -> None:
    address = staticfiles_storage.url("css/tokens.css")
    _, headers, content = fetch(live_site, address, **{"Accept-Encoding": "gzip"})
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(content) == fetch(live_site, address)[2]


def test_module_imports_use_hashed_names(live_site: LiveSite) -> None:
    _, _, content = fetch(live_site, staticfiles_storage.url("js/replay/main.js"))
    assert staticfiles_storage.url("js/table/cards.js").rpartition("/")[2].encode() in content


def test_table_page_starts_with_one_script_and_one_stylesheet(live_site: LiveSite) -> None:
    _, _, script = fetch(live_site, staticfiles_storage.url("js/table/main.js"))
    assert b"class Connection" in script
    assert b"\nimport " not in script
    _, _, sheet = fetch(live_site, staticfiles_storage.url("css/live.css"))
    assert b"--paper" in sheet
    assert b"@import" not in sheet


def test_unchanged_file_is_not_sent_again(live_site: LiveSite) -> None:
    address = staticfiles_storage.url("css/tokens.css")
    _, headers, _ = fetch(live_site, address)
    with pytest.raises(HTTPError) as answer:
        fetch(live_site, address, **{"If-Modified-Since": headers["Last-Modified"]})
    assert answer.value.code == 304
    answer.value.close()


def test_only_static_files_are_served(live_site: LiveSite) -> None:
    with pytest.raises(HTTPError) as answer:
        fetch(live_site, "/static/../settings.py")
    assert answer.value.code == 404
    answer.value.close()


def test_pictures_and_scripts_have_security_headers(live_site: LiveSite) -> None:
    """Guard against scripts in an SVG file that is opened directly."""
    _, headers, _ = fetch(live_site, staticfiles_storage.url("img/favicon.svg"))
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Access-Control-Allow-Origin"] is None
