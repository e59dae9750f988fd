"""The API's base class, with rate limits and caching."""

import time
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, set_response_etag
from ninja import NinjaAPI
from ninja.throttling import BaseThrottle

from tournament.site.middleware import count_requests_in_minute

PER_MINUTE = 300
# How long caches may keep a response.
CACHE_SECONDS = 5


class AddressThrottle(BaseThrottle):
    """Rate limit for each IP address. Request headers cannot forge the address."""

    def allow_request(self, request: HttpRequest) -> bool:
        return count_requests_in_minute(request, "api") <= PER_MINUTE

    def wait(self) -> float:
        return 60 - time.time() % 60


class PublicAPI(NinjaAPI):
    """API that lets caches store its responses briefly, and any web page read them."""

    def create_response(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = super().create_response(request, *args, **kwargs)
        response.headers["Access-Control-Allow-Origin"] = "*"
        if response.status_code != 200:
            return response
        patch_cache_control(response, public=True, max_age=CACHE_SECONDS)
        set_response_etag(response)
        etag = response.headers["ETag"]
        conditional = get_conditional_response(request, etag=etag, response=response)
        assert isinstance(conditional, HttpResponse)
        return conditional
