"""Tests of the tabs of an event's pages, and of those under “More” on a phone."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import Context
from django.utils import timezone

from tournament.models import Event, User
from tournament.pure.ranking.freeze import Freeze
from tournament.templatetags.tabs import EventTabs, event_tabs

OTHER_TABS = ["Bracket", "Results", "Rules", "History"]
FIRST_TABS = ["Overview", "Leaderboard", "Tables"]
STATE = Event.State
FROZEN = Freeze(at=timezone.now())


def make_tabs(here: str, state: str, user: Any = None, **fields: Any) -> EventTabs:
    event = Event(slug="cup", state=state, freeze=fields.pop("freeze", Freeze()))
    request = SimpleNamespace(resolver_match=SimpleNamespace(url_name=here))
    shown = {"event": event, "request": request, "user": user or AnonymousUser(), **fields}
    return event_tabs(Context(shown))["tabs"]


def list_tab_titles(event_tabs: EventTabs) -> list[str]:
    return [tab.title for tab in event_tabs.first]


@pytest.mark.parametrize(
    ("here", "state", "user", "pages", "personal"),
    [
        ("event", STATE.OPEN, None, {}, []),
        ("event", STATE.RUNNING, None, {}, []),
        ("event", STATE.OPEN, User(), {}, []),
        ("event", STATE.RUNNING, User(), {}, ["My table"]),
        ("my-table", STATE.OPEN, User(), {}, ["My table"]),
        ("event", STATE.FINISHED, None, {}, ["Podium"]),
        ("event", STATE.FINISHED, None, {"freeze": FROZEN}, []),
        ("my-table", STATE.FINISHED, User(), {}, ["My table", "Podium"]),
        ("event-register", STATE.OPEN, None, {}, ["Register"]),
        (
            "event-register",
            STATE.OPEN,
            User(),
            {"page": SimpleNamespace(registration=None)},
            ["Register"],
        ),
        (
            "event-register",
            STATE.OPEN,
            User(),
            {"page": SimpleNamespace(registration=1)},
            ["My registration"],
        ),
        (
            "event-withdraw",
            STATE.RUNNING,
            User(),
            {"registration": 1},
            ["My registration", "My table"],
        ),
    ],
)
def test_personal_tabs_appear_only_while_useful(
    here: str, state: str, user: User | None, pages: dict[str, Any], personal: list[str]
) -> None:
    found = make_tabs(here, state, user, **pages)
    assert list_tab_titles(found) == ["Overview", *personal, "Leaderboard", "Tables"]
    assert [tab.title for tab in found.rest] == OTHER_TABS
    crowded = len(personal) > 1 or personal in (["Register"], ["My registration"])
    folded = [*["Leaderboard"] * crowded, *["Tables"] * bool(personal), *OTHER_TABS]
    assert [tab.title for tab in found.folded] == folded


def test_current_page_is_marked_in_exactly_one_tab() -> None:
    found = make_tabs("event-leaderboard", STATE.OPEN)
    assert [tab.title for tab in [*found.first, *found.rest] if tab.here] == ["Leaderboard"]
    assert [tab.address for tab in found.first][:2] == ["/e/cup/", "/e/cup/leaderboard/"]
    assert not found.within
    assert found.more == "More"


@pytest.mark.parametrize(
    ("here", "state", "more"),
    [
        ("event-rules", STATE.OPEN, "Rules"),
        ("event-tables", STATE.FINISHED, "Tables"),
        ("event-tables", STATE.OPEN, "More"),
        ("", STATE.OPEN, "More"),
    ],
)
def test_more_menu_is_labelled_with_the_current_page(here: str, state: str, more: str) -> None:
    found = make_tabs(here, state)
    assert (found.more, found.within) == (more, more != "More")
