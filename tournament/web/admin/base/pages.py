"""Base class of the desk's pages, which load an event, call a service and report the result."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.generic import TemplateView

from tournament.common.refusals import RefusedError
from tournament.desk.proposals import count_pending
from tournament.desk.queries import pending_count
from tournament.mail.notices import outbox
from tournament.models import Event, User
from tournament.pure import rights_table
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.rounds.announcements import staff_messages
from tournament.stages.cut import cutting_stages
from tournament.web.admin.base.access import event_for, list_rights

Action = Callable[[], str]


class EventPage(TemplateView):
    """A page of an event's desk.

    A POST request has an `action`, which is a key of `actions()`. Each action returns a sentence
    to show afterwards, or raises a refusal, which is shown instead.

    * `tab`: the page's entry in the event's menu.
    * `sees`: the right needed to open the page (pure/rights_table.py).
    * `action_rights`: the right needed for each action. Other actions are only for owners.
    """

    title: str | Promise = ""
    tab = ""
    sees: ClassVar[str] = rights_table.RUN
    action_rights: ClassVar[Mapping[str, str]] = {}
    event: Event
    granted: dict[str, bool]

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.event = event_for(request, kwargs["event_id"])
        self.granted = list_rights(request, self.event)
        if not self.granted[self.sees]:
            raise PermissionDenied
        self.load()

    def load(self) -> None:
        """Load the other objects in the URL.

        Raises Http404 if one of them belongs to another event.
        """

    @property
    def my_table(self) -> str:
        """The URL of the page where players find their seat and open their match."""
        return self.request.build_absolute_uri(reverse("my-table", args=[self.event.slug]))

    @property
    def user(self) -> User:
        assert isinstance(self.request.user, User)
        return self.request.user

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(
            **self.get_frame_context(),
            title=self.get_title(),
            event=self.event,
            tab=self.tab,
            # `granted` has rights as keys, and `can` has actions with "_" instead of "-".
            granted=self.granted,
            can={
                name.replace("-", "_"): self.can(name)
                for name in {*self.actions(), *self.action_rights}
            },
            # Passed as functions, because only some pages show these values.
            waiting_count=partial(count_pending, self.event),
            told=partial(staff_messages, self.event),
            **kwargs,
        )

    def get_frame_context(self) -> dict[str, object]:
        """Return the context for the surrounding templates of the admin and the event's menu."""
        return admin.site.each_context(self.request) | {
            "groups": list_allowed_groups(self.event, self.granted)
        }

    def get_title(self) -> str:
        return str(self.title)

    def actions(self) -> dict[str, Action]:
        """Return the page's actions for POST requests, by name."""
        return {}

    def can(self, action: str) -> bool:
        """Return whether the user's role allows the action."""
        return self.granted[self.action_rights.get(action, rights_table.RUN)]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and not self.can(request.POST.get("action", "")):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        action = self.actions().get(request.POST.get("action", ""))
        if action is None:
            return self.http_method_not_allowed(request)
        with outbox() as box:
            try:
                messages.success(request, action())
            except RefusedError as refused:
                messages.error(request, self._describe_refusal(refused))
        if box.sentence:
            messages.warning(request, box.sentence)
        return self.redirect_when_done()

    def _describe_refusal(self, refused: RefusedError) -> str:
        """Describe a refusal, with a link to the requests if it waits for a second organizer."""
        if refused.code != Code.WAITING or not self.granted["see_staff"]:
            return refused.sentence
        parts = refused.sentence, link("waiting", self.event), _("View requests")
        return format_html('{} <a href="{}">{}</a>', *parts)

    def redirect_when_done(self) -> HttpResponse:
        """Redirect after a POST request."""
        return redirect(self.request.path)

    def text(self, name: str) -> str:
        """Return a field of the POST data."""
        return _read_text(self.request.POST, name)

    def search_words(self) -> str:
        """Return the search text, or "" if there is none."""
        return _read_text(self.request.GET, "q")

    def find(self, rows: Any, pk: Any) -> Any:
        """Return the row with this id among `rows`.

        Raises Http404 if there is none.
        """
        row = rows.filter(pk=parse_whole(str(pk)) or 0).first()
        if row is None:
            raise Http404("Not in this event.")
        return row


def _read_text(fields: QueryDict, name: str) -> str:
    """Return a field without NUL characters, which PostgreSQL does not accept."""
    return fields.get(name, "").replace("\0", "").strip()


def link(name: str, event: Event, *rest: Any) -> str:
    """Return the URL of a desk page of the event."""
    return reverse(f"admin:event-{name}", args=[event.pk, *rest])


@dataclass(frozen=True)
class Tab:
    """An entry of the event's menu.

    `sees` is the right needed to open it. `waits` counts the items that need attention, and is
    called only when the menu is shown. Some entries have no such items, and `waits` is None.
    """

    key: str
    title: str
    address: str
    sees: str
    waits: Callable[[], int] | None = None

    @cached_property
    def waiting(self) -> int:
        return self.waits() if self.waits else 0


@dataclass(frozen=True)
class TabGroup:
    """A group of menu entries for the same part of the day."""

    title: str
    tabs: list[Tab]

    def keys(self) -> list[str]:
        return [tab.key for tab in self.tabs]

    @cached_property
    def waits(self) -> int:
        """Total number of waiting items in the group."""
        return sum(tab.waiting for tab in self.tabs)


def list_tab_groups(event: Event) -> list[TabGroup]:
    """Return all entries of the event's menu. Each new page must be added to a group."""
    return [
        TabGroup(_("Before"), _list_early_tabs(event)),
        TabGroup(_("On the day"), _list_tabs_on_day(event)),
        TabGroup(_("After"), _list_tabs_after(event)),
        TabGroup(_("Event"), _list_tabs_for_event(event)),
    ]


def _list_early_tabs(event: Event) -> list[Tab]:
    registrations = reverse("admin:tournament_registration_changelist")
    own_registrations = f"{registrations}?event__id__exact={event.pk}"
    pending = partial(pending_count, event)
    return [
        Tab("list", _("Eligibility list"), link("list", event), "see_people"),
        Tab("registrations", _("Registrations"), own_registrations, "see_people", pending),
        Tab("plan", _("Planner"), link("plan", event), "see"),
        Tab("rehearsal", _("Rehearsal"), link("rehearsal", event), "see"),
    ]


def _list_tabs_on_day(event: Event) -> list[Tab]:
    steps = partial(count_pending, event)
    return [
        Tab("check-in", _("Check-in"), link("check-in", event), "see_people"),
        Tab("rounds", _("Rounds"), link("rounds", event), "see"),
        Tab("control", _("Control room"), link("control", event), "see"),
        Tab("print", _("Print"), link("print", event), "see"),
        Tab("rulings", _("Rulings"), link("conduct", event), "see_log"),
        Tab("waiting", _("Confirmations"), link("waiting", event), "see_staff", steps),
    ]


def _list_tabs_after(event: Event) -> list[Tab]:
    cut = [Tab("qualify", _("Who advances"), link("qualify", event), "see")]
    return [
        Tab("standings", _("Standings"), link("standings", event), "see"),
        *(cut if cutting_stages(event) else []),
        Tab("bracket", _("Bracket"), link("bracket", event), "see"),
        Tab("exports", _("Exports"), link("exports", event), "see"),
        Tab("closing", _("Afterwards"), link("closing", event), "see"),
    ]


def _list_tabs_for_event(event: Event) -> list[Tab]:
    settings = reverse("admin:tournament_event_change", args=[event.pk])
    page = Tab("public", _("Public page"), reverse("event", args=[event.slug]), "see")
    return [
        Tab("people", _("People"), link("people", event), "see_staff"),
        Tab("settings", _("Settings"), f"{settings}?part=event", "see_settings"),
        Tab("format", _("Format"), link("format", event), "see_settings"),
        Tab("rules", _("Rules"), link("rules", event), "see_settings"),
        Tab("log", _("Activity log"), link("log", event), "see_log"),
        *([page] if event.public else []),
    ]


def list_allowed_groups(event: Event, rights: Mapping[str, bool]) -> list[TabGroup]:
    """Return the menu without the entries that the user may not open."""
    shown = [
        TabGroup(group.title, [tab for tab in group.tabs if rights[tab.sees]])
        for group in list_tab_groups(event)
    ]
    return [group for group in shown if group.tabs]


def menu_of(event: Event, request: HttpRequest) -> list[TabGroup]:
    """Return the event's menu for the user of the request."""
    return list_allowed_groups(event, list_rights(request, event))


def urls(pages: Iterable[tuple[str, str, type[EventPage]]]) -> list[URLPattern]:
    """Return URL patterns that include the admin's access check.

    `pages` has the name, the path below the event and the class of each page.
    """
    return [
        path(
            f"<int:event_id>/{subpath}",
            admin.site.admin_view(page.as_view()),
            name=f"event-{name}",
        )
        for name, subpath, page in pages
    ]
