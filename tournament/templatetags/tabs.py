"""The tabs of an event's pages: `{% event_tabs %}`."""

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

# Where one registers or takes it back is one page's place in the tabs.
REGISTERING = {"event-register", "event-withdraw"}
# On a phone these tabs are under “More”.
REST = {
    "event-bracket": gettext_lazy("Bracket"),
    "event-results": gettext_lazy("Results"),
    "event-rules": gettext_lazy("Rules"),
    "event-history": gettext_lazy("History"),
}


@dataclass(frozen=True)
class EventTab:
    """A tab, and whether it is the current page.

    `wide`: on a phone, the tab appears only under “More”.
    """

    title: str
    address: str
    here: bool
    wide: bool = False


@dataclass(frozen=True)
class EventTabs:
    """Tabs of an event.

    `first`: tabs in the strip. `rest`: tabs after them. `folded`: on a phone, all tabs under
    `more`.
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
        """Label of “More”: the title of the current page, if that is under it."""
        return next((tab.title for tab in self.folded if tab.here), _("More"))


@register.inclusion_tag("tournament/common/event_tabs.html", takes_context=True)
def event_tabs(context: Context) -> dict[str, EventTabs]:
    """Return the tabs of the context's event.

    The user's own pages are shown when they are useful, and while one of them is open. With two of
    them, or a long one, a phone has no room for any other tab.
    """
    match = context["request"].resolver_match
    here = match.url_name if match else ""
    event: Event = context["event"]
    own = [*_iterate_own_tabs(context, event, here)]
    crowded = len(own) > 1 or here in REGISTERING
    tables = _make_tab(event, "event-tables", _("Tables"), here, wide=bool(own))
    leaderboard = _make_tab(event, "event-leaderboard", _("Leaderboard"), here, wide=crowded)
    first = [_make_tab(event, "event", _("Overview"), here), *own, leaderboard, tables]
    return {"tabs": EventTabs(first, [_make_tab(event, *page, here) for page in REST.items()])}


def _iterate_own_tabs(context: Context, event: Event, here: str) -> Iterator[EventTab]:
    """Yield the tabs that are only shown to some users or at some times.

    With one of them, a phone has no room for “Tables”.
    """
    if here in REGISTERING:
        registered = getattr(context.get("page"), "registration", context.get("registration"))
        title = _("My registration") if registered else _("Register")
        yield EventTab(title, reverse("event-register", args=[event.slug]), here=True)
    playing = context["user"].is_authenticated and event.state == Event.State.RUNNING
    if playing or here == "my-table":
        yield _make_tab(event, "my-table", _("My table"), here)
    if event.state == Event.State.FINISHED and not event.freeze:
        yield _make_tab(event, "event-closing", _("Podium"), here)


def _make_tab(event: Event, page: str, title: Any, here: str, *, wide: bool = False) -> EventTab:
    return EventTab(str(title), reverse(page, args=[event.slug]), here=page == here, wide=wide)
