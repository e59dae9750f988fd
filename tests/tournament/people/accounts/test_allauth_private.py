"""Tests that the installed allauth still has the private parts that this site uses."""

import inspect
from importlib.metadata import version
from typing import Any

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows import email_verification_by_code as by_code
from allauth.account.views import ConfirmEmailVerificationCodeView
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest

from tournament.people.accounts import allauth_private
from tournament.people.accounts.allauth_private import (
    RateLimitUsage,
    consume,
    record_authentication,
)


def test_installed_allauth_version_has_been_reviewed() -> None:
    assert version("django-allauth") == allauth_private.CHECKED_FOR


@pytest.mark.parametrize(
    ("function", "arguments", "more"),
    [
        (record_authentication, (None, None, "mfa"), {"id": 1, "type": "totp"}),
        (
            consume,
            (None,),
            {"app": "", "action": "", "config": {}, "key": "", "limit_get": True},
        ),
        (RateLimitUsage, (), {"usage": []}),
        (OpenIDConnectOAuth2Adapter._fetch_user_info, (None, "token"), {}),
        (RateLimitUsage.rollback, (None,), {}),
        (by_code.EmailVerificationProcess.is_change_quota_reached, (None, 3), {}),
    ],
)
def test_private_allauth_functions_accept_our_arguments(
    function: Any, arguments: Any, more: Any
) -> None:
    inspect.signature(function).bind(*arguments, **more)


def test_awaited_code_is_read_from_the_session() -> None:
    request = HttpRequest()
    state = {"email": "asha@college.example", "change_count": 0}
    request.session = {}  # type: ignore[assignment]
    by_code.EmailVerificationProcess(request, state).persist()
    assert allauth_private.get_awaited_code(request) is state


def test_overridden_allauth_methods_still_exist() -> None:
    page = inspect.getsource(ConfirmEmailVerificationCodeView)
    for name in ("_action", "_process", "_change_form_valid", "_change_form_invalid"):
        assert name in page
    assert "_login_failed_rl_usage" in inspect.getsource(DefaultAccountAdapter.pre_authenticate)
    assert hasattr(by_code.EmailVerificationProcess, "can_change")
