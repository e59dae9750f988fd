"""Pages to sign in with a college account, and to unlink it."""

from collections.abc import Callable
from functools import wraps
from typing import cast

from allauth.account.decorators import reauthentication_required
from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ImproperlyConfigured
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from requests import RequestException

from tournament.common.refusals import RefusedError
from tournament.models import User
from tournament.people.accounts import security_log
from tournament.people.accounts.college import unlinking
from tournament.people.accounts.college.adapter import choose_refusal
from tournament.people.accounts.college.provider import IssuerAdapter, get_college_provider
from tournament.pure.codes import Code

Page = Callable[[HttpRequest], HttpResponse]
# Exceptions that are raised if an issuer's answer is incomplete or malformed.
UNREADABLE = (RequestException, OAuth2Error, LookupError, ValueError, TypeError)


def handle_refusals(page: Page) -> Page:
    """Wrap a view so that a refusal is shown as a page and written to the security log."""

    @wraps(page)
    def show_page(request: HttpRequest) -> HttpResponse:
        try:
            return page(request)
        except SocialApp.DoesNotExist:
            raise Http404 from None
        except RefusedError as refused:
            return _render_refusal(request, refused)
        except (*UNREADABLE, ImproperlyConfigured) as error:
            return _render_refusal(request, choose_refusal(request, error))

    return show_page


def _render_refusal(request: HttpRequest, refused: RefusedError) -> HttpResponse:
    security_log.log_incident(request, f"college account refused ({refused.code})")
    context = {"sentence": refused.sentence, "by_code": refused.code == Code.ISSUER_CLAIMED}
    status = 503 if refused.code == Code.ISSUER_AWAY else 400
    return render(request, "account/college_refused.html", context, status=status)


@require_POST
@handle_refusals
def sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the issuer's sign-in page."""
    next_page = get_next_redirect_url(request)
    response: HttpResponse = get_college_provider(request).redirect(
        request, AuthProcess.LOGIN, next_url=next_page
    )
    return response


@require_GET
@handle_refusals
def callback(request: HttpRequest) -> HttpResponse:
    """Sign in the person whom the issuer has identified."""
    view = OAuth2CallbackView.adapter_view(IssuerAdapter(request, "college"))
    response: HttpResponse = view(request)
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
def unlink(request: HttpRequest) -> HttpResponse:
    """Show what unlinking means. On POST, unlink the college account.

    The current session continues.
    """
    user = cast(User, request.user)
    if request.method == "POST":
        return _unlink_account(request, user)
    context = {
        "joined": unlinking.is_linked(user),
        "ways": unlinking.list_other_sign_in_methods(user),
        "issuer": bool(settings.SOCIALACCOUNT_PROVIDERS),
    }
    return render(request, "account/college_part.html", context)


def _unlink_account(request: HttpRequest, user: User) -> HttpResponse:
    try:
        unlinking.unlink_account(user)
    except RefusedError as refused:
        messages.error(request, refused.sentence)
        return redirect("college-part")
    update_session_auth_hash(request, user)
    security_log.log_incident(request, "college account parted", harmless=True)
    messages.success(request, _("Your college account has been unlinked."))
    return redirect("profile")
