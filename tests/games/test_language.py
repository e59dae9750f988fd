"""Tests of the language of a socket, and of texts that are cached by language."""

import asyncio
from typing import Any

import pytest
from django.utils import translation
from django.utils.translation import gettext_lazy
from pytest_django import Settings

from games.language import (
    CatalogueWords,
    Languages,
    active_language,
    cached_by_language,
    language_of,
    use_language,
)
from games.process import here, run_in_database_thread
from games.protocol.messages import Notice
from games.sockets.base import Socket
from games.sockets.entrance.arrival import Arrival
from games.sockets.line.line import Line


@pytest.fixture(autouse=True)
def two_languages(settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "German")]


def make_scope(**headers: str) -> dict[str, Any]:
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "websocket", "headers": pairs}


@pytest.mark.parametrize(
    ("language", "headers"),
    [
        ("en", {}),
        ("de", {"cookie": "a=b; language=de"}),
        ("de", {"accept_language": "fr;q=0.9, de-CH, en;q=0.5"}),
        ("en", {"cookie": "language=en", "accept_language": "de"}),
        ("de", {"cookie": "language=xyz", "accept_language": "de"}),
        ("en", {"accept_language": "fr"}),
    ],
)
def test_language_cookie_overrides_the_browser_preference(
    language: str, headers: dict[str, str]
) -> None:
    assert language_of(make_scope(**headers)) == language


async def get_task_language() -> str:
    return translation.get_language()


async def list_active_languages(scope: dict[str, Any]) -> list[str]:
    """Return a connection's language as seen in its scope, its task, a subtask and a thread."""
    active = []

    async def app(scope: dict[str, Any], receive: object, send: object) -> None:
        active.append(scope["language"])
        active.append(translation.get_language())
        active.append(await asyncio.create_task(get_task_language()))
        active.append(await run_in_database_thread(translation.get_language))

    await asyncio.create_task(Languages(app)(scope, None, None))
    return active


@pytest.mark.asyncio
async def test_concurrent_connections_keep_their_languages() -> None:
    german, english = make_scope(cookie="language=de"), make_scope()
    both = await asyncio.gather(*map(list_active_languages, [german, english, german, english]))
    assert both == [["de"] * 4, ["en"] * 4] * 2
    assert translation.get_language() == "en"


def test_wording_is_cached_per_language() -> None:
    made = []

    @cached_by_language(8)
    def record_language(number: int) -> tuple[str, int]:
        """Return the active language and the number, and record the call."""
        made.append((translation.get_language(), number))
        return made[-1]

    for language in ("en", "de", "en", "de"):
        with translation.override(language):
            assert record_language(1) == (language, 1)
    assert made == [("en", 1), ("de", 1)]
    assert (
        record_language.__doc__ == "Return the active language and the number, and record the call."
    )


@pytest.mark.asyncio
async def test_broadcast_notice_uses_the_language_of_each_socket() -> None:
    """Check that a notice sent to all sockets is translated for each of them."""
    said = []

    class Listening(Socket[Notice]):
        async def say(self, message: Any) -> None:
            said.append(message["message"])

    for language in ("de", "en"):
        arrival = Arrival(here(), Line(), language, None, False, "", "", b"", {})
        socket = Listening(arrival, None)
        await socket.send_notice("restarting", gettext_lazy("Sunday"))
    assert said == ["Sonntag", "Sunday"]


def test_rules_text_is_translated_once_per_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lookups, look_up = list[str](), translation.gettext

    def record_lookup(text: str) -> str:
        lookups.append(text)
        return look_up(text)

    monkeypatch.setattr(translation, "gettext", record_lookup)
    words, text = CatalogueWords(), "It’s not your turn."
    found = {}
    for language in ("en", "bn", "en", "bn"):
        with translation.override(language):
            found[language] = words.gettext(text)
            assert found[language] == look_up(text)
    assert found["bn"] != found["en"] == text
    assert lookups == [text, text]


def test_use_language_also_activates_the_language_in_django() -> None:
    words, text = CatalogueWords(), "It’s not your turn."
    result = []
    for language in ("bn", "en", "bn"):
        with translation.override("hi"):
            with use_language(language):
                result.append((active_language(), translation.get_language(), words.gettext(text)))
            assert (active_language(), words.gettext(text)) == ("hi", translation.gettext(text))
    with translation.override("bn"):
        bengali = translation.gettext(text)
    assert result == [("bn", "bn", bengali), ("en", "en", text), ("bn", "bn", bengali)]


def test_previous_language_is_restored_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), use_language("bn"):
        raise ZeroDivisionError
    assert active_language() == translation.get_language() == "en"
