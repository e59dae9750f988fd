"""The organizers' site: Django's admin under our name.

Apart from the package `admin`: importing that registers pages, which needs the site.
"""

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy


class LastcardAdminSite(AdminSite):
    """Its first page shows the person's events, each with the next step."""

    site_header = "Lastcard"
    site_title = "Lastcard"
    index_title = gettext_lazy("Your events")
    # The event's own menu takes the place of the list of all models.
    enable_nav_sidebar = False

    def index(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> TemplateResponse:
        # Models are not loaded yet when the site is made.
        from tournament.admin.access import organized_events
        from tournament.queries import next_step

        rows = [(event, next_step(event)) for event in organized_events(request.user)]
        return super().index(request, {"events": rows, **(extra_context or {})})
