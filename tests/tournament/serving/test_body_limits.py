"""Limits on request bodies, applied before any view sees the data."""

import asyncio
import errno
from typing import Any

import pytest

from tournament.pure.lists.sheets import MAX_BYTES
from tournament.serving import body_limits
from tournament.serving.body_limits import BodyLimits, get_body_limit

LOGIN = "/accounts/login/"


def make_body_events(*sizes: int) -> list[dict[str, Any]]:
    """Return the ASGI events of a body that arrives in pieces of these sizes."""
    last = len(sizes) - 1
    return [
        {"type": "http.request", "body": b"x" * size, "more_body": number < last}
        for number, size in enumerate(sizes)
    ]


class ReadingApp:
    """App that reads the whole body and responds with its length, as Django does."""

    def __init__(self) -> None:
        self.called = self.had = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.called += 1
        while True:
            event = await receive()
            if event["type"] == "http.disconnect":
                return
            self.had += len(event["body"])
            if not event["more_body"]:
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": str(self.had).encode()})


class FullDiskApp(ReadingApp):
    """App that runs out of disk space at the second piece of the body."""

    def __init__(self, number: int = errno.ENOSPC) -> None:
        super().__init__()
        self.number = number

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        for _piece in range(2):
            await receive()
        raise OSError(self.number, "No space left on device")


class SentRequest:
    """A request, with the response and the app that received it.

    `unread_count` is the number of body events that the app did not read.
    """

    def __init__(
        self,
        path: str,
        events: list[dict[str, Any]],
        length: int | None = None,
        pause: float = 0.0,
        app: ReadingApp | None = None,
    ) -> None:
        self.app, self.events, self.pause = app or ReadingApp(), iter(events), pause
        self.answer: list[dict[str, Any]] = []
        self.unread_count = len(events)
        headers = [] if length is None else [(b"content-length", str(length).encode())]
        scope: dict[str, Any] = {"type": "http", "path": path, "headers": headers}
        scope["client"] = ("203.0.113.9", 40_000)
        asyncio.run(BodyLimits(self.app)(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        for event in self.events:
            self.unread_count -= 1
            await asyncio.sleep(self.pause)
            return event
        await asyncio.sleep(60)
        raise AssertionError

    async def _send(self, message: dict[str, Any]) -> None:
        self.answer.append(message)

    @property
    def status(self) -> int:
        return int(self.answer[0]["status"])

    @property
    def text(self) -> str:
        return b"".join(each.get("body", b"") for each in self.answer).decode()


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/", 64_000),
        (LOGIN, 64_000),
        ("/adminish/", 64_000),
        ("/admin/tournament/registration/", 1_000_000),
        ("/admin/tournament/event/7/list/", MAX_BYTES + 100_000),
        ("/admin/tournament/event/7/list/3/", 1_000_000),
        ("/elsewhere/admin/tournament/event/7/list/", 64_000),
    ],
)
def test_each_path_has_its_limit(path: str, most: int) -> None:
    assert get_body_limit(path) == most


def test_body_within_the_limit_arrives_completely() -> None:
    sent = SentRequest(LOGIN, make_body_events(32_000, 0, 32_000))
    assert (sent.status, sent.text) == (200, "64000")


def test_body_one_byte_over_the_limit_is_refused_with_a_message() -> None:
    sent = SentRequest(LOGIN, make_body_events(32_000, 32_001))
    assert sent.status == 413
    assert "The data you sent is larger than this page accepts" in sent.text
    assert dict(sent.answer[0]["headers"])[b"connection"] == b"close"


def test_refusal_has_the_standard_security_headers() -> None:
    headers = dict(SentRequest(LOGIN, make_body_events(64_001)).answer[0]["headers"])
    assert b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"


def test_refusal_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    SentRequest(LOGIN, make_body_events(64_001))
    assert caplog.messages == ["Body refused with 413: from 203.0.113.9 at /accounts/login/"]


def test_app_never_receives_more_than_the_limit() -> None:
    sent = SentRequest(LOGIN, make_body_events(*[60_000] * 100))
    assert (sent.app.had, sent.unread_count) == (60_000, 0)


def test_body_declared_as_too_long_never_reaches_the_app() -> None:
    sent = SentRequest(LOGIN, make_body_events(*[60_000] * 100), length=6_000_000)
    assert (sent.status, sent.app.called) == (413, 0)


def test_student_list_may_be_uploaded() -> None:
    sent = SentRequest(
        "/admin/tournament/event/7/list/", make_body_events(MAX_BYTES, 900), MAX_BYTES + 900
    )
    assert sent.text == str(MAX_BYTES + 900)


def test_upload_to_a_full_disk_is_read_completely_before_it_is_refused(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sent = SentRequest(
        "/admin/tournament/event/bring/", make_body_events(*[60_000] * 100), app=FullDiskApp()
    )
    assert (sent.status, sent.unread_count) == (503, 0)
    assert "The site can’t save anything right now" in sent.text
    assert "No space left on device" in caplog.messages[0]


def test_other_errors_of_the_app_are_raised() -> None:
    with pytest.raises(PermissionError):
        SentRequest(LOGIN, make_body_events(1, 1), app=FullDiskApp(errno.EACCES))


def test_only_a_limited_part_of_a_refused_body_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(body_limits, "DISCARD_BYTES", 200_000)
    sent = SentRequest(LOGIN, make_body_events(*[70_000] * 10), length=700_000)
    assert (sent.status, sent.unread_count) == (413, 7)


def test_stalled_body_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limits, "PATIENCE", 0.05)
    sent = SentRequest(LOGIN, make_body_events(10, 10)[:1])
    assert sent.status == 408
    assert "Only part of what you sent arrived" in sent.text


def test_body_that_arrives_too_slowly_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limits, "WHOLE_SECONDS", 0.05)
    sent = SentRequest(LOGIN, make_body_events(*[1] * 1000), pause=0.005)
    assert sent.status == 408
    assert 0 < sent.app.had < 100


def test_slow_app_has_no_time_limit_after_the_body_has_arrived(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(body_limits, "PATIENCE", 0.02)

    async def request_slow_app() -> Any:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            listening = asyncio.create_task(receive())
            await asyncio.sleep(0.1)
            assert not listening.done(), "the visitor is still waiting"
            listening.cancel()
            await send({"type": "http.response.start", "status": 204, "headers": []})

        answer: list[Any] = []
        events = iter(make_body_events(5))

        async def receive() -> Any:
            for event in events:
                return event
            return await asyncio.Future()

        async def send(message: Any) -> None:
            answer.append(message)

        await BodyLimits(app)({"type": "http", "path": "/", "headers": []}, receive, send)
        return answer

    assert [each["status"] for each in asyncio.run(request_slow_app())] == [204]


@pytest.mark.parametrize("value", [b"-5", b"12a", b""])
def test_invalid_content_length_is_treated_as_zero(value: bytes) -> None:
    assert body_limits.get_declared_length({"headers": [(b"content-length", value)]}) == 0
