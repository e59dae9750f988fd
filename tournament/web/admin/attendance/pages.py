"""Pages for check-in, absent players and walk-ins."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.attendance.absence import leave_out_players
from tournament.attendance.absentees import find_absentees, find_unseated
from tournament.attendance.door import SLOT_SECONDS, door_code, find_player_by_code
from tournament.attendance.last_round import find_last_round
from tournament.attendance.services import (
    check_in,
    check_in_last_round_players,
    mark_absent,
    set_check_in,
    undo_absence,
    undo_check_in,
)
from tournament.attendance.walk_ins import register_walk_in
from tournament.common.refusals import RefusedError
from tournament.models import Registration, Round
from tournament.people.presence import count_attendees, filter_attendees, list_attendees
from tournament.pure import rights_table
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.registration.services import withdraw_all
from tournament.site.middleware import NO_PERMISSIONS
from tournament.site.qr import data_uri
from tournament.web.admin.attendance.forms import CheckInForm, WalkInForm
from tournament.web.admin.base.counts import describe_withdrawn
from tournament.web.admin.base.pages import Action, EventPage, desk_url
from tournament.web.admin.people.staff import WAITS

# Filters of the list: key and label.
FILTERS = (
    ("missing", gettext_lazy("Not checked in")),
    ("here", gettext_lazy("Checked in")),
    ("all", gettext_lazy("All")),
)
# Actions on this page that staff at the desk may perform.
DESK_ACTIONS = ("check-in", "played", "take-back", "absent", "back", "walk-in")
ROW_ACTIONS = ("check-in", "take-back", "back")


class CheckInPage(EventPage):
    """Page to check in players, register walk-ins and change the check-in settings.

    The query parameter `code` comes from a player's QR code and selects that player.
    """

    title = gettext_lazy("Check-in")
    tab = "check-in"
    template_name = "admin/attendance/check_in.html"
    view_right = "see_people"
    action_rights = {
        **dict.fromkeys(DESK_ACTIONS, "registrations"),
        "settings": rights_table.RUN,
    }

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        people = list_attendees(self.event)
        words = self.search_text()
        show = self.request.GET.get("show", "all")
        kwargs.setdefault("settings", CheckInForm(instance=self.event))
        kwargs.setdefault("walk_in", WalkInForm())
        return super().get_context_data(
            rows=filter_attendees(people, words, "all" if words else show),
            counts=count_attendees(people),
            words=words,
            show=show,
            choices=FILTERS,
            row_actions=ROW_ACTIONS,
            unseated=find_unseated(self.event),
            last=find_last_round(self.event) if self.event.asks_presence else None,
            scanned=self._find_scanned_player(),
            came=self._find_new_walk_in(),
            **kwargs,
        )

    def _find_scanned_player(self) -> Registration | None:
        code = self.request.GET.get("code", "")
        registration = find_player_by_code(self.event, code) if code else None
        if code and registration is None:
            messages.error(self.request, _("This code doesn’t belong to anyone in this event."))
        return registration

    def _find_new_walk_in(self) -> Registration | None:
        """Return the walk-in who has just been registered, or None."""
        key = parse_whole(self.request.GET.get("came", "")) or 0
        return self.event.registrations.filter(pk=key).first()

    def actions(self) -> dict[str, Action]:
        return {
            "check-in": self.check_in,
            "played": self.check_in_all,
            "take-back": self.undo_check_in,
            "absent": self.mark_absent,
            "back": self.undo_absence,
        }

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        form_actions = {"walk-in": self.register_walk_in, "settings": self.change_settings}
        form_action = form_actions.get(request.POST.get("action", ""))
        return form_action() if form_action else super().post(request, *args, **kwargs)

    def chosen_registrations(self) -> list[Registration]:
        """Return the ticked players, or the player whose button was pressed."""
        single = self.text("one")
        keys = [single] if single else self.request.POST.getlist("who")
        return [self.find(self.event.registrations, key) for key in keys]

    def check_in(self) -> str:
        chosen = self.chosen_registrations()
        count = check_in(chosen, self.user)
        if len(chosen) == 1:
            return _("{name} is checked in.").format(name=chosen[0].name)
        return describe_checked_in(count)

    def check_in_all(self) -> str:
        return describe_checked_in(check_in_last_round_players(self.event, self.user))

    def undo_check_in(self) -> str:
        row = undo_check_in(self.find_single_registration(), self.user)
        return _("{name} is no longer checked in.").format(name=row.name)

    def mark_absent(self) -> str:
        count = mark_absent(self.chosen_registrations(), self.user, self.text("reason"))
        return describe_absent(count)

    def undo_absence(self) -> str:
        return _("{name} is back.").format(
            name=undo_absence(self.find_single_registration(), self.user).name
        )

    def find_single_registration(self) -> Registration:
        registration: Registration = self.find(self.event.registrations, self.text("one"))
        return registration

    def register_walk_in(self) -> HttpResponseBase:
        form = WalkInForm(self.request.POST)
        return self._save_form(form, partial(self._save_walk_in, form), walk_in=form)

    def _save_walk_in(self, form: WalkInForm) -> HttpResponse:
        registration = register_walk_in(self.event, self.user, form.walk_in())
        return redirect(f"{desk_url('check-in', self.event)}?came={registration.pk}")

    def change_settings(self) -> HttpResponseBase:
        form = CheckInForm(self.request.POST, instance=self.event)
        return self._save_form(form, partial(self._save_settings, form), settings=form)

    def _save_settings(self, form: CheckInForm) -> HttpResponse:
        played = form.cleaned_data.get("played", False)
        count = set_check_in(form.instance, self.user, form.changed_data, has_started=played)
        sentences = [
            _("Check-in settings saved."),
            *([describe_checked_in(count)] if count else []),
        ]
        messages.success(self.request, " ".join(sentences))
        return redirect(desk_url("check-in", self.event))

    def _save_form(self, form: Any, save: Any, **shown: Any) -> HttpResponseBase:
        """Save the form, or show the page again with the input and its errors."""
        if form.is_valid():
            try:
                response: HttpResponse = save()
            except RefusedError as refused:
                form.add_error(None, refused.sentence)
            else:
                return response
        self.event.refresh_from_db()
        return self.render_to_response(self.get_context_data(**shown), status=422)

    def redirect_when_done(self) -> HttpResponse:
        """Redirect to the same page, and keep the filter."""
        return redirect(self.request.get_full_path())

    def render_to_response(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Render the page, and allow it to use the camera for scanning players' codes."""
        response = super().render_to_response(*args, **kwargs)
        response.headers["Permissions-Policy"] = NO_PERMISSIONS.replace(
            "camera=()", "camera=(self)"
        )
        return response


def describe_checked_in(count: int) -> str:
    return ngettext("{count} player checked in.", "{count} players checked in.", count).format(
        count=count
    )


def describe_absent(count: int) -> str:
    text = ngettext("{count} marked as no-show.", "{count} marked as no-shows.", count)
    return text.format(count=count)


class AbsenteesPage(EventPage):
    """Page to leave out, mark as absent or withdraw missing players."""

    title = gettext_lazy("Missing players")
    tab = "check-in"
    template_name = "admin/attendance/absentees.html"
    view_right = "see_people"
    action_rights = {"leave-out": "seats", "absent": "registrations", "withdraw": "registrations"}

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(found=find_absentees(self.event), **kwargs)

    def actions(self) -> dict[str, Action]:
        return {"leave-out": self.leave_out, "absent": self.mark_absent, "withdraw": self.withdraw}

    def chosen_registrations(self) -> list[Registration]:
        rows = self.event.registrations
        chosen = [self.find(rows, key) for key in self.request.POST.getlist("who")]
        if not chosen:
            raise RefusedError(Code.NOBODY, _("Choose a player first."))
        return chosen

    def leave_out(self) -> str:
        rounds = Round.objects.filter(stage__event=self.event).select_related("stage__event")
        self.played = self.find(rounds, self.text("round"))
        count = leave_out_players(
            self.played, self.chosen_registrations(), self.user, self.text("reason")
        )
        text = ngettext(
            "{count} player will sit out {round}.", "{count} players will sit out {round}.", count
        )
        return text.format(count=count, round=self.played)

    def mark_absent(self) -> str:
        return describe_absent(
            mark_absent(self.chosen_registrations(), self.user, self.text("reason"))
        )

    def withdraw(self) -> str:
        chosen = self.chosen_registrations()
        count = withdraw_all(chosen, self.user, self.text("reason"))
        return " ".join([describe_withdrawn(count), *([str(WAITS)] if count < len(chosen) else [])])

    def redirect_when_done(self) -> HttpResponse:
        if played := getattr(self, "played", None):
            return redirect(desk_url("round", self.event, played.pk))
        return super().redirect_when_done()


class DoorPage(EventPage):
    """Page for a screen at the entrance, with a changing QR code and the number of arrivals."""

    title = gettext_lazy("Check in here")
    template_name = "admin/attendance/door.html"
    view_right = "registrations"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        address = reverse("event-door", args=[self.event.slug, door_code(self.event)])
        return super().get_context_data(
            picture=data_uri(self.request.build_absolute_uri(address)),
            counts=count_attendees(list_attendees(self.event)),
            seconds=SLOT_SECONDS // 3,
            **kwargs,
        )
