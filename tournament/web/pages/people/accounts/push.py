"""Where a device's service worker registers it for push messages, and removes it."""

from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods
from pydantic import BaseModel

from tournament.models import User
from tournament.push.encryption import public_key
from tournament.push.services import DeviceKeys, join, leave

# An address has at most a thousand characters.
MOST_BYTES = 4096


class SentKeys(BaseModel):
    p256dh: str
    auth: str


class SentDevice(BaseModel):
    """A subscription as a browser writes it."""

    endpoint: str
    keys: SentKeys


@require_http_methods(["GET", "POST", "DELETE"])
def push(request: HttpRequest) -> HttpResponse:
    """Give out the site's key, and add or remove the device that the body names."""
    if not settings.PUSH_MESSAGES:
        raise Http404
    if not isinstance(request.user, User):
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    if request.method == "GET":
        # The worker cannot read cookies.
        return JsonResponse({"key": public_key(), "token": get_token(request)})
    try:
        _change(request, request.user)
    except ValueError:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _change(request: HttpRequest, user: User) -> None:
    if len(request.body) > MOST_BYTES:
        raise ValueError("too long")
    sent = SentDevice.model_validate_json(request.body)
    if request.method == "DELETE":
        leave(user, sent.endpoint)
        return
    language = get_language() or settings.LANGUAGE_CODE
    device = DeviceKeys(sent.endpoint, sent.keys.p256dh, sent.keys.auth)
    join(user, request.session.session_key or "", language, device)
