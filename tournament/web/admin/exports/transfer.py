"""Export of a whole event as one file, and import of such a file."""

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
from tournament.exports.transfer.exporting import WHOLE, check_at_rest, resume_locally, take_away
from tournament.exports.transfer.importing import bring_event
from tournament.models import User
from tournament.oversight.export_requests import may_export
from tournament.oversight.second_person import needs_second
from tournament.pure.codes import Code
from tournament.web.admin.base.pages import Do, EventPage, link
from tournament.web.admin.exports.exports import Download, file_response


class CarryingPage(EventPage):
    """Page to move the event to another machine, and to continue here without it."""

    title = gettext_lazy("Event file")
    tab = "closing"
    sees = "export"
    template_name = "admin/exports/transfer.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        try:
            check_at_rest(self.event)
            playing = ""
        except RefusedError as refused:
            playing = refused.sentence
        return super().get_context_data(
            may=may_export(self.event, self.user, WHOLE),
            playing=playing,
            two=needs_second(self.event, self.user),
            **kwargs,
        )

    def actions(self) -> dict[str, Do]:
        return {"take": self.take, "go-on": self.go_on}

    def take(self) -> str:
        take_away(self.event, self.user)
        return _(
            "The event is now read-only here. Download the file and import it on the other server."
        )

    def go_on(self) -> str:
        resume_locally(self.event, self.user, self.text("reason"))
        return _("The event continues here.")


class WholeEventFile(Download):
    """Download of the file: a copy while the event is here, the event itself once moved away."""

    tab = "closing"
    sees = "export"

    @property
    def which(self) -> str:
        return WHOLE

    def file(self) -> HttpResponseBase:
        check_at_rest(self.event)
        event, moved = self.event, bool(self.event.away_since)
        name = f"{event.slug}-{'moved' if moved else 'copy'}-{event.journey}.zip"
        return file_response(
            name, "application/zip", lambda out: write_event(event, out, moved=moved)
        )

    def redirect_when_done(self) -> HttpResponse:
        return redirect(link("carrying", self.event))


class BringPage(TemplateView):
    """Page that imports an event from its file, for users who may add events."""

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
            event = bring_event(content, request.user)
        except RefusedError as refused:
            messages.error(request, refused.sentence)
            return redirect(request.path)
        text = _("{event} has been imported, including everything done on the other server.")
        messages.success(request, text.format(event=event))
        return redirect(link("desk", event))
