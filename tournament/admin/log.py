"""What organizers did: read only."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from tournament.admin.registrations import EventFilter, EventListAdmin
from tournament.models import AuditEntry


@admin.register(AuditEntry)
class AuditEntryAdmin(EventListAdmin):
    """Who did what, when and why. Nobody changes it, superusers neither."""

    tab = "log"
    list_display = ["at", "actor", "text", "reason"]
    list_filter = ["action", ("event", EventFilter)]
    search_fields = ["text", "reason", "actor__email", "actor__display_name"]
    list_select_related = ["actor"]
    list_per_page = 100
    date_hierarchy = "at"

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
