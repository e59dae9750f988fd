"""Headers that every page gets."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

Answer = Callable[[HttpRequest], HttpResponse]
NOTHING = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"


def private_pages(get_response: Answer) -> Answer:
    """Pages made for somebody who is signed in are kept by no cache, the Back button's included."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # Reading the user would open the session, and so slow down pages that need neither.
        if request.session.accessed and request.user.is_authenticated:
            add_never_cache_headers(response)
        response.headers.setdefault("Permissions-Policy", NOTHING)
        return response

    return middleware
