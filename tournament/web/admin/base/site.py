"""The organizers' site: Django's admin with the site's own name.

It is not part of the package `admin`, because importing that package registers the pages, which
need this site.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def require_admin_sign_in(view: View) -> View:
    """Wrap a view so that it requires a sign-in that is strong enough for the admin.

    Staff with a weaker sign-in are redirected to confirm their identity.
    """

    @wraps(view)
    def check_request(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # Imported late, because the models are not loaded yet when the site is created.
        from tournament.people.accounts.assurance import redirect_weak_sign_in

        return redirect_weak_sign_in(request) or view(request, *args, **kwargs)

    return cast(View, check_request)


class LastcardAdminSite(AdminSite):
    """Admin site whose first page shows the user's events and their next steps."""

    site_header = "Lastcard"
    site_title = "Lastcard"
    index_title = gettext_lazy("Your events")
    # The event's own menu replaces the list of all models.
    enable_nav_sidebar = False

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Require a strong sign-in on every admin page except for signing out."""
        is_sign_out = view == self.logout
        return super().admin_view(view if is_sign_out else require_admin_sign_in(view), cacheable)

    def index(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> TemplateResponse:
        # Imported late, because the models are not loaded yet when the site is created.
        from tournament.desk.queries import next_step
        from tournament.oversight.rights import events_for

        rows = [(event, next_step(event)) for event in events_for(request.user, "see")]
        return super().index(request, {"events": rows, **(extra_context or {})})

    def app_index(
        self, request: HttpRequest, app_label: str, extra_context: dict[str, object] | None = None
    ) -> TemplateResponse:
        """Show the first page of the admin instead, because it already lists everything."""
        return self.index(request, extra_context)
