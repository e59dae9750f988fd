"""Endpoint where a service worker subscribes its device to push messages."""

from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods
from pydantic import BaseModel

from tournament.models import User
from tournament.push.encryption import public_key
from tournament.push.services import DeviceKeys, subscribe, unsubscribe

# Enough for a URL of 1,000 characters and the keys.
MAX_BYTES = 4096


class SubscriptionKeys(BaseModel):
    """The keys of a push subscription."""

    p256dh: str
    auth: str


class DeviceSubscription(BaseModel):
    """A push subscription, in the format of `toJSON` in browsers."""

    endpoint: str
    keys: SubscriptionKeys


@require_http_methods(["GET", "POST", "DELETE"])
def push(request: HttpRequest) -> HttpResponse:
    """Return the site's public key, or add or remove the device in the request's body."""
    if not settings.PUSH_MESSAGES:
        raise Http404
    if not isinstance(request.user, User):
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    if request.method == "GET":
        # A service worker cannot read the cookie that has the CSRF token.
        return JsonResponse({"key": public_key(), "token": get_token(request)})
    try:
        _update_subscription(request, request.user)
    except ValueError:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _update_subscription(request: HttpRequest, user: User) -> None:
    if len(request.body) > MAX_BYTES:
        raise ValueError("too long")
    subscription = DeviceSubscription.model_validate_json(request.body)
    if request.method == "DELETE":
        unsubscribe(user, subscription.endpoint)
        return
    language = get_language() or settings.LANGUAGE_CODE
    device = DeviceKeys(subscription.endpoint, subscription.keys.p256dh, subscription.keys.auth)
    subscribe(user, request.session.session_key or "", language, device)
