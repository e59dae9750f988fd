"""Tests of the news that windows receive from the desk of their event."""

import asyncio
import threading
from collections.abc import Collection
from typing import Any

import pytest
from django.db import OperationalError

from games.apps import NoDesk
from games.protocol.desk import DeskLine, TableNews
from games.services import RefusedError
from games.sockets import desks
from games.sockets.desks import NOTHING, Desks
from tests.games.helpers import seat_number

REFEREE_CALL: Any = {"seat": 1, "reason": "cards", "at": 0}
TO_PLAYERS: Any = {"id": 1, "text": "Please hurry.", "at": 1}
TO_VIEWERS: Any = {"id": 2, "text": "The next round is at noon.", "at": 2}
TABLE_NEWS = TableNews(
    [REFEREE_CALL],
    [DeskLine(1, "Please hurry.", 1)],
    [DeskLine(2, "The next round is at noon.", 2)],
    reactions=True,
)


class RecordingDesk(NoDesk):
    """Fake desk with the given news, which records the queries for it."""

    def __init__(self, news: dict[int, TableNews]) -> None:
        self.tables = news
        self.asked: list[list[int]] = []

    def news(self, matches: Collection[int]) -> dict[int, TableNews]:
        self.asked.append(sorted(matches))
        return {pk: news for pk, news in self.tables.items() if pk in matches}


@pytest.fixture
def recording_desk(monkeypatch: pytest.MonkeyPatch) -> RecordingDesk:
    found = RecordingDesk({1: TABLE_NEWS, 2: TABLE_NEWS._replace(reactions=False)})
    monkeypatch.setattr(desks, "desk", lambda: found)
    return found


def make_desks(_desk: RecordingDesk, *matches: int) -> Desks:
    found = Desks()
    found.refresh(matches)
    return found


@pytest.mark.parametrize(
    ("match", "seat", "expected"),
    [
        (
            1,
            0,
            {
                "type": "desk",
                "may_call": True,
                "may_react": True,
                "calls": [REFEREE_CALL],
                "messages": [TO_PLAYERS],
            },
        ),
        (
            2,
            1,
            {
                "type": "desk",
                "may_call": True,
                "may_react": False,
                "calls": [REFEREE_CALL],
                "messages": [TO_PLAYERS],
            },
        ),
        (1, None, {**NOTHING, "messages": [TO_VIEWERS]}),
        (3, 0, NOTHING),
        (3, None, NOTHING),
        (99, 0, NOTHING),
    ],
)
def test_players_may_call_and_viewers_get_their_own_messages(
    recording_desk: RecordingDesk, match: int, seat: int | None, expected: dict[str, Any]
) -> None:
    assert make_desks(recording_desk, 1, 2, 3).message(match, seat_number(seat)) == expected


def test_news_is_loaded_in_batches_and_outdated_news_is_dropped(
    recording_desk: RecordingDesk,
) -> None:
    found = make_desks(recording_desk, 1, 2)
    del recording_desk.tables[1]
    found.refresh([1])
    assert recording_desk.asked == [[1, 2], [1]]
    assert found.message(1, seat_number(0)) == NOTHING
    assert found.message(2, seat_number(0))["calls"] == [REFEREE_CALL]


def test_only_watched_tables_are_remembered(recording_desk: RecordingDesk) -> None:
    found = make_desks(recording_desk, 1, 2)
    found.keep_only([2, 3])
    assert found.message(1, seat_number(0)) == NOTHING
    assert found.message(2, seat_number(0))["may_call"] is True


@pytest.mark.parametrize(
    ("ask", "code", "sentence"),
    [
        (
            lambda desk: desk.call_referee(1, 0, "cards"),
            "no-desk",
            "You can’t call a referee to this table.",
        ),
        (
            lambda desk: desk.withdraw_call(1, 0),
            "no-desk",
            "You can’t call a referee to this table.",
        ),
        (
            lambda desk: desk.check_reactions(1),
            "no-reactions",
            "Reactions are turned off at this table.",
        ),
    ],
)
def test_table_without_an_event_has_no_desk(ask: Any, code: str, sentence: str) -> None:
    with pytest.raises(RefusedError) as refused:
        ask(NoDesk())
    assert (refused.value.code, refused.value.sentence) == (code, sentence)
    assert NoDesk().news([1]) == {}


def test_news_is_up_to_date_until_a_change_is_notified(recording_desk: RecordingDesk) -> None:
    desks = make_desks(recording_desk, 1)
    assert (desks.is_up_to_date(1), desks.is_up_to_date(2)) == (True, False)
    desks.notify(1)
    assert not desks.is_up_to_date(1)
    desks.refresh([1, 2])
    assert (desks.is_up_to_date(1), desks.is_up_to_date(2)) == (True, True)


def test_news_that_changes_during_a_query_is_not_up_to_date(
    recording_desk: RecordingDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desks = make_desks(recording_desk, 1)
    asked = recording_desk.news

    def notify_during_query(matches: Collection[int]) -> dict[int, TableNews]:
        desks.notify(1)
        return asked(matches)

    monkeypatch.setattr(recording_desk, "news", notify_during_query)
    desks.refresh([1, 2])
    assert (desks.is_up_to_date(1), desks.is_up_to_date(2)) == (False, True)


def test_news_of_unwatched_tables_is_forgotten(recording_desk: RecordingDesk) -> None:
    desks = make_desks(recording_desk, 1, 2)
    desks.notify(2)
    desks.keep_only([1])
    assert (desks.is_up_to_date(1), desks.is_up_to_date(2)) == (True, False)
    assert (desks.message(1, None), desks.message(2, None)) == (
        {**NOTHING, "messages": [TO_VIEWERS]},
        NOTHING,
    )


def test_many_windows_share_one_query_for_news(recording_desk: RecordingDesk) -> None:
    found = Desks()

    async def request_news() -> None:
        await asyncio.gather(*(found.ensure_loaded(match) for match in [1, 2] * 30))
        await found.ensure_loaded(1)

    asyncio.run(request_news())
    assert recording_desk.asked == [[1, 2]]
    assert found.message(1, None) == {**NOTHING, "messages": [TO_VIEWERS]}


def test_news_that_changes_during_a_query_is_loaded_again(recording_desk: RecordingDesk) -> None:
    found, news = Desks(), recording_desk.news

    def change_news_during_query(matches: Collection[int]) -> dict[int, TableNews]:
        recording_desk.news = news  # type: ignore[method-assign]
        found.notify(1)
        return news(matches)

    recording_desk.news = change_news_during_query  # type: ignore[method-assign]
    asyncio.run(found.ensure_loaded(1))
    assert (recording_desk.asked, found.is_up_to_date(1)) == ([[1], [1]], True)


def test_database_error_reaches_all_waiting_windows_and_allows_a_retry(
    recording_desk: RecordingDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Desks()

    def raise_database_error(_matches: Collection[int]) -> dict[int, TableNews]:
        raise OperationalError("gone")

    async def request_news_in_vain() -> list[BaseException | None]:
        asking = [found.ensure_loaded(match) for match in (1, 2)]
        return await asyncio.gather(*asking, return_exceptions=True)

    with monkeypatch.context() as patch:
        patch.setattr(recording_desk, "news", raise_database_error)
        assert [type(error) for error in asyncio.run(request_news_in_vain())] == [
            OperationalError
        ] * 2
    asyncio.run(found.ensure_loaded(2))
    assert recording_desk.asked == [[2]]


def test_late_query_does_not_overwrite_newer_news(recording_desk: RecordingDesk) -> None:
    found, asked, answered = Desks(), threading.Event(), threading.Event()
    news = recording_desk.news

    def answer_slowly(matches: Collection[int]) -> dict[int, TableNews]:
        asked.set()
        answered.wait(20)
        return {}

    recording_desk.news = answer_slowly  # type: ignore[method-assign]
    older = threading.Thread(target=found.refresh, args=([1],))
    older.start()
    asked.wait(20)
    recording_desk.news = news  # type: ignore[method-assign]
    found.notify(1)
    found.refresh([1])
    answered.set()
    older.join(20)
    assert (found.is_up_to_date(1), found.message(1, None)["messages"]) == (True, [TO_VIEWERS])
