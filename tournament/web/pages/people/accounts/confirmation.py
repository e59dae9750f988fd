"""Page for the code that confirms a sign-up, where a mistyped address can be corrected."""

from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.utils import complete_signup, setup_user_email
from allauth.account.views import ConfirmEmailVerificationCodeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import cached_property

from tournament.people.accounts.allauth_private import get_awaited_code


class ConfirmAddress(ConfirmEmailVerificationCodeView):  # type: ignore[misc]
    """Page to confirm an address, on which every visitor can correct the address.

    allauth's own page allows corrections only if the address has no account, and thereby reveals
    which addresses have one. This page always allows them. The account is created once the visitor
    enters an unused address.
    """

    @cached_property
    def _action(self) -> str:
        if self.request.POST.get("action") == "change" and self._may_change:
            return "change"
        return str(super()._action)

    @property
    def _pending_details(self) -> dict[str, str] | None:
        """Name and password hash of a sign-up with an address that already has an account."""
        details: dict[str, str] | None = self._code_data.get("wanted")
        return details

    @property
    def _code_data(self) -> Any:
        """Session data about the expected code."""
        return get_awaited_code(self.request)

    @property
    def _may_change(self) -> bool:
        limit = app_settings.EMAIL_VERIFICATION_MAX_CHANGE_COUNT
        has_changes_left = not self._process.is_change_quota_reached(limit)
        return has_changes_left and bool(self._pending_details or self._process.can_change)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return {**super().get_context_data(**kwargs), "can_change": self._may_change}

    def _change_form_valid(self, form: Any) -> HttpResponse:
        if self._pending_details is None or form.account_already_exists:
            response: HttpResponse = super()._change_form_valid(form)
            return response
        changes = self._code_data["change_count"] + 1
        _sign_up(
            self.request, form.cleaned_data["email"], self._pending_details, self.get_next_url()
        )
        self._code_data["change_count"] = changes
        self.request.session.modified = True
        return redirect(self.passthrough_next_url(reverse("account_email_verification_sent")))

    # Called by allauth, but not defined there.
    def _change_form_invalid(self, form: Any) -> HttpResponse:
        response: HttpResponse = self.render_to_response(self.get_context_data(form=form))
        return response


def _sign_up(request: HttpRequest, email: str, details: dict[str, str], page: str | None) -> None:
    adapter = get_adapter()
    user = adapter.new_user(request)
    user.email, user.display_name = email, details["display_name"]
    user.password = details["password"]
    adapter.populate_username(request, user)
    user.save()
    setup_user_email(request, user, [EmailAddress(email=email)])
    complete_signup(request, user, email_verification=None, success_url=page)
