"""Base class of the desk's pages, and the menu of an event."""

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
from tournament.rounds.announcements import list_staff_messages
from tournament.stages.cut import list_cutting_stages
from tournament.web.admin.base.access import list_rights, staff_event_or_404

Action = Callable[[], str]


class EventPage(TemplateView):
    """A page of an event's desk.

    The `action` of a POST request is a key of `actions()`. An action returns a sentence to show
    on the next page. If the action is refused, the refusal is shown instead.

    * `tab`: the page's entry in the event's menu.
    * `view_right`: the right needed to open the page (pure/rights_table.py).
    * `action_rights`: the right needed for each action. Other actions are only for owners.
    """

    title: str | Promise = ""
    tab = ""
    view_right: ClassVar[str] = rights_table.RUN
    action_rights: ClassVar[Mapping[str, str]] = {}
    event: Event
    granted: dict[str, bool]

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.event = staff_event_or_404(request, kwargs["event_id"])
        self.granted = list_rights(request, self.event)
        if not self.granted[self.view_right]:
            raise PermissionDenied
        self.load()

    def load(self) -> None:
        """Load the other objects in the URL.

        Raises Http404 if one of them belongs to another event.
        """

    @property
    def my_table_url(self) -> str:
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
            # The keys of `granted` are rights. The keys of `can` are actions, with "_" for "-".
            granted=self.granted,
            can={
                name.replace("-", "_"): self.can(name)
                for name in {*self.actions(), *self.action_rights}
            },
            # Passed as functions, so that pages without these values do not load them.
            waiting_count=partial(count_pending, self.event),
            told=partial(list_staff_messages, self.event),
            **kwargs,
        )

    def get_frame_context(self) -> dict[str, object]:
        """Return the context for everything around the page, including the event's menu."""
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
        """Describe a refusal. If a request is waiting, link to the waiting requests."""
        if refused.code != Code.WAITING or not self.granted["see_staff"]:
            return refused.sentence
        parts = refused.sentence, desk_url("waiting", self.event), _("View requests")
        return format_html('{} <a href="{}">{}</a>', *parts)

    def redirect_when_done(self) -> HttpResponse:
        """Redirect after a POST request."""
        return redirect(self.request.path)

    def text(self, name: str) -> str:
        """Return a field of the POST data."""
        return _read_text(self.request.POST, name)

    def search_text(self) -> str:
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


def desk_url(name: str, event: Event, *rest: Any) -> str:
    """Return the URL of a desk page of the event."""
    return reverse(f"admin:event-{name}", args=[event.pk, *rest])


@dataclass(frozen=True)
class Tab:
    """An entry of the event's menu.

    * `view_right`: the right needed to open it.
    * `count_waiting`: a function that counts the items that need attention, or None if the page
      has no such items. It is called only when the menu is shown.
    """

    key: str
    title: str
    address: str
    view_right: str
    count_waiting: Callable[[], int] | None = None

    @cached_property
    def waiting(self) -> int:
        return self.count_waiting() if self.count_waiting else 0


@dataclass(frozen=True)
class TabGroup:
    """A group of menu entries under a common title."""

    title: str
    tabs: list[Tab]

    def keys(self) -> list[str]:
        return [tab.key for tab in self.tabs]

    @cached_property
    def waiting(self) -> int:
        """The number of items that need attention in the group."""
        return sum(tab.waiting for tab in self.tabs)


def list_tab_groups(event: Event) -> list[TabGroup]:
    """Return all entries of the event's menu, by group."""
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
        Tab("list", _("Eligibility list"), desk_url("list", event), "see_people"),
        Tab("registrations", _("Registrations"), own_registrations, "see_people", pending),
        Tab("plan", _("Planner"), desk_url("plan", event), "see"),
        Tab("rehearsal", _("Rehearsal"), desk_url("rehearsal", event), "see"),
    ]


def _list_tabs_on_day(event: Event) -> list[Tab]:
    steps = partial(count_pending, event)
    return [
        Tab("check-in", _("Check-in"), desk_url("check-in", event), "see_people"),
        Tab("rounds", _("Rounds"), desk_url("rounds", event), "see"),
        Tab("control", _("Control room"), desk_url("control", event), "see"),
        Tab("print", _("Print"), desk_url("print", event), "see"),
        Tab("rulings", _("Rulings"), desk_url("conduct", event), "see_log"),
        Tab("waiting", _("Confirmations"), desk_url("waiting", event), "see_staff", steps),
    ]


def _list_tabs_after(event: Event) -> list[Tab]:
    cut = [Tab("qualify", _("Who advances"), desk_url("qualify", event), "see")]
    return [
        Tab("standings", _("Standings"), desk_url("standings", event), "see"),
        *(cut if list_cutting_stages(event) else []),
        Tab("bracket", _("Bracket"), desk_url("bracket", event), "see"),
        Tab("exports", _("Exports"), desk_url("exports", event), "see"),
        Tab("closing", _("Afterwards"), desk_url("closing", event), "see"),
    ]


def _list_tabs_for_event(event: Event) -> list[Tab]:
    settings = reverse("admin:tournament_event_change", args=[event.pk])
    page = Tab("public", _("Public page"), reverse("event", args=[event.slug]), "see")
    return [
        Tab("people", _("People"), desk_url("people", event), "see_staff"),
        Tab("settings", _("Settings"), f"{settings}?part=event", "see_settings"),
        Tab("format", _("Format"), desk_url("format", event), "see_settings"),
        Tab("rules", _("Rules"), desk_url("rules", event), "see_settings"),
        Tab("log", _("Activity log"), desk_url("log", event), "see_log"),
        *([page] if event.public else []),
    ]


def list_allowed_groups(event: Event, rights: Mapping[str, bool]) -> list[TabGroup]:
    """Return the menu without the entries that the user may not open."""
    shown = [
        TabGroup(group.title, [tab for tab in group.tabs if rights[tab.view_right]])
        for group in list_tab_groups(event)
    ]
    return [group for group in shown if group.tabs]


def build_menu(event: Event, request: HttpRequest) -> list[TabGroup]:
    """Return the part of the event's menu that the user may open."""
    return list_allowed_groups(event, list_rights(request, event))


def make_url_patterns(pages: Iterable[tuple[str, str, type[EventPage]]]) -> list[URLPattern]:
    """Return URL patterns for pages that require access to the admin.

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
