"""The page "Site status", for everyone who may enter the desk."""

from typing import Any

from django.contrib import admin
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.generic import TemplateView

from tournament.serving.state import curves
from tournament.serving.state.report import load_site_state


class SitePage(TemplateView):
    """The page "Site status". It shows counts and times, but no names."""

    http_method_names = ["get", "head", "options"]
    template_name = "admin/serving/site.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(
            **admin.site.each_context(self.request),
            title=gettext_lazy("Site status"),
            state=load_site_state(timezone.now()),
            width=curves.WIDTH,
            height=curves.HEIGHT,
            **kwargs,
        )
