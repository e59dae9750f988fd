"""Events in the admin: the list, the settings, and the desk's pages for each event."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.locks import lock_event
from tournament.common.moments import moment_text
from tournament.events.services import change_event, change_stage
from tournament.models import Event, Registration, Stage
from tournament.oversight.rights import events_for
from tournament.pure.rights_table import RUN
from tournament.web.admin.advancing import BracketPage, QualifyPage, StandingsPage
from tournament.web.admin.attendance.pages import AbsenteesPage, CheckInPage, DoorPage
from tournament.web.admin.base.access import OrganizedAdmin, may
from tournament.web.admin.base.generic import AnyStackedInline
from tournament.web.admin.base.pages import build_menu, desk_url, make_url_patterns
from tournament.web.admin.corrections import SeatingPreviewPage
from tournament.web.admin.desk.control import ControlPage
from tournament.web.admin.desk.desk import DeskPage
from tournament.web.admin.desk.runbook import RunbookPage
from tournament.web.admin.desk.waiting import WaitingPage
from tournament.web.admin.events.closing import ClosingPage
from tournament.web.admin.events.copying import CopyPage
from tournament.web.admin.events.formats import FormatPage
from tournament.web.admin.events.forms import (
    BracketForm,
    LastRoundsForm,
    RoundsForm,
    SettingsForm,
    StagesFormSet,
)
from tournament.web.admin.events.new_event import NewEventPage
from tournament.web.admin.events.rules import RulesPage
from tournament.web.admin.exports.exports import ExportPage, ExportsPage
from tournament.web.admin.exports.transfer import ImportEventPage, MoveEventPage, WholeEventFile
from tournament.web.admin.mail import EmailsPage
from tournament.web.admin.oversight.log import LogPage, SnapshotPage
from tournament.web.admin.people.accounts.desk_codes import SignInCodePage
from tournament.web.admin.people.staff import PeoplePage
from tournament.web.admin.planning.plan import PlanPage
from tournament.web.admin.planning.rehearsal import RehearsalPage
from tournament.web.admin.privacy import PrivacyPage
from tournament.web.admin.registration.eligibility import ImportPage, ListDownload, ListPage
from tournament.web.admin.rounds.messages import MessagesPage
from tournament.web.admin.rounds.outages import OutagesPage
from tournament.web.admin.rounds.rounds import RoundPage, RoundsPage
from tournament.web.admin.rounds.table import TablePage
from tournament.web.admin.rulings import EventRulingsPage, PlayerRulingsPage
from tournament.web.admin.seating.printing import PrintPage
from tournament.web.admin.standings import RevealPage

PAGES = (
    ("desk", "desk/", DeskPage),
    ("rules", "rules/", RulesPage),
    ("list", "list/", ListPage),
    ("list-download", "list/<slug:which>.csv", ListDownload),
    ("import", "list/<int:upload_id>/", ImportPage),
    ("rounds", "rounds/", RoundsPage),
    ("round", "rounds/<int:round_id>/", RoundPage),
    ("supposed", "rounds/<int:round_id>/supposed/", SeatingPreviewPage),
    ("print", "print/", PrintPage),
    ("control", "control/", ControlPage),
    ("messages", "messages/", MessagesPage),
    ("outages", "outages/", OutagesPage),
    ("reveal", "reveal/", RevealPage),
    ("table", "tables/<int:table_id>/", TablePage),
    ("standings", "standings/", StandingsPage),
    ("qualify", "qualify/", QualifyPage),
    ("bracket", "bracket/", BracketPage),
    ("people", "people/", PeoplePage),
    ("waiting", "waiting/", WaitingPage),
    ("player", "players/<int:registration_id>/", PlayerRulingsPage),
    ("conduct", "conduct/", EventRulingsPage),
    ("mails", "mails/", EmailsPage),
    ("log", "log/", LogPage),
    ("stood", "log/then/", SnapshotPage),
    ("exports", "exports/", ExportsPage),
    ("closing", "afterwards/", ClosingPage),
    ("carrying", "whole/", MoveEventPage),
    ("privacy", "personal-data/", PrivacyPage),
    ("whole", "whole/event.zip", WholeEventFile),
    ("export", "export/<str:which>", ExportPage),
    ("sign-in", "sign-in/", SignInCodePage),
    ("plan", "planner/", PlanPage),
    ("rehearsal", "rehearsal/", RehearsalPage),
    ("copy", "copy/", CopyPage),
    ("format", "format/", FormatPage),
    ("check-in", "check-in/", CheckInPage),
    ("absentees", "check-in/missing/", AbsenteesPage),
    ("door", "check-in/door/", DoorPage),
)


LATER_STAGES = Stage.objects.filter(event=OuterRef("event"), number__gt=OuterRef("number"))


class StageInline(AnyStackedInline):
    """Inline for the settings of all stages of one kind."""

    model = Stage
    formset = StagesFormSet
    extra = 0
    can_delete = False
    kind = Q()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Stage]:
        stages: QuerySet[Stage] = super().get_queryset(request)
        return stages.annotate(followed=Exists(LATER_STAGES)).filter(self.kind).order_by("number")

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return whether the user may change the event passed as `obj`."""
        return isinstance(obj, Event) and may(request, obj, RUN)


class RoundsInline(StageInline):
    form = RoundsForm
    kind = Q(format=Stage.Format.ROUNDS, followed=True)
    verbose_name_plural = gettext_lazy("rounds and who advances")


class LastRoundsInline(StageInline):
    form = LastRoundsForm
    kind = Q(format=Stage.Format.ROUNDS, followed=False)
    verbose_name_plural = gettext_lazy("rounds that decide the event")


class BracketInline(StageInline):
    form = BracketForm
    kind = Q(format=Stage.Format.BRACKET)
    verbose_name_plural = gettext_lazy("knockout")


STAGES = "stages"


def _read_part(request: HttpRequest) -> str:
    """Return the requested part of the settings, or "" for all of them."""
    part = request.GET.get("part", "")
    parts = {each["part"] for _title, each in EventAdmin.fieldsets} | {STAGES}
    return part if part in parts else ""


def _make_fieldset(options: Mapping[str, object]) -> Any:
    """Return a fieldset's options without `part`, which Django does not expect."""
    return {name: value for name, value in options.items() if name != "part"}


@admin.register(Event)
class EventAdmin(OrganizedAdmin):
    """Admin for an event's settings. Everything else is on the event's desk."""

    form = SettingsForm
    event_path = "pk"
    view_right = "see_settings"
    list_display = ["title", "state", "starts", "spots_taken", "desk_link"]
    list_filter = ["state"]
    search_fields = ["title", "place"]
    fieldsets: ClassVar[Any] = [
        (
            None,
            {
                "part": "event",
                "fields": ["title", "slug", "place", "starts_at", "time_zone", "description"],
            },
        ),
        (
            gettext_lazy("Contact"),
            {
                "part": "questions",
                "fields": ["contact_name", "contact_email", "contact_phone", "contact_room"],
            },
        ),
        (
            gettext_lazy("Registration"),
            {
                "part": "registration",
                "fields": [
                    ("registration_opens", "registration_closes"),
                    "capacity",
                    "eligibility_required",
                    "conditions",
                    "email_domains",
                    "unfit_stay",
                    "requires_approval",
                    "consent",
                ],
            },
        ),
        (
            gettext_lazy("Tables"),
            {
                "part": "tables",
                "fields": [
                    ("table_size", "turn_seconds"),
                    "bank_seconds",
                    "absence_seconds",
                    ("hand_limit", "round_minutes"),
                    "apart_by",
                    "fill_with_bots",
                    "players_enter",
                    "reactions",
                ],
            },
        ),
        (
            gettext_lazy("Viewers"),
            {
                "part": "viewers",
                "description": gettext_lazy(
                    "Everyone without a seat at a table is a viewer there, including players at "
                    "other tables. Your choice applies to rounds that start later. Tables already "
                    "in play stay as they are."
                ),
                "fields": [("viewers", "viewer_delay_seconds"), "replays"],
            },
        ),
        (gettext_lazy("Standings"), {"part": "standings", "fields": ["tie_breakers"]}),
        (
            gettext_lazy("Lateness, leaving and rule-breaking"),
            {
                "part": "outcomes",
                "fields": ["missed_rounds", "forfeits", "substitutes", "disqualified"],
            },
        ),
        (gettext_lazy("Organizers"), {"part": "organizers", "fields": ["second_factor"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        spots_taken = Count(
            "registrations", filter=Q(registrations__state=Registration.State.APPROVED)
        )
        runs = events_for(request.user, RUN).values("pk")
        events: QuerySet[Event] = super().get_queryset(request)
        return events.annotate(held=spots_taken, runs=Q(pk__in=runs))

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return [*self.list_display, *(["copy_link"] if self.has_add_permission(request) else [])]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) or self.has_add_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if not self.has_add_permission(request):
            raise PermissionDenied
        return NewEventPage.as_view()(request)

    def get_object(self, request: HttpRequest, *args: Any) -> Event | None:
        """Return the event, locked for a POST request.

        The lock prevents changes by others between comparing the form and saving it.
        """
        event: Event | None = super().get_object(request, *args)
        if event:
            timezone.activate(event.zone)
        return event if event is None or request.method != "POST" else lock_event(event)

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> Any:
        requested = [
            part for part in self.fieldsets if _read_part(request) in ("", part[1]["part"])
        ]
        # Only users who can submit the form need this field. In the part with stages, it is the
        # only field of the event's own form.
        hidden_field = ["shown"] if self.has_change_permission(request, obj) else []
        (title, first), *others = requested or [(None, {"fields": []})]
        return [
            (title, {**_make_fieldset(first), "fields": [*first["fields"], *hidden_field]}),
            *((name, _make_fieldset(options)) for name, options in others),
        ]

    def get_form(self, request: Any, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return a form class with only the fields of the requested part."""
        form: Any = super().get_form(request, obj, change, **kwargs)
        fields = flatten_fieldsets(self.get_fieldsets(request, obj))
        removed = {name: None for name in form.declared_fields if name not in fields}
        return type(form)(form.__name__, (form,), removed)

    def get_inlines(self, request: HttpRequest, obj: Event | None) -> Any:
        if _read_part(request) not in ("", STAGES):
            return []
        kinds = (RoundsInline, LastRoundsInline, BracketInline)
        stages = obj.stages.annotate(followed=Exists(LATER_STAGES)) if obj else Stage.objects.none()
        return [inline for inline in kinds if stages.filter(inline.kind).exists()]

    @admin.display(description=gettext_lazy("first round starts"), ordering="starts_at")
    def starts(self, event: Event) -> str:
        return moment_text(event.starts_at, event.zone) if event.starts_at else "–"

    @admin.display(description=gettext_lazy("spots taken"))
    def spots_taken(self, event: Any) -> str:
        return f"{event.held}/{event.capacity}" if event.capacity else str(event.held)

    @admin.display(description=gettext_lazy("desk"))
    def desk_link(self, event: Event) -> str:
        return format_html('<a href="{}">{}</a>', desk_url("desk", event), _("Open desk"))

    @admin.display(description=gettext_lazy("copy"))
    def copy_link(self, event: Any) -> str:
        if not event.runs:
            return "–"
        return format_html('<a href="{}">{}</a>', desk_url("copy", event), _("Copy event"))

    def get_urls(self) -> list[URLPattern]:
        import_page = path(
            "bring/", self.admin_site.admin_view(ImportEventPage.as_view()), name="event-bring"
        )
        runbook = self.admin_site.admin_view(RunbookPage.as_view())
        runbook_page = path("running/", runbook, name="event-runbook")
        return [import_page, runbook_page, *make_url_patterns(PAGES), *super().get_urls()]

    def render_change_form(self, request: Any, context: Any, *args: Any, **kwargs: Any) -> Any:
        if (event := kwargs.get("obj")) is not None:
            groups = build_menu(event, request)
            context |= {"event": event, "tab": "settings", "groups": groups}
            context |= {"parts": self._list_parts(), "part": _read_part(request)}
        context |= {"title": _("Settings"), "subtitle": None}
        context["show_save_and_add_another"] = False
        return super().render_change_form(request, context, *args, **kwargs)

    def _list_parts(self) -> list[tuple[str, Any]]:
        """Return the key and title of each part of the form that can be saved separately."""
        parts = [(each["part"], title or gettext_lazy("General")) for title, each in self.fieldsets]
        return [*parts, (STAGES, gettext_lazy("Stages"))]

    def save_model(self, request: Any, obj: Event, form: Any, change: bool) -> None:
        change_event(obj, request.user, form.changed_data)

    def save_formset(self, request: Any, form: Any, formset: Any, change: bool) -> None:
        for stage_form in formset.initial_forms:
            if stage_form.has_changed():
                change_stage(stage_form.instance, request.user, stage_form.changed_data)
        formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []

    def response_change(self, request: HttpRequest, obj: Event) -> HttpResponse:
        if part := _read_part(request):
            messages.success(request, _("These settings have been saved."))
            return redirect(f"{request.path}?part={part}")
        if "_continue" in request.POST:
            return super().response_change(request, obj)
        messages.success(request, _("The settings have been saved."))
        return redirect(desk_url("desk", obj))
