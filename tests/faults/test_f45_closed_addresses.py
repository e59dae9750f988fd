"""F45: internal addresses are closed to visitors."""

from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from tests.own_site import OwnSite

pytestmark = pytest.mark.slow
CLOSED_ADDRESSES = [
    "/metrics", "/docs/", "/docs", "/openapi.json", "/schema/", "/api/v1/docs", "/debug/",
    "/__debug__/", "/silk/", "/.git/HEAD", "/.env", "/secret-key", "/lastcard.sqlite3",
    "/var/secret-key", "/var/lastcard.sqlite3", "/var/demo-logins.json", "/worker.lock",
    "/tournament/settings.py", "/requirements.txt", "/manage.py", "/server-status",
]  # fmt: skip
TRAVERSAL_ADDRESSES = [
    "/static/../secret-key",
    "/static/..%2fsecret-key",
    "/static/%2e%2e/lastcard.sqlite3",
    "/static//etc/passwd",
    "/static/",
]
INTERNAL_TEXTS = [
    "Traceback",
    "site-packages",
    "settings.py",
    "SECRET_KEY",
    "DJANGO_SETTINGS_MODULE",
]


@pytest.fixture(scope="module")
def site() -> Iterator[OwnSite]:
    with OwnSite() as site:
        yield site


@pytest.mark.parametrize("path", [*CLOSED_ADDRESSES, *TRAVERSAL_ADDRESSES])
def test_closed_urls_reveal_nothing(site: OwnSite, path: str) -> None:
    status, text = site.get(path)
    assert status in (400, 404)
    # The language form contains the requested path, because it returns to that page.
    message = text.replace(f'value="{path}"', "")
    assert [word for word in INTERNAL_TEXTS if word in message] == []
    assert "SQLite format" not in text
    assert site.environment["SECRET_KEY"] not in text


def test_not_found_page_reveals_no_existing_urls(site: OwnSite) -> None:
    status, text = site.get("/no-such-page/")
    assert status == 404
    assert "URLconf" not in text


def test_server_does_not_identify_its_software(site: OwnSite) -> None:
    line = HTTPConnection("127.0.0.1", site.port, timeout=20)
    line.request("GET", "/rules/")
    names = {name.lower() for name, _value in line.getresponse().getheaders()}
    line.close()
    assert names & {"server", "x-powered-by", "via"} == set()


@pytest.mark.parametrize("path", ["/admin/", "/admin/tournament/event/", "/admin/doc/"])
def test_admin_shows_strangers_only_the_sign_in_page(site: OwnSite, path: str) -> None:
    status, text = site.get(path)
    assert status == 200
    assert 'name="login"' in text
