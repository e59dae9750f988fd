"""Events in the admin: the list, the settings, and the desk's pages below each event."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.admin.access import OrganizedAdmin, may
from tournament.admin.advancing import BracketPage, QualifyPage, StandingsPage
from tournament.admin.carrying import BringPage, CarryingPage, WholeEventFile
from tournament.admin.check_in import AbsenteesPage, CheckInPage, DoorPage
from tournament.admin.closing import ClosingPage
from tournament.admin.control import TablePage
from tournament.admin.control_room import ControlPage
from tournament.admin.copy_page import CopyPage
from tournament.admin.desk import DeskPage
from tournament.admin.event_forms import (
    BracketForm,
    LastRoundsForm,
    RoundsForm,
    SettingsForm,
    StagesFormSet,
)
from tournament.admin.exports import ExportPage, ExportsPage
from tournament.admin.format_page import FormatPage
from tournament.admin.generic import AnyStackedInline
from tournament.admin.list_page import ImportPage, ListDownload, ListPage
from tournament.admin.log import LogPage, StoodPage
from tournament.admin.mails_page import MailsPage
from tournament.admin.messages_page import MessagesPage
from tournament.admin.new_event import NewEventPage
from tournament.admin.outages_page import OutagesPage
from tournament.admin.pages import link, menu_of, urls
from tournament.admin.people_page import PeoplePage
from tournament.admin.plan_page import PlanPage
from tournament.admin.player_page import ConductPage, PlayerPage
from tournament.admin.print_page import PrintPage
from tournament.admin.privacy import PrivacyPage
from tournament.admin.rehearsal_page import RehearsalPage
from tournament.admin.reveal_page import RevealPage
from tournament.admin.rounds import RoundPage, RoundsPage
from tournament.admin.rules_page import RulesPage
from tournament.admin.runbook import RunbookPage
from tournament.admin.sign_in import SignInPage
from tournament.admin.supposed_page import SupposedPage
from tournament.models import Event, Registration, Stage
from tournament.moments import moment_text
from tournament.queries.rights import events_for
from tournament.rights import RUN
from tournament.services.events import change_event, change_stage
from tournament.services.locks import lock_event

PAGES = (
    ("desk", "desk/", DeskPage),
    ("rules", "rules/", RulesPage),
    ("list", "list/", ListPage),
    ("list-download", "list/<slug:which>.csv", ListDownload),
    ("import", "list/<int:upload_id>/", ImportPage),
    ("rounds", "rounds/", RoundsPage),
    ("round", "rounds/<int:round_id>/", RoundPage),
    ("supposed", "rounds/<int:round_id>/supposed/", SupposedPage),
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
    ("player", "players/<int:registration_id>/", PlayerPage),
    ("conduct", "conduct/", ConductPage),
    ("mails", "mails/", MailsPage),
    ("log", "log/", LogPage),
    ("stood", "log/then/", StoodPage),
    ("exports", "exports/", ExportsPage),
    ("closing", "afterwards/", ClosingPage),
    ("carrying", "whole/", CarryingPage),
    ("privacy", "personal-data/", PrivacyPage),
    ("whole", "whole/event.zip", WholeEventFile),
    ("export", "export/<str:which>", ExportPage),
    ("sign-in", "sign-in/", SignInPage),
    ("plan", "planner/", PlanPage),
    ("rehearsal", "rehearsal/", RehearsalPage),
    ("copy", "copy/", CopyPage),
    ("format", "format/", FormatPage),
    ("check-in", "check-in/", CheckInPage),
    ("absentees", "check-in/missing/", AbsenteesPage),
    ("door", "check-in/door/", DoorPage),
)


LATER = Stage.objects.filter(event=OuterRef("event"), number__gt=OuterRef("number"))


class StageInline(AnyStackedInline):
    """Settings of stages of one kind; the format says which stages an event has."""

    model = Stage
    formset = StagesFormSet
    extra = 0
    can_delete = False
    kind = Q()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Stage]:
        stages: QuerySet[Stage] = super().get_queryset(request)
        return stages.annotate(followed=Exists(LATER)).filter(self.kind).order_by("number")

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """As the event's own page has it; `obj` is the event."""
        return isinstance(obj, Event) and may(request, obj, RUN)


class RoundsInline(StageInline):
    form = RoundsForm
    kind = Q(format=Stage.Format.ROUNDS, followed=True)
    verbose_name_plural = gettext_lazy("rounds, and who goes through")


class LastRoundsInline(StageInline):
    form = LastRoundsForm
    kind = Q(format=Stage.Format.ROUNDS, followed=False)
    verbose_name_plural = gettext_lazy("rounds that decide")


class BracketInline(StageInline):
    form = BracketForm
    kind = Q(format=Stage.Format.BRACKET)
    verbose_name_plural = gettext_lazy("tables down to the final")


@admin.register(Event)
class EventAdmin(OrganizedAdmin):
    """Settings of an event; everything else is on its desk."""

    form = SettingsForm
    event_path = "pk"
    sees = "see_settings"
    list_display = ["title", "state", "starts", "places", "desk"]
    list_filter = ["state"]
    search_fields = ["title", "place"]
    fieldsets = [
        (None, {"fields": ["title", "slug", "place", "starts_at", "time_zone", "description"]}),
        (
            gettext_lazy("For questions"),
            {"fields": ["contact_name", "contact_email", "contact_phone", "contact_room"]},
        ),
        (
            gettext_lazy("Registration"),
            {
                "fields": [
                    ("registration_opens", "registration_closes"),
                    "capacity",
                    "eligibility_required",
                    "conditions",
                    "email_domains",
                    "unfit_stay",
                    "requires_approval",
                    "consent",
                ]
            },
        ),
        (
            gettext_lazy("Tables"),
            {
                "fields": [
                    ("table_size", "turn_seconds"),
                    "bank_seconds",
                    "absence_seconds",
                    ("hand_limit", "round_minutes"),
                    "apart_by",
                    "fill_with_bots",
                    "players_enter",
                    "reactions",
                ]
            },
        ),
        (
            gettext_lazy("Viewers"),
            {
                "description": gettext_lazy(
                    "Whoever has no seat at a table is a viewer there, players of "
                    "other tables too. Tables that play already stay as they are: what you choose "
                    "here holds for rounds that start afterwards."
                ),
                "fields": [("viewers", "viewer_delay_seconds"), "replays"],
            },
        ),
        (gettext_lazy("Standings"), {"fields": ["tie_breakers"]}),
        (
            gettext_lazy("Who is late, leaves or breaks rules"),
            {"fields": ["missed_rounds", "forfeits", "substitutes", "disqualified"]},
        ),
        (gettext_lazy("Organizers"), {"fields": ["second_factor"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        held = Count("registrations", filter=Q(registrations__state=Registration.State.APPROVED))
        runs = events_for(request.user, RUN).values("pk")
        events: QuerySet[Event] = super().get_queryset(request)
        return events.annotate(held=held, runs=Q(pk__in=runs))

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return [*self.list_display, *(["again"] if self.has_add_permission(request) else [])]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) or self.has_add_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if not self.has_add_permission(request):
            raise PermissionDenied
        return NewEventPage.as_view()(request)

    def get_object(self, request: HttpRequest, *args: Any) -> Event | None:
        """Between the comparing of a form and its saving nobody else changes the event."""
        event: Event | None = super().get_object(request, *args)
        if event:
            timezone.activate(event.zone)
        return event if event is None or request.method != "POST" else lock_event(event)

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> Any:
        (_none, first), *others = self.fieldsets
        # What a form showed is for who sends it back.
        shown = ["shown"] if self.has_change_permission(request, obj) else []
        return [(None, {"fields": [*first["fields"], *shown]}), *others]

    def get_inlines(self, request: HttpRequest, obj: Event | None) -> Any:
        kinds = (RoundsInline, LastRoundsInline, BracketInline)
        stages = obj.stages.annotate(followed=Exists(LATER)) if obj else Stage.objects.none()
        return [inline for inline in kinds if stages.filter(inline.kind).exists()]

    @admin.display(description=gettext_lazy("first round starts"), ordering="starts_at")
    def starts(self, event: Event) -> str:
        return moment_text(event.starts_at) if event.starts_at else "–"

    @admin.display(description=gettext_lazy("with a place"))
    def places(self, event: Any) -> str:
        return f"{event.held}/{event.capacity}" if event.capacity else str(event.held)

    @admin.display(description=gettext_lazy("desk"))
    def desk(self, event: Event) -> str:
        return format_html('<a href="{}">{}</a>', link("desk", event), _("Go to the desk"))

    @admin.display(description=gettext_lazy("anew"))
    def again(self, event: Any) -> str:
        if not event.runs:
            return "–"
        return format_html('<a href="{}">{}</a>', link("copy", event), _("One like this"))

    def get_urls(self) -> list[URLPattern]:
        bring = path("bring/", self.admin_site.admin_view(BringPage.as_view()), name="event-bring")
        runbook = self.admin_site.admin_view(RunbookPage.as_view())
        help_ = path("running/", runbook, name="event-runbook")
        return [bring, help_, *urls(PAGES), *super().get_urls()]

    def render_change_form(self, request: Any, context: Any, *args: Any, **kwargs: Any) -> Any:
        if (event := kwargs.get("obj")) is not None:
            groups = menu_of(event, request)
            context |= {"event": event, "tab": "settings", "groups": groups}
        context |= {"title": _("Settings"), "subtitle": None}
        context["show_save_and_add_another"] = False
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: Any, obj: Event, form: Any, change: bool) -> None:
        change_event(obj, request.user, form.changed_data)

    def save_formset(self, request: Any, form: Any, formset: Any, change: bool) -> None:
        for stage_form in formset.initial_forms:
            if stage_form.has_changed():
                change_stage(stage_form.instance, request.user, stage_form.changed_data)
        formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []

    def response_change(self, request: HttpRequest, obj: Event) -> HttpResponse:
        if "_continue" in request.POST:
            return super().response_change(request, obj)
        messages.success(request, _("The settings are saved."))
        return redirect(link("desk", obj))
