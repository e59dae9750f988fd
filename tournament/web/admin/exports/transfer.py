"""Pages to export a whole event as a file, and to import an event from its file."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.generic import TemplateView

from tournament.common.refusals import RefusedError
from tournament.exports.transfer.contents import write_event
from tournament.exports.transfer.exporting import (
    WHOLE_EVENT,
    check_no_match_in_progress,
    move_event_away,
    resume_locally,
)
from tournament.exports.transfer.importing import import_event
from tournament.models import User
from tournament.oversight.export_requests import may_export
from tournament.oversight.second_person import needs_second_organizer
from tournament.pure.codes import Code
from tournament.web.admin.base.pages import Action, EventPage, desk_url
from tournament.web.admin.exports.exports import Download, file_response


class MoveEventPage(EventPage):
    """Page to move the event to another machine, or to continue it here."""

    title = gettext_lazy("Event file")
    tab = "closing"
    view_right = "export"
    template_name = "admin/exports/transfer.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        try:
            check_no_match_in_progress(self.event)
            playing = ""
        except RefusedError as refused:
            playing = refused.sentence
        return super().get_context_data(
            may=may_export(self.event, self.user, WHOLE_EVENT),
            playing=playing,
            two=needs_second_organizer(self.event, self.user),
            **kwargs,
        )

    def actions(self) -> dict[str, Action]:
        return {"take": self.move_away, "go-on": self.continue_here}

    def move_away(self) -> str:
        move_event_away(self.event, self.user)
        return _(
            "The event is now read-only here. Download the file and import it on the other server."
        )

    def continue_here(self) -> str:
        resume_locally(self.event, self.user, self.text("reason"))
        return _("The event continues here.")


class WholeEventFile(Download):
    """Download of the event file.

    The file is marked as a copy as long as the event is run here, and as the original after the
    event has been moved.
    """

    tab = "closing"
    view_right = "export"

    @property
    def which(self) -> str:
        return WHOLE_EVENT

    def make_response(self) -> HttpResponseBase:
        check_no_match_in_progress(self.event)
        event, moved = self.event, bool(self.event.away_since)
        filename = f"{event.slug}-{'moved' if moved else 'copy'}-{event.journey}.zip"
        return file_response(
            filename, "application/zip", lambda out: write_event(event, out, moved=moved)
        )

    def redirect_when_done(self) -> HttpResponse:
        return redirect(desk_url("carrying", self.event))


class ImportEventPage(TemplateView):
    """Page to import an event from its file, for users who may add events."""

    template_name = "admin/tournament/event/bring.html"

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        if not request.user.has_perm("tournament.add_event"):
            raise PermissionDenied

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        context = admin.site.each_context(self.request)
        return super().get_context_data(**context, title=_("Import an event"), **kwargs)

    def post(self, request: HttpRequest) -> HttpResponse:
        assert isinstance(request.user, User)
        content = request.FILES.get("file")
        try:
            if content is None:
                raise RefusedError(Code.NO_FILE, _("Choose a file first."))
            event = import_event(content, request.user)
        except RefusedError as refused:
            messages.error(request, refused.sentence)
            return redirect(request.path)
        text = _("{event} has been imported, including everything done on the other server.")
        messages.success(request, text.format(event=event))
        return redirect(desk_url("desk", event))
