"""Admin for registrations and for the students on the eligibility list."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin import helpers
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.moments import moment_text
from tournament.common.refusals import RefusedError
from tournament.mail.notices import outbox
from tournament.models import EligibleStudent, Event, Registration
from tournament.oversight.rights import events_for
from tournament.people.names import check_changed_name, rename_player
from tournament.people.needs import change_needs
from tournament.people.presence import make_attendee, make_playing_condition
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.registration.eligibility.students import (
    check_student,
    remove_students,
    save_student,
)
from tournament.registration.eligibility.uploads import FIELDS
from tournament.registration.services import approve_all, refuse_all, withdraw_all
from tournament.web.admin.base.access import CheckedForm, OrganizedAdmin, may
from tournament.web.admin.base.counts import (
    describe_approved,
    describe_refused,
    describe_removed,
    describe_withdrawn,
)
from tournament.web.admin.base.pages import build_menu, desk_url
from tournament.web.admin.people.staff import WAITS
from tournament.web.admin.registration.separations import NamesField
from tournament.web.forms.registration import NameField

NAME_HELP = gettext_lazy(
    "Matches that have already begun keep the old name. Later matches, the "
    "standings and the lists show the new one."
)
# For each action: the title of its page, and the label of the reason field.
REASON_PAGES = {
    "approve": (gettext_lazy("Approve"), gettext_lazy("Reason (kept in the activity log)")),
    "refuse": (gettext_lazy("Reject"), gettext_lazy("Reason (the player will read it)")),
    "withdraw": (gettext_lazy("Withdraw"), gettext_lazy("Reason")),
}

# Maximum number of rows that a confirmation page names.
MAX_NAMED = 50


class EventFilter(admin.RelatedFieldListFilter):
    """Filter that offers only events whose rows the user may see."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        events = events_for(request.user, model_admin.view_right)
        return [(event.pk, str(event)) for event in events]


class EventListAdmin(OrganizedAdmin):
    """Admin for rows of an event, shown with the event's menu as a part of its desk."""

    tab = ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows of the list's event, or all rows if the list has no event."""
        rows, event = super().get_queryset(request), self._find_event(request)
        return rows.filter(event=event) if event else rows

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        event = self._find_event(request)
        title = str(self.opts.verbose_name_plural).capitalize()
        extra: dict[str, object] = {"title": title}
        if event:
            timezone.activate(event.zone)
            extra |= {"event": event, "tab": self.tab, "groups": build_menu(event, request)}
        return super().changelist_view(request, {**extra, **(extra_context or {})})

    def get_list_filter(self, request: HttpRequest) -> Any:
        """Return the filters, without the event filter if the list shows only one event."""
        filters = super().get_list_filter(request)
        has_event = self._find_event(request) is not None
        return [each for each in filters if each != ("event", EventFilter) or not has_event]

    def _find_event(self, request: Any) -> Event | None:
        """Return the list's event if the user has a role in it. It is cached on the request."""
        if not hasattr(request, "_listed_event"):
            event_id = parse_whole(request.GET.get("event__id__exact", "")) or 0
            own_events = events_for(request.user, "see")
            request._listed_event = own_events.filter(pk=event_id).first()
        event: Event | None = request._listed_event
        return event

    def may(self, request: HttpRequest, row: Any, right: str) -> bool:
        """Return whether the user has this right for the row, or in the list's event."""
        event = self._find_event(request) if row is None else None
        return may(request, event, right) if event else super().may(request, row, right)

    def render_change_form(self, request: Any, context: Any, *args: Any, **kwargs: Any) -> Any:
        if (obj := kwargs.get("obj")) is not None:
            groups = build_menu(obj.event, request)
            context |= {"event": obj.event, "tab": self.tab, "groups": groups}
        return super().render_change_form(request, context, *args, **kwargs)

    def _build_confirmation(self, request: Any, chosen: QuerySet[Any]) -> dict[str, object]:
        """Return the context of a page that confirms an action for the chosen rows.

        It includes the event's menu if all rows belong to one event.
        """
        context: dict[str, object] = {
            **self.admin_site.each_context(request),
            "chosen": chosen,
            "checkbox": helpers.ACTION_CHECKBOX_NAME,
        }
        events = {row.event for row in chosen}
        if len(events) == 1:
            (event,) = events
            groups = build_menu(event, request)
            context |= {"event": event, "tab": self.tab, "groups": groups}
        return context

    def _run_and_report(self, request: HttpRequest, work: Callable[[], str]) -> str:
        """Run `work` and show the result. Return the code of a refusal, or ""."""
        code = ""
        with outbox() as box:
            try:
                self.message_user(request, work(), messages.SUCCESS)
            except RefusedError as refused:
                code = refused.code
                self.message_user(request, refused.sentence, messages.ERROR)
        if box.sentence:
            self.message_user(request, box.sentence, messages.WARNING)
        return code


class PlayerForm(CheckedForm):
    check_with: ClassVar[Callable[[Any], None]] = check_changed_name
    fields_of = {"no-name": "name", "name-taken": "name"}


@admin.register(Registration)
class RegistrationAdmin(EventListAdmin):
    """Admin to approve, refuse (with a reason) or withdraw registrations."""

    tab = "registrations"
    view_right = "see_people"
    change_right = "registrations"
    form = PlayerForm
    list_display = ["name", "badge", "roll", "queue_number", "show_registered_at", "reason"]
    list_filter = ["state", ("event", EventFilter)]
    search_fields = ["name", "roll_number", "user__email"]
    list_select_related = ["event", "student"]
    list_per_page = 100
    empty_value_display = ""
    ordering = ["event", "queue_number"]
    # Related fields share a line, to keep the page short.
    fields = [
        "name",
        ("roll_number", "show_listed"),
        ("address", "show_registered_at", "decision"),
        ("state", "reason", "rulings", "presence"),
        ("extra_seconds", "fixed_table"),
        "apart_from",
    ]
    readonly_fields = [
        "roll_number",
        "show_listed",
        "address",
        "state",
        "reason",
        "rulings",
        "show_registered_at",
        "decision",
        "presence",
    ]
    actions = ["approve", "refuse", "withdraw"]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        event, pending = self._find_event(request), 0
        if event and may(request, event, self.change_right):
            pending = event.registrations.filter(state=Registration.State.PENDING).count()
        return super().changelist_view(request, {"pending": pending, **(extra_context or {})})

    def get_queryset(self, request: HttpRequest) -> QuerySet[Registration]:
        rows: QuerySet[Registration] = super().get_queryset(request)
        return rows.annotate(plays=make_playing_condition())

    @admin.display(description=gettext_lazy("state"), ordering="state")
    def badge(self, registration: Any) -> str:
        """Show the player's state in the same words as the other pages."""
        row = make_attendee(registration, {registration.pk} if registration.plays else ())
        return format_html('<span class="badge {}">{}</span>', row.badge, row.text)

    @admin.display(description=gettext_lazy("roll number"), ordering="roll_key")
    def roll(self, registration: Registration) -> str:
        """Show the roll number, and the name on the list if it differs from the player's."""
        student = registration.student
        listed_name = (
            _(", listed as <bdi>{}</bdi>") if student and student.name != registration.name else ""
        )
        return format_html(
            "<bdi>{}</bdi>" + listed_name, registration.roll_number, student and student.name
        )

    @admin.display(description=gettext_lazy("eligibility list entry"))
    def show_listed(self, registration: Registration) -> str:
        student = registration.student
        if student is None:
            return _("not required")
        doubt = _("no email address: check that this is the same person.")
        address = reverse("admin:tournament_eligiblestudent_change", args=[student.pk])
        line = f"{student.name} ({student.roll_number})"
        return format_html('<a href="{}">{}</a>, {}', address, line, student.email or doubt)

    @admin.display(description=gettext_lazy("rulings"))
    def rulings(self, registration: Registration) -> str:
        """Show a link to the rulings about the player."""
        address = desk_url("player", registration.event, registration.pk)
        label = _("Caution, substitution, forfeit, disqualification …")
        return format_html('<a href="{}">{}</a>', address, label)

    @admin.display(description=gettext_lazy("decided by"))
    def decision(self, registration: Registration) -> str:
        who, when = registration.decided_by, registration.decided_at
        return f"{who}, {moment_text(when)}" if who and when else _("no one yet")

    @admin.display(description=gettext_lazy("attendance"))
    def presence(self, registration: Registration) -> str:
        sentences = []
        if since := registration.checked_in_at:
            sentences.append(_("Present since {moment}.").format(moment=moment_text(since)))
        if since := registration.absent_at:
            sentences.append(_("Absent since {moment}.").format(moment=moment_text(since)))
        return " ".join(sentences) or _("not checked in")

    @admin.display(description=gettext_lazy("registered"), ordering="registered_at")
    def show_registered_at(self, registration: Registration) -> str:
        return moment_text(registration.registered_at)

    @admin.display(description=gettext_lazy("email address"))
    def address(self, registration: Registration) -> str:
        return registration.user.mailbox or _("none (signs in with a code from the desk)")

    def formfield_for_manytomany(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        """Limit the choice of players to keep apart to the same event."""
        number = request.resolver_match.kwargs.get("object_id")
        own_event = self.get_queryset(request).filter(pk=number).values("event")
        others = Registration.objects.filter(event__in=own_event).exclude(pk=number)
        kwargs |= {
            "queryset": others.order_by("name"),
            "form_class": NamesField,
            "help_text": _("Type a few letters and choose a name. To remove a name, untick it."),
        }
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        """Return the field with a hidden input for its original value.

        Otherwise, another user's change would look like a change made in this form.
        """
        if db_field.name == "name":
            return NameField(label=_("Name"), help_text=NAME_HELP, show_hidden_initial=True)
        return super().formfield_for_dbfield(db_field, request, show_hidden_initial=True, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Make names from the eligibility list read-only, because they are corrected there."""
        is_listed = obj is not None and obj.student_id
        return [*self.readonly_fields, *(["name"] if is_listed else [])]

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        if "name" in form.changed_data:
            rename_player(obj, request.user, obj.name)
        change_needs(obj, request.user, form.changed_data, form.cleaned_data["apart_from"])

    def save_related(self, request: Any, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing, because the service has already saved the related rows."""

    @admin.action(description=gettext_lazy("Approve (give a spot)"), permissions=["change"])
    def approve(self, request: Any, chosen: QuerySet[Registration]) -> HttpResponse | None:
        reason = request.POST.get("reason", "")
        work = partial(approve_all, chosen, request.user, reason)
        code = self._run_and_report(request, lambda: describe_approved(work(), len(chosen)))
        # If others have waited longer, the page names them and asks for a reason.
        return (
            self._show_reason_page(request, chosen, "approve") if code == "out-of-order" else None
        )

    @admin.action(description=gettext_lazy("Reject, with a reason"), permissions=["change"])
    def refuse(self, request: Any, chosen: QuerySet[Registration]) -> HttpResponse | None:
        return self._ask_reason(request, chosen, "refuse", refuse_all)

    @admin.action(description=gettext_lazy("Withdraw"), permissions=["change"])
    def withdraw(self, request: Any, chosen: QuerySet[Registration]) -> HttpResponse | None:
        return self._ask_reason(request, chosen, "withdraw", withdraw_all)

    def _ask_reason(
        self, request: Any, chosen: QuerySet[Registration], name: str, service: Callable[..., int]
    ) -> HttpResponse | None:
        """Ask for a reason on a separate page, then run the action for all chosen rows."""
        if "confirmed" not in request.POST:
            return self._show_reason_page(request, chosen, name)

        def apply_to_all() -> str:
            done = service(chosen, request.user, request.POST.get("reason", ""))
            sentence = describe_refused(done) if name == "refuse" else describe_withdrawn(done)
            return " ".join([sentence, *([str(WAITS)] if done < len(chosen) else [])])

        code, people = self._run_and_report(request, apply_to_all), list(chosen)
        if code == Code.PLAYING and len(people) == 1:
            # The player's page has actions that decide what happens to the seat.
            return redirect(desk_url("player", people[0].event, people[0].pk))
        return None

    def _show_reason_page(
        self, request: Any, chosen: QuerySet[Registration], name: str
    ) -> HttpResponse:
        """Show the page that asks for the reason."""
        title, label = REASON_PAGES[name]
        context = self._build_confirmation(request, chosen) | {
            "title": title,
            "action": name,
            "label": label,
            "needs_reason": name != "withdraw",
        }
        return TemplateResponse(request, "admin/registration/reason.html", context)


class StudentForm(CheckedForm):
    check_with: ClassVar[Callable[[Any], None]] = check_student
    fields_of = {"roll": "roll_number", "address": "email"}

    class Meta:
        model = EligibleStudent
        fields = ["event", *FIELDS]
        help_texts = {
            "roll_number": gettext_lazy(
                "If the student has registered, the registration changes too."
            ),
            "name": format_lazy(
                gettext_lazy(
                    "If the student has registered, the registration changes too. {about_names}"
                ),
                about_names=NAME_HELP,
            ),
            "email": gettext_lazy(
                "If there is no email address, anyone who knows the roll number could use it "
                "to register, so you need to approve the registration."
            ),
        }


@admin.register(EligibleStudent)
class EligibleStudentAdmin(EventListAdmin):
    """Admin for single entries of an eligibility list. Whole lists are uploaded at the desk."""

    tab = "list"
    view_right = "see_people"
    change_right = "list"
    form = StudentForm
    list_display = ["name", "roll_number", "email", "department", "programme", "year"]
    list_filter = [("event", EventFilter)]
    search_fields = ["name", "roll_number", "email"]
    list_per_page = 100
    actions = ["remove"]

    def get_actions(self, request: HttpRequest) -> Any:
        """Return the actions without Django's bulk deletion, which `remove` replaces."""
        actions = super().get_actions(request)
        return {name: each for name, each in actions.items() if name != "delete_selected"}

    @admin.action(description=gettext_lazy("Remove from the list"), permissions=["change"])
    def remove(self, request: Any, chosen: QuerySet[EligibleStudent]) -> HttpResponse | None:
        """Ask for confirmation on a separate page, then remove all chosen students or none."""
        if "confirmed" not in request.POST:
            all_rows = request.POST.get("select_across") == "1"
            context = self._build_confirmation(request, chosen) | {
                "title": _("Remove from the list"),
                "all_rows": all_rows,
                "ticked": chosen[:1] if all_rows else chosen,
                "named": MAX_NAMED,
            }
            return TemplateResponse(request, "admin/registration/remove.html", context)
        self._run_and_report(
            request, lambda: describe_removed(remove_students(chosen, request.user))
        )
        return None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["event"] if obj else []

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        kwargs["queryset"] = events_for(request.user, self.change_right)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        save_student(obj, request.user)

    def delete_model(self, request: Any, obj: EligibleStudent) -> None:
        remove_students([obj], request.user)

    def delete_queryset(self, request: Any, queryset: QuerySet[EligibleStudent]) -> None:
        remove_students(queryset, request.user)
