"""Page that shows a sign-in code for a person at the desk, also as a QR code."""

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.models import Registration
from tournament.people.accounts.desk_codes import GONE, create_desk_code
from tournament.pure.alphabet import name_sort_key
from tournament.pure.search import matches_person
from tournament.site.qr import data_uri
from tournament.web.admin.base.pages import EventPage

MAX_RESULTS = 20


class SignInCodePage(EventPage):
    """Page to search for a person and show a sign-in code.

    The code appears only in this response and is not stored.
    """

    title = gettext_lazy("Sign a player in")
    tab = "desk"
    template_name = "admin/people/sign_in.html"
    view_right = "sign_in"
    action_rights = {"show": "sign_in"}

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        query = self.search_text()
        matches = self.search(query) if query else []
        return super().get_context_data(asked=query, found=matches, **kwargs)

    def list_registered(self) -> QuerySet[Registration]:
        return self.event.registrations.exclude(state__in=GONE).order_by("name")

    def search(self, query: str) -> list[Registration]:
        """Return the first few registrations whose name or roll number contains the text."""
        rows = self.list_registered().select_related("user")
        matches = [row for row in rows if matches_person(query, row.name, row.roll_number)]
        return sorted(matches, key=lambda row: name_sort_key(row.name))[:MAX_RESULTS]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if self.text("action") != "show":
            return super().post(request, *args, **kwargs)
        registration = self.find(self.list_registered(), self.text("registration"))
        try:
            shown = create_desk_code(registration, self.user)
        except RefusedError as refused:
            messages.error(request, refused.sentence)
            return self.redirect_when_done()
        link = request.build_absolute_uri(reverse("desk-sign-in", args=[shown.code]))
        page = request.build_absolute_uri(reverse("desk-sign-in"))
        context = {"registration": registration, "shown": shown, "picture": data_uri(link)}
        return self.render_to_response(self.get_context_data(**context, page=page))
