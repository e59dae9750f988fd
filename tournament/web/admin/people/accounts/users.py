"""Admin for accounts, for superusers only.

Organizers are staff accounts with a role in an event.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tournament.common.refusals import RefusedError
from tournament.models import User
from tournament.people.accounts.assurance import list_second_factors
from tournament.people.accounts.college.unlinking import is_linked, unlink_account
from tournament.people.accounts.services import change_account, remove_factors
from tournament.web.admin.base.generic import AnyUserAdmin

# allauth's own admin shows secrets, and deletes factors without a reason.
admin.site.unregister(Authenticator)
# The issuer is configured by environment variables, and accounts are linked at sign-in.
for model in (SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


class AccountHelp(NamedTuple):
    """An action with which a superuser helps a person who has lost a way to sign in.

    * `is_needed`: returns whether the person still has what the action removes.
    * `service`: performs the action for a person, with the superuser and the reason.
    * `done`: the message after the action.
    """

    template: str
    title: Promise
    is_needed: Callable[[User], bool]
    service: Callable[[User, User, str], None]
    done: Promise


LOST_PHONE = AccountHelp(
    "admin/tournament/user/lost_phone.html",
    gettext_lazy("Turn off two-factor authentication for {name}"),
    lambda person: bool(list_second_factors(person)),
    remove_factors,
    gettext_lazy("Two-factor authentication is now off for {name}. They’ll be notified by email."),
)
COLLEGE = AccountHelp(
    "admin/tournament/user/college.html",
    gettext_lazy("Unlink {name}’s college account"),
    is_linked,
    unlink_account,
    gettext_lazy("{name}’s college account has been unlinked. They’ll be notified by email."),
)


@admin.register(User)
class AccountAdmin(AnyUserAdmin):
    """Admin for accounts, including staff (organizers) and superusers."""

    list_display = ["display_name", "email", "is_staff", "is_superuser", "last_login"]
    search_fields = ["display_name", "email"]
    ordering = ["email"]
    fieldsets = [
        (None, {"fields": ["display_name", "email", "username", "password"]}),
        (
            gettext_lazy("Permissions"),
            {"fields": ["is_active", "is_staff", "is_superuser", "user_permissions"]},
        ),
        (gettext_lazy("Dates"), {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [
        (None, {"fields": ["username", "email", "display_name", "usable_password"]}),
        (gettext_lazy("Password"), {"fields": ["password1", "password2"]}),
    ]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._is_superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._is_superuser(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Accounts remain in the history of their events, so they are deactivated instead of
        # deleted.
        return False

    def save_model(self, request: Any, obj: User, form: Any, change: bool) -> None:
        if change:
            change_account(obj, request.user)
        else:
            super().save_model(request, obj, form, change)

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view
        return [
            path(
                "<int:user_id>/lost-phone/",
                page(self.remove_second_factor),
                name="tournament_user_lost_phone",
            ),
            path(
                "<int:user_id>/college/",
                page(self.unlink_college_account),
                name="tournament_user_college",
            ),
            *super().get_urls(),
        ]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def remove_second_factor(self, request: HttpRequest, user_id: int) -> HttpResponse:
        return self._help_person(request, user_id, LOST_PHONE)

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def unlink_college_account(self, request: HttpRequest, user_id: int) -> HttpResponse:
        return self._help_person(request, user_id, COLLEGE)

    def _help_person(
        self, request: HttpRequest, user_id: int, account_help: AccountHelp
    ) -> HttpResponse:
        """Show the page that asks for a reason. On POST, perform the action."""
        if not self._is_superuser(request):
            raise PermissionDenied
        person = User.objects.filter(pk=user_id).first()
        if person is None:
            raise Http404
        if request.method == "POST":
            return self._perform_account_help(request, person, account_help)
        context = {
            **self.admin_site.each_context(request),
            "title": str(account_help.title).format(name=person),
            "person": person,
            "there": account_help.is_needed(person),
            "opts": self.opts,
        }
        return TemplateResponse(request, account_help.template, context)

    def _perform_account_help(
        self, request: HttpRequest, person: User, account_help: AccountHelp
    ) -> HttpResponse:
        assert isinstance(request.user, User)
        try:
            account_help.service(person, request.user, request.POST.get("reason", ""))
        except RefusedError as refused:
            messages.error(request, refused.sentence)
            return redirect(request.path)
        messages.success(request, str(account_help.done).format(name=person))
        return redirect("admin:tournament_user_change", person.pk)

    def _is_superuser(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and getattr(request.user, "is_superuser", False))
