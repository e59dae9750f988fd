"""What organizers did: read only."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from tournament.admin.registrations import EventFilter, EventListAdmin
from tournament.models import AuditEntry
from tournament.moments import moment_text


@admin.register(AuditEntry)
class AuditEntryAdmin(EventListAdmin):
    """Who did what, when and why. Nobody changes it, superusers neither."""

    tab = "log"
    list_display = ["moment", "actor", "text", "reason"]
    list_filter = ["action", ("event", EventFilter)]
    search_fields = ["text", "reason", "actor__email", "actor__display_name"]
    list_select_related = ["actor"]
    list_per_page = 100
    empty_value_display = ""
    date_hierarchy = "at"

    @admin.display(description=gettext_lazy("when"), ordering="pk")
    def moment(self, entry: AuditEntry) -> str:
        return moment_text(entry.at)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
