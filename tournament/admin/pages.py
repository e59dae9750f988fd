"""Pages of one event in the admin: they load it, call one service, say what happened."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.generic import TemplateView

from tournament.admin.access import organized_event
from tournament.models import Event, User
from tournament.queries.proposals import waiting_count
from tournament.services import Refused
from tournament.services.notices import outbox

Do = Callable[[], str]


class EventPage(TemplateView):
    """One page of an event's desk.

    A POST names its `action`; `actions()` says which there are. Each returns the sentence that is
    shown afterwards; what is refused is shown instead. `tab` is the entry of the event's menu.
    """

    title: str | Promise = ""
    tab = ""
    event: Event

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.event = organized_event(request.user, kwargs["event_id"])
        self.load()

    def load(self) -> None:
        """Fetch what the address names besides the event; 404 for what is not the event's."""

    @property
    def user(self) -> User:
        assert isinstance(self.request.user, User)
        return self.request.user

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(
            **admin.site.each_context(self.request),
            title=self.get_title(),
            event=self.event,
            tab=self.tab,
            tabs=tabs(self.event),
            # Counted by the pages that show it; the tables of the control room are asked for often.
            waiting_count=partial(waiting_count, self.event),
            **kwargs,
        )

    def get_title(self) -> str:
        return str(self.title)

    def actions(self) -> dict[str, Do]:
        """What a POST may do here, by name."""
        return {}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        do = self.actions().get(request.POST.get("action", ""))
        if do is None:
            return self.http_method_not_allowed(request)
        with outbox() as box:
            try:
                messages.success(request, do())
            except Refused as refused:
                messages.error(request, refused.message)
        if box.sentence:
            messages.warning(request, box.sentence)
        return self.done()

    def done(self) -> HttpResponse:
        """Where to go after a POST."""
        return redirect(self.request.path)

    def text(self, name: str) -> str:
        """A field of the POST."""
        return self.request.POST.get(name, "").strip()

    def find(self, rows: Any, pk: Any) -> Any:
        """The row with this key among `rows`, else 404."""
        found = rows.filter(pk=pk).first() if str(pk).isdecimal() else None
        if found is None:
            raise Http404("Not in this event.")
        return found


def link(name: str, event: Event, *rest: Any) -> str:
    """Address of an event's page."""
    return reverse(f"admin:event-{name}", args=[event.pk, *rest])


def tabs(event: Event) -> list[tuple[str, str, str]]:
    """The event's menu: key, title, address."""
    registrations = reverse("admin:tournament_registration_changelist")
    log = reverse("admin:tournament_auditentry_changelist")
    return [
        ("desk", _("Desk"), link("desk", event)),
        ("list", _("List"), link("list", event)),
        ("registrations", _("Registrations"), f"{registrations}?event__id__exact={event.pk}"),
        ("check-in", _("Check-in"), link("check-in", event)),
        ("rounds", _("Rounds"), link("rounds", event)),
        ("control", _("Control room"), link("control", event)),
        ("standings", _("Standings"), link("standings", event)),
        ("qualify", _("Qualify"), link("qualify", event)),
        ("bracket", _("Bracket"), link("bracket", event)),
        ("people", _("People"), link("people", event)),
        ("exports", _("Exports"), link("exports", event)),
        ("settings", _("Settings"), reverse("admin:tournament_event_change", args=[event.pk])),
        ("rules", _("Rules"), link("rules", event)),
        ("log", _("Log"), f"{log}?event__id__exact={event.pk}"),
    ]


def urls(pages: Iterable[tuple[str, str, type[EventPage]]]) -> list[URLPattern]:
    """Patterns for (name, path below the event, page), each behind the admin's own gate."""
    return [
        path(
            f"<int:event_id>/{below}",
            admin.site.admin_view(page.as_view()),
            name=f"event-{name}",
        )
        for name, below, page in pages
    ]
