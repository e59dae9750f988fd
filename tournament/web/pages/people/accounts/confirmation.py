"""The page for a sign-up's code, where a mistyped address can be changed."""

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

from tournament.people.accounts.allauth_private import awaited_code


class ConfirmAddress(ConfirmEmailVerificationCodeView):  # type: ignore[misc]
    """Address confirmation that lets everyone change the address.

    allauth's own page refuses this if the address has an account, and so reveals which addresses
    do. Here the change is allowed in both cases. The requested account is created once an unused
    address is given.
    """

    @cached_property
    def _action(self) -> str:
        if self.request.POST.get("action") == "change" and self._may_change:
            return "change"
        return str(super()._action)

    @property
    def _wanted(self) -> dict[str, str] | None:
        """Name and password hash from a sign-up with an address that already has an account."""
        wanted: dict[str, str] | None = self._waiting.get("wanted")
        return wanted

    @property
    def _waiting(self) -> Any:
        """Session data about the expected code."""
        return awaited_code(self.request)

    @property
    def _may_change(self) -> bool:
        most = app_settings.EMAIL_VERIFICATION_MAX_CHANGE_COUNT
        left = not self._process.is_change_quota_reached(most)
        return left and bool(self._wanted or self._process.can_change)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return {**super().get_context_data(**kwargs), "can_change": self._may_change}

    def _change_form_valid(self, form: Any) -> HttpResponse:
        if self._wanted is None or form.account_already_exists:
            response: HttpResponse = super()._change_form_valid(form)
            return response
        changes = self._waiting["change_count"] + 1
        _sign_up(self.request, form.cleaned_data["email"], self._wanted, self.get_next_url())
        self._waiting["change_count"] = changes
        self.request.session.modified = True
        return redirect(self.passthrough_next_url(reverse("account_email_verification_sent")))

    # allauth calls it, and has none.
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
