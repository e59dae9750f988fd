"""The organizers' site: Django's admin under our name.

Separate from the package `admin`, because importing that registers pages, which need the site.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def require_proof(view: View) -> View:
    """Wrap a view to require the proof of identity that the admin requires.

    Staff who have not given it are redirected to do so.
    """

    @wraps(view)
    def check_request(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # The models behind are not loaded yet when the site is made.
        from tournament.people.accounts.assurance import detour

        return detour(request) or view(request, *args, **kwargs)

    return cast(View, check_request)


class LastcardAdminSite(AdminSite):
    """Admin site whose first page shows the user's events, each with its next step."""

    site_header = "Lastcard"
    site_title = "Lastcard"
    index_title = gettext_lazy("Your events")
    # The event's own menu takes the place of the list of all models.
    enable_nav_sidebar = False

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Require proof of identity on every page of the admin except the sign-out."""
        leaving = view == self.logout
        return super().admin_view(view if leaving else require_proof(view), cacheable)

    def index(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> TemplateResponse:
        # Models are not loaded yet when the site is made.
        from tournament.desk.queries import next_step
        from tournament.oversight.rights import events_for

        rows = [(event, next_step(event)) for event in events_for(request.user, "see")]
        return super().index(request, {"events": rows, **(extra_context or {})})

    def app_index(
        self, request: HttpRequest, app_label: str, extra_context: dict[str, object] | None = None
    ) -> TemplateResponse:
        """Show the admin's first page instead, since it already lists everything."""
        return self.index(request, extra_context)
