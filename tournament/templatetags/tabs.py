"""Tabs of an event's pages: `{% event_tabs %}`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Event

register = template.Library()

# These pages share a tab.
REGISTERING = {"event-register", "event-withdraw"}
# Tabs that are under “More” on a phone.
FOLDED_PAGES = {
    "event-bracket": gettext_lazy("Bracket"),
    "event-results": gettext_lazy("Results"),
    "event-rules": gettext_lazy("Rules"),
    "event-history": gettext_lazy("History"),
}


@dataclass(frozen=True)
class EventTab:
    """A tab of an event's pages.

    `here` is true for the current page. If `wide`, the tab is under “More” on a phone.
    """

    title: str
    address: str
    here: bool
    wide: bool = False


@dataclass(frozen=True)
class EventTabs:
    """The tabs of an event.

    * `first`: the tabs that are visible on a large screen.
    * `rest`: the tabs under “More” on a large screen.
    * `folded`: the tabs under “More” on a phone.
    """

    first: list[EventTab]
    rest: list[EventTab]

    @property
    def folded(self) -> list[EventTab]:
        return [*(tab for tab in self.first if tab.wide), *self.rest]

    @property
    def within(self) -> bool:
        """True if the current page is under “More”."""
        return any(tab.here for tab in self.folded)

    @property
    def more(self) -> str:
        """The label of “More”, or the title of the current page if it is under “More”."""
        return next((tab.title for tab in self.folded if tab.here), _("More"))


@register.inclusion_tag("tournament/common/event_tabs.html", takes_context=True)
def event_tabs(context: Context) -> dict[str, EventTabs]:
    """Return the tabs of the event in the context.

    On a phone, the user's own tabs leave less room for others, which are then under “More”.
    """
    match = context["request"].resolver_match
    here = match.url_name if match else ""
    event: Event = context["event"]
    own = [*_iterate_own_tabs(context, event, here)]
    crowded = len(own) > 1 or here in REGISTERING
    tables = _make_tab(event, "event-tables", _("Tables"), here, wide=bool(own))
    leaderboard = _make_tab(event, "event-leaderboard", _("Leaderboard"), here, wide=crowded)
    first = [_make_tab(event, "event", _("Overview"), here), *own, leaderboard, tables]
    return {
        "tabs": EventTabs(first, [_make_tab(event, *page, here) for page in FOLDED_PAGES.items()])
    }


def _iterate_own_tabs(context: Context, event: Event, current_page: str) -> Iterator[EventTab]:
    """Yield the tabs that are shown only to some users or only at certain times."""
    if current_page in REGISTERING:
        registered = getattr(context.get("page"), "registration", context.get("registration"))
        title = _("My registration") if registered else _("Register")
        yield EventTab(title, reverse("event-register", args=[event.slug]), here=True)
    playing = context["user"].is_authenticated and event.state == Event.State.RUNNING
    if playing or current_page == "my-table":
        yield _make_tab(event, "my-table", _("My table"), current_page)
    if event.state == Event.State.FINISHED and not event.freeze:
        yield _make_tab(event, "event-closing", _("Podium"), current_page)


def _make_tab(
    event: Event, page: str, title: Any, current_page: str, *, wide: bool = False
) -> EventTab:
    return EventTab(
        str(title), reverse(page, args=[event.slug]), here=page == current_page, wide=wide
    )
