"""Test that errors in pages are reported to the test."""

from collections.abc import Callable
from typing import Any

import pytest

from games.process.asgi import App, Scope
from tests.engines.listening import ErrorListener, send_script
from tests.engines.person import Person

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

FAULTY_SCRIPT = b"""
console.error("one", 2);
document.body.append(Object.assign(new Image(), { src: "/static/none.png" }));
document.body.append(Object.assign(document.createElement("script"), { textContent: "3" }));
Promise.reject(new Error("four"));
throw new Error("five");
"""
ADD_ELEMENT = (
    "document.body.append(Object.assign(document.createElement('script'), { src: '/wrong.js' }))"
)


def add_wrong_script(site: App) -> App:
    async def serve_with_script(scope: Scope, receive: Any, send: Any) -> None:
        if scope["path"] == "/wrong.js":
            await send_script(send, FAULTY_SCRIPT)
        else:
            await site(scope, receive, send)

    return serve_with_script


@pytest.fixture
def wrap_site(page_errors: list[str]) -> Callable[[App], App]:
    return lambda site: ErrorListener(add_wrong_script(site), page_errors)


def test_page_errors_are_reported_to_the_test(person: Person, page_errors: list[str]) -> None:
    person.open_page("/rules/")
    person.run(ADD_ELEMENT)
    person.wait_until(lambda: len(page_errors) == 5, "not all errors were reported")
    found = sorted(line.replace("Uncaught ", "") for line in page_errors)
    page_errors.clear()
    assert found == [
        "/rules/: Error: five",
        "/rules/: against the policy: script-src-elem inline",
        "/rules/: not caught: Error: four",
        '/rules/: not loaded: <img src="/static/none.png">',
        "/rules/: one 2",
    ]
