"""Accounts, for superusers alone: an organizer is a staff account that an event names."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from tournament.admin.generic import AnyUserAdmin
from tournament.models import User


@admin.register(User)
class PeopleAdmin(AnyUserAdmin):
    """Who may organize (staff) and who may do everything (superuser)."""

    list_display = ["display_name", "email", "is_staff", "is_superuser", "last_login"]
    search_fields = ["display_name", "email"]
    ordering = ["email"]
    fieldsets = [
        (None, {"fields": ["display_name", "email", "username", "password"]}),
        (
            gettext_lazy("What this person may do"),
            {"fields": ["is_active", "is_staff", "is_superuser", "user_permissions"]},
        ),
        (gettext_lazy("Dates"), {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [
        (None, {"fields": ["username", "email", "display_name", "usable_password"]}),
        (gettext_lazy("Password"), {"fields": ["password1", "password2"]}),
    ]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._superuser(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # People stay in the history of their events; an account is made inactive instead.
        return False

    def _superuser(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and getattr(request.user, "is_superuser", False))
